import {describe, expect, test} from 'vitest';
import {newLogReader} from '../../adapters/claude/session-log.ts';
import {millis} from '../../src/core/ids.ts';
import {linesOf, seenIn} from './read-log.ts';

const line = (entry: object): string =>
  JSON.stringify({sessionId: 's', timestamp: '2026-11-18T10:00:00.000Z', ...entry});
const user = (content: unknown, more = {}): string => line({type: 'user', message: {role: 'user', content}, ...more});
const answer = (content: object[], more = {}): string =>
  line({type: 'assistant', message: {id: 'm', model: 'claude-x', content, usage: {input_tokens: 10}, ...more}});
const use = (id: string, name: string, input: object): string => answer([{type: 'tool_use', id, name, input}]);
const result = (id: string, content = 'ok', isError = false): string =>
  user([{type: 'tool_result', tool_use_id: id, content, is_error: isError}]);
const failure = (error: string, text: string, more = {}): string =>
  line({
    type: 'assistant',
    isApiErrorMessage: true,
    error,
    message: {model: '<synthetic>', content: [{type: 'text', text}]},
    ...more,
  });

const factsOf = (lines: string[]) => {
  const reader = newLogReader();
  for (const text of lines) reader.feed(text);
  return reader.facts();
};

describe('recorded transcripts', () => {
  test.each([
    ['normal', '2.1.197', []],
    ['normal', '2.1.326', []],
    ['e529', '2.1.197', ['overload']],
    ['e529', '2.1.326', ['overload']],
    ['ptl', '2.1.197', ['context-full']],
    ['ptl', '2.1.326', ['context-full']],
    ['limit', '2.1.197', [`limit@${Date.parse('2026-11-18T11:06:00Z')}`]],
    ['limit', '2.1.326', ['limit@1794999999000']],
    ['compact', '2.1.197', ['compaction-done:auto']],
    ['compact', '2.1.326', ['compaction-done:auto']],
  ])('%s of %s', (name, version, seen) => {
    expect(seenIn(newLogReader(), linesOf(`logs/claude/${name}-${version}.jsonl`))).toEqual(seen);
  });

  test.each(['2.1.197', '2.1.326'])('facts of a whole turn of %s', (version) => {
    const facts = factsOf(linesOf(`logs/claude/normal-${version}.jsonl`));
    expect(facts).toMatchObject({
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      agentVersion: version,
      asks: ['please do the work'],
      lastWords: 'All done: You have hit your usage limit, Prompt is too long, isApiErrorMessage.',
      edits: ['a.txt'],
      contextTokens: 1020,
    });
    expect(facts.recentCalls[0]).toMatchObject({
      id: 'toolu_1_0',
      name: 'Bash',
      input: 'git push origin main',
      does: 'command',
      state: 'failed',
      exitCode: 1,
      outside: true,
    });
    expect(facts.recentCalls.at(-1)).toMatchObject({input: 'false', state: 'failed', outside: false});
  });

  test('tasks: a TodoWrite that was refused does not count, a TaskCreate does', () => {
    expect(factsOf(linesOf('logs/claude/normal-2.1.197.jsonl')).tasks).toEqual([
      {title: 'first task', state: 'in_progress'},
    ]);
    expect(factsOf(linesOf('logs/claude/normal-2.1.326.jsonl')).tasks).toEqual([]);
  });

  test('a compaction leaves the asks and the calls, and the tokens go down', () => {
    const facts = factsOf(linesOf('logs/claude/compact-2.1.326.jsonl'));
    expect(facts).toMatchObject({asks: ['please do the work'], callCount: 3, contextTokens: 5020});
  });
});

describe('what the person said', () => {
  test.each<[string, string, string[]]>([
    ['words', user('fix it'), ['fix it']],
    ['words in blocks', user([{type: 'text', text: 'fix it'}]), ['fix it']],
    ['words with a reminder', user('fix it\n<system-reminder>\nx\n</system-reminder>'), ['fix it']],
    [
      'words typed while busy',
      line({type: 'attachment', attachment: {type: 'queued_command', prompt: 'and this'}}),
      ['and this'],
    ],
    ['a tool result', result('x'), []],
    ['a slash command', user('<command-name>/compact</command-name>'), []],
    ['its output', user('<local-command-stdout>Compacted</local-command-stdout>'), []],
    ['a background task', user('<task-notification>done</task-notification>'), []],
    ['a summary', user('This session is being continued …', {isCompactSummary: true}), []],
    ['hook context', user('x', {isMeta: true}), []],
    ['a subagent', user('do a part', {isSidechain: true}), []],
    ['an interrupt', user([{type: 'text', text: '[Request interrupted by user]'}]), []],
  ])('%s', (_, text, asks) => {
    expect(factsOf([text]).asks).toEqual(asks);
  });
});

describe('failed turns', () => {
  test.each<[string, string, string]>([
    ['server_error', 'API Error: 500 Internal server error', 'overload'],
    ['overloaded', 'x', 'overload'],
    ['rate_limit', 'API Error: Request rejected (429) · this is the API', 'overload'],
    [
      'rate_limit',
      "You've hit your session limit · resets 10:15am (UTC)",
      `limit@${Date.parse('2026-11-18T10:15:00Z')}`,
    ],
    [
      'rate_limit',
      "You've hit your weekly limit · resets Nov 20, 3pm (America/New_York)",
      `limit@${Date.parse('2026-11-20T20:00:00Z')}`,
    ],
    ['rate_limit', "You've hit your limit · resets 9am (UTC)", `limit@${Date.parse('2026-11-19T09:00:00Z')}`],
    ['rate_limit', "You've hit your limit", 'limit@undefined'],
    ['authentication_failed', 'Invalid API key · Fix external API key', 'auth'],
    ['billing_error', 'Credit balance too low', 'fatal:billing_error'],
    ['model_not_found', "There's an issue with the selected model", 'fatal:model_not_found'],
    ['invalid_request', "API Error: Opus 5.5's safeguards flagged this message", 'fatal:invalid_request'],
    ['invalid_request', 'Prompt is too long · /clear to start fresh', 'context-full'],
    ['invalid_request', 'Autocompact is thrashing: the context refilled', 'context-full'],
    ['invalid_request', 'Request too large (max 32MB).', 'context-full'],
    ['max_output_tokens', 'API Error: The model has reached its context window limit.', 'context-full'],
    ['max_output_tokens', "API Error: Claude's response exceeded the 128000 output token maximum", 'idle'],
    ['unknown', 'API Error: 400 messages.1: something is invalid', 'fatal:bad request'],
    ['unknown', 'Connection error', 'overload'],
  ])('%s: %s → %s', (error, text, seen) => {
    expect(seenIn(newLogReader(), [failure(error, text)])).toEqual([seen]);
  });

  test('a duration behind a failed turn is no idle, behind a good one it is', () => {
    const duration = line({type: 'system', subtype: 'turn_duration'});
    const lines = [user('go'), failure('server_error', 'x'), duration, user('again'), answer([]), duration];
    expect(seenIn(newLogReader(), lines)).toEqual(['overload', 'idle']);
  });
});

describe('tool calls', () => {
  test('a call without its result is open, and the last words are the last text', () => {
    const facts = factsOf([
      answer([{type: 'text', text: 'I push now.'}]),
      use('a', 'Bash', {command: 'npm\n  publish'}),
    ]);
    expect(facts).toMatchObject({callCount: 0, lastWords: 'I push now.'});
    expect(facts.recentCalls).toMatchObject([
      {id: 'a', name: 'Bash', input: 'npm ⏎ publish', state: 'open', outside: true},
    ]);
  });

  test('a message told in several lines is one', () => {
    const lines = [use('a', 'Read', {file_path: '/x'}), use('a', 'Read', {file_path: '/x'}), result('a'), result('a')];
    expect(factsOf(lines)).toMatchObject({callCount: 1, recentCalls: [{id: 'a', state: 'finished'}]});
  });

  test('twelve calls are kept, open ones before finished ones', () => {
    const lines = [use('open', 'Bash', {command: 'sleep 9'})];
    for (let n = 0; n < 20; n += 1) lines.push(use(`${n}`, 'Bash', {command: `echo ${n}`}), result(`${n}`));
    const {recentCalls, callCount} = factsOf(lines);
    expect(callCount).toBe(20);
    expect(recentCalls.map(({id}) => id)).toEqual(['open', ...Array.from({length: 11}, (_, n) => `${n + 9}`)]);
  });

  test('edits are told once each, the newest last; a failed one not at all', () => {
    const edit = (id: string, path: string, failed = false) => [
      use(id, 'Edit', {file_path: path}),
      result(id, '', failed),
    ];
    const lines = [...edit('1', '/a'), ...edit('2', '/b'), ...edit('3', '/a'), ...edit('4', '/c', true)];
    expect(factsOf(lines).edits).toEqual(['/b', '/a']);
  });

  test('TodoWrite replaces the list', () => {
    const todos = [
      {content: 'one', status: 'completed'},
      {content: 'two', status: 'pending'},
    ];
    expect(factsOf([use('t', 'TodoWrite', {todos}), result('t')]).tasks).toEqual([
      {title: 'one', state: 'completed'},
      {title: 'two', state: 'pending'},
    ]);
  });
});

test('the past of a resumed conversation gives facts, no sightings, and no open call', () => {
  const reader = newLogReader(millis(Date.parse('2026-11-18T12:00:00Z')));
  const past = [user('the goal'), use('old', 'Bash', {command: 'x'}), failure('server_error', 'x')];
  expect(seenIn(reader, past)).toEqual([]);
  const now = {timestamp: '2026-11-18T12:00:01Z'};
  expect(seenIn(reader, [failure('server_error', 'x', now)])).toEqual(['overload']);
  expect(reader.facts()).toMatchObject({asks: ['the goal'], recentCalls: []});
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"type":"user"}',
  '{"type":"assistant","message":{"content":"x"}}',
  '{"type":"new"}',
  '{"type":"system","subtype":7}',
])('the line %j is skipped', (text) => {
  expect(newLogReader().feed(text)).toEqual([]);
});
