// The Messages API as Claude Code speaks it: request → turns.

import {at, isJson, listAt, textAt} from '../../../adapters/shared/json.ts';
import type {CallOutcome, Parsed, RequestKind, Role, Turn} from './request.ts';

export const parseMessages = (path: string, body: unknown): Parsed => {
  const turns = listAt(body, 'messages').flatMap(turnsOf);
  const tools = listAt(body, 'tools').map((tool) => textAt(tool, 'name') ?? '');
  return {
    kind: kindOf({path, body, tools, turns}),
    model: textAt(body, 'model') ?? '',
    stream: at(body, 'stream') === true,
    tools,
    turns: [...systemOf(body), ...turns],
  };
};

const kindOf = (asked: {path: string; body: unknown; tools: string[]; turns: Turn[]}): RequestKind => {
  if (asked.path.endsWith('/count_tokens')) return 'count';
  if (at(asked.body, 'max_tokens') === 1) return 'probe';
  // The last that is said in the person's place; the CLI's own remarks may follow, and the tools are on offer as ever.
  const last = asked.turns.findLast(
    (turn): turn is Turn & {is: 'text'} => turn.is === 'text' && turn.role === 'person',
  );
  if (last !== undefined && summarise.test(last.text)) return 'compaction';
  if (asked.tools.includes('Bash')) return 'main';
  return /\btitle\b/i.test(JSON.stringify(at(asked.body, 'system') ?? '')) ? 'title' : 'side';
};

const summarise = /^(?:CRITICAL: Respond with TEXT ONLY[\s\S]*)?Your task is to create a detailed summary of /;

const systemOf = (body: unknown): Turn[] => {
  const system = at(body, 'system');
  const texts =
    typeof system === 'string' ? [system] : listAt(body, 'system').map((part) => textAt(part, 'text') ?? '');
  return texts.map((text) => ({is: 'text', role: 'system', text}));
};

/** The new version puts remarks of its own between the messages, as `system`. */
const roles: Record<string, Role> = {assistant: 'agent', user: 'person'};

const turnsOf = (message: unknown): Turn[] => {
  const role = roles[textAt(message, 'role') ?? ''] ?? 'system';
  const content = at(message, 'content');
  if (typeof content === 'string') return [{is: 'text', role, text: content}];
  return listAt(message, 'content').flatMap((block) => turnOf(role, block));
};

const turnOf = (role: Role, block: unknown): Turn[] => {
  switch (textAt(block, 'type')) {
    case 'text':
      return [{is: 'text', role, text: textAt(block, 'text') ?? ''}];
    case 'tool_use': {
      const [id, tool] = [textAt(block, 'id') ?? '', textAt(block, 'name') ?? ''];
      return [{is: 'call', id, tool, command: textAt(block, 'input', 'command') ?? ''}];
    }
    case 'tool_result': {
      const text = resultText(at(block, 'content'));
      return [{is: 'result', id: textAt(block, 'tool_use_id') ?? '', outcome: outcomeOf(block, text), text}];
    }
    default:
      return [];
  }
};

const resultText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (Array.isArray(content) ? content : [])
        .map((part) => (isJson(part) ? (textAt(part, 'text') ?? '') : ''))
        .join('\n');

/** The words are Claude Code's own, for a call whose end it never saw. */
const outcomeOf = (block: unknown, text: string): CallOutcome => {
  if (/^\[?(?:Tool call interrupted|Request interrupted)/.test(text)) return 'unknown';
  return at(block, 'is_error') === true ? 'failed' : 'finished';
};
