import {describe, expect, test} from 'vitest';
import {newLogReader} from '../../adapters/codex/session-log.ts';
import {millis} from '../../src/core/ids.ts';
import {linesOf, seenIn} from './read-log.ts';

const line = (type: string, payload: object, timestamp = '2026-11-18T10:00:00.000Z'): string =>
  JSON.stringify({timestamp, ordinal: 1, type, payload});
const event = (type: string, more = {}): string => line('event_msg', {type, ...more});
const item = (type: string, more = {}): string => event('item_completed', {item: {type, ...more}});
const call = (id: string, cmd: string): string =>
  line('response_item', {type: 'function_call', name: 'exec_command', call_id: id, arguments: JSON.stringify({cmd})});
const output = (id: string, text: string): string =>
  line('response_item', {type: 'function_call_output', call_id: id, output: text});
const failed = (info: unknown, message = ''): string =>
  event('task_complete', {last_agent_message: null, error: {message, codex_error_info: info}});
const count = (primary: object | null, secondary: object | null = null): string =>
  event('token_count', {info: null, rate_limits: {primary, secondary}});

const factsOf = (lines: string[]) => {
  const reader = newLogReader();
  for (const text of lines) reader.feed(text);
  return reader.facts();
};

describe('recorded rollouts', () => {
  test('two automatic compactions: in the middle of a turn, and before a turn', () => {
    const reader = newLogReader();
    const turn = ['busy', 'compaction-done:auto', 'idle'];
    expect(seenIn(reader, linesOf('logs/codex/compact-auto-0.169.0.jsonl'))).toEqual([...turn, ...turn]);
    expect(reader.facts()).toMatchObject({agentVersion: '0.169.0', asks: expect.arrayContaining(['please do step 1'])});
  });

  test('four turns with approval, plan and patch', () => {
    const reader = newLogReader();
    const turns = ['busy', 'idle', 'busy', 'idle', 'busy', 'idle', 'busy', 'idle'];
    expect(seenIn(reader, linesOf('logs/codex/approval-0.169.0.jsonl'))).toEqual(turns);
    expect(reader.facts()).toMatchObject({
      sessionId: '01a1ed7f-135b-7a00-a92a-26a0c963d197',
      agentVersion: '0.169.0',
      asks: ['please do step 1', 'ask me', '1', 'plan'],
      lastWords: 'ok',
      callCount: 4,
      recentCalls: [
        expect.objectContaining({input: 'touch /home/user/codex/proj/approved.txt', state: 'finished'}),
        expect.objectContaining({name: 'request_user_input', state: 'finished'}),
        expect.objectContaining({name: 'update_plan', state: 'finished'}),
        {id: 'call_45_0', name: 'apply_patch', input: 'new.txt', does: 'edit', state: 'finished', outside: false},
      ],
      edits: ['new.txt'],
      commands: [{command: 'touch /home/user/codex/proj/approved.txt', state: 'finished', exitCode: 0}],
      tasksBy: 'observed',
      tasks: [
        {title: 'Read files', state: 'completed'},
        {title: 'Write code', state: 'in_progress'},
        {title: 'Test', state: 'pending'},
      ],
      contextTokens: 110,
    });
  });
});

describe('failed turns', () => {
  test.each<[string, string, string]>([
    ['"usage_limit_exceeded"', 'You’ve hit your usage limit.', 'limit@undefined'],
    ['"usage_limit_exceeded"', 'Quota exceeded. Check your plan and billing details.', 'fatal:quota exceeded'],
    ['"context_window_exceeded"', 'Codex ran out of room', 'context-full'],
    ['"context_window_exceeded"', 'Error running remote compact task: ran out', 'compaction-failed'],
    ['"internal_server_error"', 'Error running remote compact task: 500', 'overload'],
    ['"server_overloaded"', 'Selected model is at capacity.', 'overload'],
    ['"rate_limit_exceeded"', '', 'overload'],
    ['{"response_too_many_failed_attempts":{"http_status_code":429}}', '', 'overload'],
    ['{"http_connection_failed":{"http_status_code":401}}', '', 'auth'],
    ['{"http_connection_failed":{"http_status_code":403}}', '', 'auth'],
    ['{"http_connection_failed":{"http_status_code":null}}', '', 'overload'],
    ['"unauthorized"', '', 'auth'],
    ['"bad_request"', '', 'fatal:bad_request'],
    ['"other"', 'stream disconnected before completion: x', 'overload'],
    ['"other"', 'Incomplete response returned, reason: max_output_tokens', 'overload'],
    ['"other"', '{"error":{"message":"bad"}}', 'fatal:other'],
    ['null', '', 'fatal:other'],
  ])('%s %s → %s', (info, message, seen) => {
    expect(seenIn(newLogReader(), [failed(JSON.parse(info), message)])).toEqual([seen]);
  });

  test('the reset time is that of the fuller window', () => {
    const windows = count({used_percent: 40, resets_at: 100}, {used_percent: 100, resets_at: 200});
    expect(seenIn(newLogReader(), [windows, failed('usage_limit_exceeded')])).toEqual(['limit@200000']);
  });
});

describe('who asked for a compaction', () => {
  const compacted = line('compacted', {message: 'x'});
  const begun = event('task_started');
  test.each<[string, string[], string]>([
    ['in the middle of a turn: automatic', [begun, item('UserMessage'), compacted], 'auto'],
    [
      'before the turn’s message: automatic',
      [begun, compacted, item('ContextCompaction'), item('UserMessage')],
      'auto',
    ],
    ['alone in its turn: the person', [begun, compacted, item('ContextCompaction'), event('task_complete')], 'manual'],
  ])('%s', (_, lines, trigger) => {
    const seen = seenIn(newLogReader(), lines).filter((text) => text.startsWith('compaction'));
    expect(seen).toEqual([`compaction-done:${trigger}`]);
  });
});

test('an interrupted turn is idle', () => {
  expect(seenIn(newLogReader(), [event('task_started'), event('turn_aborted', {reason: 'interrupted'})])).toEqual([
    'busy',
    'idle',
  ]);
});

test('a call without its output is open; output and item together are one call', () => {
  const done = item('CommandExecution', {id: 'a', command: ['/bin/bash', '-lc', 'false'], exit_code: 1});
  const facts = factsOf([
    call('a', 'false'),
    done,
    output('a', 'Process exited with code 1\nOutput:\n'),
    call('b', 'git push'),
  ]);
  expect(facts.callCount).toBe(1);
  expect(facts.recentCalls).toMatchObject([
    {id: 'a', name: 'exec_command', input: 'false', state: 'failed', exitCode: 1, outside: false},
    {id: 'b', name: 'exec_command', input: 'git push', state: 'open', outside: true},
  ]);
});

test('code mode tells its commands only as items', () => {
  const facts = factsOf([item('CommandExecution', {id: 'x', command: ['bash', '-lc', 'npm test'], exit_code: 0})]);
  expect(facts.recentCalls).toMatchObject([
    {id: 'x', name: 'exec_command', input: 'npm test', state: 'finished', outside: false},
  ]);
});

test('a subagent’s rollout is not the leg’s', () => {
  const meta = line('session_meta', {id: 'child', source: {subagent: {parent: 'x'}}});
  expect(seenIn(newLogReader(), [meta, event('task_started'), failed('context_window_exceeded')])).toEqual([]);
});

test('the past of a resumed thread gives facts, no sightings, and no open call', () => {
  const reader = newLogReader(millis(Date.parse('2026-11-18T12:00:00Z')));
  expect(seenIn(reader, [item('UserMessage', {content: [{text: 'goal'}]}), call('a', 'x'), failed('other')])).toEqual(
    [],
  );
  expect(seenIn(reader, [line('event_msg', {type: 'task_started'}, '2026-11-18T12:00:01Z')])).toEqual(['busy']);
  expect(reader.facts()).toMatchObject({asks: ['goal'], recentCalls: []});
});

test.each([
  '',
  '{',
  'null',
  '{"type":"event_msg"}',
  '{"type":"response_item","payload":7}',
  '{"type":"new","payload":{}}',
])('the line %j is skipped', (text) => {
  expect(newLogReader().feed(text)).toEqual([]);
});

describe('a compaction in the light of the rollout', () => {
  const started = {
    type: 'compaction-started',
    trigger: 'auto',
    held: true,
    evidence: {channel: 'hook', detail: 'x'},
  } as const;
  const done = {type: 'compaction-done', trigger: 'auto', evidence: {channel: 'hook', detail: 'x'}} as const;
  const said = (turn: string): string => event('item_completed', {turn_id: turn, item: {type: 'UserMessage'}});

  test('before anything is said in its turn it is the person’s: their words wait behind it', () => {
    const reader = newLogReader();
    for (const text of [event('task_started'), said('one'), event('task_complete')]) reader.feed(text);
    expect(reader.judge?.(started, {turn_id: 'two'})).toMatchObject({trigger: 'manual', held: true});
    expect(reader.judge?.(done, {turn_id: 'two'})).toMatchObject({trigger: 'manual'});
    expect(seenIn(reader, [event('task_started'), line('compacted', {}), said('two')])).toEqual([
      'busy',
      'compaction-done:manual',
    ]);
  });

  test('in the midst of a turn it is automatic, also in the turn that had begun with one', () => {
    const reader = newLogReader();
    reader.feed(said('one'));
    expect(reader.judge?.(started, {turn_id: 'one'})).toEqual(started);
    expect(reader.judge?.(done, {turn_id: 'one'})).toEqual(done);
    expect(reader.judge?.(started, {turn_id: 'two'})).toMatchObject({trigger: 'manual'});
    reader.feed(said('two'));
    expect(reader.judge?.(started, {turn_id: 'two'})).toEqual(started);
  });
});
