// The trap: an agent that works on this very repository reads and writes every marker we look for. In a session log only
// the CLI's own fields count, so none of it may give a signal that ends a leg.

import {describe, expect, test} from 'vitest';
import {newLogReader as claudeReader} from '../../adapters/claude/session-log.ts';
import {newLogReader as codexReader} from '../../adapters/codex/session-log.ts';
import {fixture, lethal, linesOf, seenIn} from './read-log.ts';

/** Whole lines of real logs, and the texts of the screens, as they would be quoted. */
const markers = [
  ...['e529', 'limit', 'ptl', 'compact'].flatMap((name) => linesOf(`logs/claude/${name}-2.1.326.jsonl`)),
  ...linesOf('logs/codex/compact-auto-0.169.0.jsonl'),
  '{"type":"event_msg","payload":{"type":"task_complete","error":{"codex_error_info":"context_window_exceeded"}}}',
  fixture('screens/claude/limit/fires/usage-new-oauth.txt'),
  fixture('screens/claude/context-full/fires/ptlall-new.txt'),
  'Prompt is too long',
  "API Error: 529 Overloaded. You've hit your usage limit. Autocompact is thrashing",
  '[Request interrupted by user]',
  '"isApiErrorMessage":true,"error":"rate_limit"',
];

const claudeLine = (type: string, content: unknown) =>
  JSON.stringify({type, sessionId: 's', timestamp: '2026-11-18T10:00:00Z', message: {id: 'm', model: 'x', content}});
const codexLine = (type: string, payload: object) => JSON.stringify({timestamp: '2026-11-18T10:00:00Z', type, payload});

describe.each(markers.map((marker) => [marker.slice(0, 60), marker]))('%s', (_, marker) => {
  test('quoted in a Claude Code transcript', () => {
    const lines = [
      claudeLine('user', `look at this: ${marker}`),
      claudeLine('user', marker),
      claudeLine('user', [{type: 'tool_result', tool_use_id: 't', content: marker, is_error: true}]),
      claudeLine('user', [{type: 'tool_result', tool_use_id: 't', content: [{type: 'text', text: marker}]}]),
      claudeLine('assistant', [{type: 'text', text: marker}]),
      claudeLine('assistant', [{type: 'thinking', thinking: marker}]),
      claudeLine('assistant', [{type: 'tool_use', id: 't2', name: 'Write', input: {file_path: '/x', content: marker}}]),
      JSON.stringify({type: 'attachment', attachment: {type: 'hook_success', content: marker, stdout: marker}}),
    ];
    expect(lethal(seenIn(claudeReader(), lines))).toEqual([]);
  });

  test('quoted in a Codex rollout', () => {
    const lines = [
      codexLine('event_msg', {type: 'task_started'}),
      codexLine('response_item', {type: 'message', role: 'user', content: [{type: 'input_text', text: marker}]}),
      codexLine('event_msg', {type: 'item_completed', item: {type: 'UserMessage', content: [{text: marker}]}}),
      codexLine('response_item', {type: 'function_call', call_id: 'c', name: 'exec_command', arguments: marker}),
      codexLine('response_item', {type: 'function_call_output', call_id: 'c', output: marker}),
      codexLine('event_msg', {
        type: 'item_completed',
        item: {type: 'CommandExecution', id: 'c', aggregated_output: marker},
      }),
      codexLine('event_msg', {type: 'item_completed', item: {type: 'AgentMessage', content: [{text: marker}]}}),
      codexLine('event_msg', {type: 'task_complete', last_agent_message: marker}),
    ];
    expect(seenIn(codexReader(), lines)).toEqual(['busy', 'idle']);
  });
});
