import {describe, expect, test} from 'vitest';
import {state} from '../../adapters/claude/state-file.ts';

const NOW = 1_795_003_140_000;
const record = (some: object) =>
  JSON.stringify({pid: 7, sessionId: 's-1', startedAt: NOW - 60_000, statusUpdatedAt: NOW - 10_000, ...some});
const read = (some: object, since = NOW - 61_000) => state.read(record(some), {since, now: NOW});

describe('where Claude Code keeps its state', () => {
  test.each([
    [{CLAUDE_CONFIG_DIR: '/cfg', HOME: '/home/me'}, '/cfg/sessions/7.json', '/cfg/projects'],
    [{HOME: '/home/me'}, '/home/me/.claude/sessions/7.json', '/home/me/.claude/projects'],
  ])('%j', (env, file, logs) => {
    expect(state.place(env, 7)).toEqual({file, logs});
  });

  test('nowhere, when nobody knows its home', () => {
    expect(state.place({}, 7)).toBeUndefined();
  });
});

describe('what it says', () => {
  test.each([
    ['busy', {type: 'busy'}],
    ['idle', {type: 'idle'}],
    ['waiting', {type: 'waiting-for-person', what: 'permission prompt'}],
  ])('%s', (status, sighting) => {
    const reading = read({status, waitingFor: 'permission prompt'});
    expect(reading).toMatchObject({session: {id: 's-1', logName: 's-1.jsonl'}, sighting});
    expect(reading?.sighting?.evidence).toEqual({channel: 'process', detail: `session state(${status})`});
  });

  test.each([
    ['a state that it has not been in for long', {status: 'idle', statusUpdatedAt: NOW - 100}],
    ['a turn that began just now: its hook tells that', {status: 'busy', statusUpdatedAt: NOW - 1500}],
    ['no state, as without a terminal', {}],
    ['one that a later version knows', {status: 'dreaming'}],
  ])('names the conversation, and tells nothing of %s', (_, some) => {
    expect(read(some)).toEqual({session: {id: 's-1', logName: 's-1.jsonl'}, sighting: undefined});
  });

  test('a record that a dead process of the same number has left is not ours', () => {
    expect(read({status: 'busy'}, NOW)).toBeUndefined();
  });

  test.each(['', '{', '[]', 'null', '{"status":7}'])('%j breaks nothing', (text) => {
    expect(state.read(text, {since: NOW, now: NOW})).toBeUndefined();
  });
});
