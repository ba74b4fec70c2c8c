import {describe, expect, test} from 'vitest';
import {exitCodeOf, exitCodes, type Failure} from '../../src/core/failure.ts';
import {codeOfExit, codeOfOutcome} from '../../src/core/outcome.ts';
import type {Outcome} from '../../src/core/state.ts';

const code = (value: number) => ({code: value, signal: undefined});
const signal = (value: number) => ({code: 0, signal: value});

describe('what ckpt-run exits with', () => {
  const rows: [name: string, outcome: Outcome, code: number][] = [
    ['the agent ended well', {is: 'ended', exit: code(0)}, 0],
    ['the agent’s own code passes through', {is: 'ended', exit: code(42)}, 42],
    ['an agent that ended by a signal: 128 + n', {is: 'ended', exit: signal(9)}, 137],
    ['the work is done', {is: 'done', note: 'all of it'}, 0],
    ['a start that failed: the agent’s own code', {is: 'start-failed', exit: code(2)}, 2],
    ['a start that was killed: 128 + n', {is: 'start-failed', exit: signal(11)}, 139],
    ['no process at all', {is: 'spawn-failed', what: 'ENOENT'}, 71],
    ['given up with the agent’s own code', {is: 'gave-up', exit: code(1), why: 'no credits'}, 1],
    ['parked', {is: 'parked', why: '5 legs without progress'}, 75],
    ['quit by SIGINT, before the agent had ended', {is: 'quit', signal: 2, exit: undefined}, 130],
    ['quit by SIGTERM, and the agent says 0: who sent it sees it', {is: 'quit', signal: 15, exit: code(0)}, 143],
    ['quit by SIGTERM, and the agent has a code of its own', {is: 'quit', signal: 15, exit: code(3)}, 3],
    ['quit by SIGINT, and the agent needed SIGKILL', {is: 'quit', signal: 2, exit: signal(9)}, 137],
  ];
  test.each(rows)('%s', (_, outcome, wanted) => {
    expect(codeOfOutcome(outcome)).toBe(wanted);
  });

  test('with a signal the code means nothing', () => {
    expect(codeOfExit({code: 7, signal: 6})).toBe(134);
    expect(codeOfExit({code: 7, signal: undefined})).toBe(7);
  });

  test('an outcome that nobody knows is a bug of ours', () => {
    expect(() => codeOfOutcome({is: 'vanished'} as never)).toThrow('Internal error: unhandled case {"is":"vanished"}');
  });
});

describe('what a failure exits with', () => {
  test('the table is what the README tells', () => {
    expect(exitCodes).toEqual({
      'bad-usage': 64,
      'bad-config': 78,
      'unknown-agent': 64,
      'agent-missing': 127,
      'store-unusable': 73,
      'not-found': 66,
      'baton-refused': 65,
      nested: 64,
      'unsupported-platform': 69,
      system: 71,
      parked: 75,
      internal: 70,
    });
  });

  test('a failure finds its code', () => {
    const failure: Failure = {is: 'unknown-agent', name: 'clod', known: ['claude', 'codex']};
    expect(exitCodeOf(failure)).toBe(64);
  });

  test('none of ours is a code of a shell or a signal, save 127 for a missing program', () => {
    const own = Object.values(exitCodes).filter((value) => value !== 127);
    expect(own.every((value) => value >= 64 && value <= 78)).toBe(true);
  });
});
