import {expect, test} from 'vitest';
import {parseArgs} from '../../src/practice/args.ts';

const id = '0b0c1d2e-3f40-4152-8364-758697a8b9ca';
const none = {settings: undefined, sessionId: undefined, script: undefined, print: false, format: 'text'};

test.each<[words: string[], args: object]>([
  [[], {}],
  [['do it'], {prompt: 'do it'}],
  [['--', '-p is no flag here'], {prompt: '-p is no flag here'}],
  [['--settings', '{"a":1}', 'go'], {settings: '{"a":1}', prompt: 'go'}],
  [['--settings={}', 'go'], {settings: '{}', prompt: 'go'}],
  [['--settings', 'first', '--settings', 'last'], {settings: 'last'}],
  [['--session-id', id], {sessionId: id}],
  [['--script', 'x.json', '-p', 'go'], {script: 'x.json', print: true, prompt: 'go'}],
  [['--print', '--output-format', 'json', 'go'], {print: true, format: 'json', prompt: 'go'}],
  [['--resume', id, 'go'], {prompt: 'go'}],
  [['-r', 'go'], {prompt: 'go'}],
  [['--continue', '--fork-session', '--verbose', '--dangerously-skip-permissions', 'go'], {prompt: 'go'}],
  [['--model', 'opus', '--permission-mode', 'plan', '--append-system-prompt', 'x', 'go'], {prompt: 'go'}],
])('%j', (words, args) => {
  expect(parseArgs(words)).toEqual({do: 'run', args: {...none, prompt: undefined, ...args}});
});

test.each<[words: string[], parsed: object]>([
  [['--version'], {do: 'version'}],
  [['-v'], {do: 'version'}],
  [['-h'], {do: 'help'}],
  [['--help', '--nonsense'], {do: 'help'}],
  [['--nonsense'], {do: 'refuse', message: "error: unknown option '--nonsense'"}],
  [['--session-id', 'x'], {do: 'refuse', message: 'Error: Invalid session ID. Must be a valid UUID.'}],
  [['--output-format', 'xml'], {do: 'refuse', message: 'error: practice knows no --output-format xml'}],
])('%j is no run', (words, parsed) => {
  expect(parseArgs(words)).toEqual(parsed);
});
