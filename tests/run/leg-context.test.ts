import {expect, test} from 'vitest';
import {legContext} from '../../src/run/leg/leg-context.ts';

const open = () => {
  const set: string[] = [];
  const context = legContext({setContext: (text) => void set.push(text)}, 'protocol');
  const hook = (name: string) => context.onHook({id: `1.${name}`, name, payload: {}});
  return {set, context, hook};
};

test('the protocol lies there from the start, and hooks change nothing about it', () => {
  const {set, hook} = open();
  for (const name of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop']) hook(name);
  expect(set).toEqual(['protocol']);
});

test('a baton is given once: after the compacted session has begun, the protocol is back', () => {
  const {set, context, hook} = open();
  context.inject('baton');
  hook('SubagentStop');
  hook('SessionStart');
  expect(set).toEqual(['protocol', 'baton']);
  hook('PostCompact');
  hook('PreToolUse');
  expect(set).toEqual(['protocol', 'baton', 'protocol']);
});

test('a compaction that fails leaves no baton behind for the next prompt', () => {
  const {set, context, hook} = open();
  context.inject('baton');
  hook('StopFailure');
  expect(set.at(-1)).toBe('baton');
  hook('UserPromptSubmit');
  expect(set.at(-1)).toBe('protocol');
});
