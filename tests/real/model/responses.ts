// The Responses API as Codex speaks it: request → turns.

import {at, listAt, textAt} from '../../../adapters/shared/json.ts';
import type {CallOutcome, Parsed, RequestKind, Role, Turn} from './request.ts';

export const parseResponses = (body: unknown): Parsed => {
  const turns = listAt(body, 'input').flatMap(turnsOf);
  const tools = listAt(body, 'tools').map((tool) => textAt(tool, 'name') ?? textAt(tool, 'type') ?? '');
  return {
    kind: asksRemote(body) ? 'compaction' : kindOf(tools, turns),
    model: textAt(body, 'model') ?? '',
    stream: at(body, 'stream') === true,
    tools,
    turns: [{is: 'text', role: 'system', text: textAt(body, 'instructions') ?? ''}, ...turns],
  };
};

/** A provider named OpenAI compacts by itself: the summary is its own, and closed. */
export const asksRemote = (body: unknown): boolean =>
  textAt(listAt(body, 'input').at(-1), 'type') === 'compaction_trigger';

const kindOf = (tools: string[], turns: Turn[]): RequestKind => {
  const last = turns.findLast((turn) => turn.is === 'text' && turn.role === 'person');
  const asked = last?.is === 'text' ? last.text : '';
  if (asked.startsWith('You are performing a CONTEXT CHECKPOINT COMPACTION')) return 'compaction';
  if (/^Generate a concise, single-line task title/m.test(asked)) return 'title';
  return shellTools.some((name) => tools.includes(name)) ? 'main' : 'side';
};

/** The names under which Codex has offered its shell. */
export const shellTools = ['exec_command', 'shell_command', 'shell'];

const turnsOf = (item: unknown): Turn[] => {
  switch (textAt(item, 'type')) {
    case 'message':
      return [{is: 'text', role: roleOf(textAt(item, 'role')), text: textsOf(item)}];
    case 'function_call': {
      const [id, tool] = [textAt(item, 'call_id') ?? '', textAt(item, 'name') ?? ''];
      return [{is: 'call', id, tool, command: commandOf(textAt(item, 'arguments') ?? '')}];
    }
    case 'function_call_output': {
      const text = textAt(item, 'output') ?? '';
      return [{is: 'result', id: textAt(item, 'call_id') ?? '', outcome: outcomeOf(text), text}];
    }
    default:
      return [];
  }
};

const roleOf = (role: string | undefined): Role =>
  role === 'assistant' ? 'agent' : role === 'user' ? 'person' : 'system';

const textsOf = (item: unknown): string =>
  listAt(item, 'content')
    .map((part) => textAt(part, 'text') ?? '')
    .join('\n');

const commandOf = (text: string): string => {
  const input: unknown = JSON.parse(text);
  const command = at(input, 'cmd') ?? at(input, 'command');
  return Array.isArray(command) ? String(command.at(-1)) : typeof command === 'string' ? command : '';
};

/** What stands before `Output:` is Codex's own word on the command. */
const outcomeOf = (text: string): CallOutcome => {
  const head = text.split('\nOutput:', 1)[0] ?? '';
  if (/^aborted\b/.test(head)) return 'unknown';
  if (/^Process running with session ID/m.test(head)) return 'running';
  return /^(?:Process exited with code|Exit code:) 0$/m.test(head) ? 'finished' : 'failed';
};
