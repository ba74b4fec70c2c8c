import {expect, test} from 'vitest';
import {compactsAt} from '../../adapters/claude/compacts-at.ts';
import {noFacts} from '../../src/baton/facts.ts';

const at = (model: string, env: Record<string, string>, window?: number) =>
  compactsAt({...noFacts, model}, env, window);

test.each([
  ['a model whose window is known', 'claude-sonnet-4-5', {}, undefined, 167_000],
  ['one with a window of a million', 'claude-opus-4-8[1m]', {}, undefined, 967_000],
  ['the default one of 2.1.326', 'claude-opus-5-5', {}, undefined, 967_000],
  ['one that nobody knows', 'claude-next', {}, undefined, undefined],
  ['one that nobody knows, with the window as the person says', 'claude-next', {}, 200_000, 167_000],
  ['a window of the agent’s own setting', 'claude-next', {CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000'}, 900_000, 117_000],
  ['a window that is raised to the least', 'claude-next', {CLAUDE_CODE_AUTO_COMPACT_WINDOW: '5000'}, undefined, 67_000],
  ['a percentage', 'claude-opus-4-8[1m]', {CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '10'}, undefined, 98_000],
  ['a percentage above the real threshold', 'x[1m]', {CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '100'}, undefined, 967_000],
  ['a percentage that is none', 'x[1m]', {CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: 'soon'}, undefined, 967_000],
  ['switched off', 'claude-sonnet-4-5', {DISABLE_AUTO_COMPACT: '1'}, undefined, undefined],
])('%s', (_name, model, env, window, wanted) => {
  expect(at(model, env as Record<string, string>, window)).toBe(wanted);
});
