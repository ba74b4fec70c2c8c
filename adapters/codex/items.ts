// Codex's calls and finished items → facts. Code mode (one `exec` call with JavaScript) tells its commands and file
// changes only as items, the classic tools as both; ids make them one.

import type {Task} from '../../src/baton/facts.ts';
import {at, isJson, listAt, numberAt, textAt} from '../shared/json.ts';
import type {Opening} from '../shared/ledger.ts';
import {pathOfUrl} from '../shared/paths.ts';
import type {LegRecord} from '../shared/record.ts';
import {answersIn, readOutput} from './output.ts';

export interface Items {
  /** response_item: a call, or the output of one. */
  call(payload: unknown): void;
  /** item_completed: what was really said and done. */
  done(payload: unknown): void;
}

export const newItems = (record: LegRecord): Items => {
  const plans = new Map<string, Task[]>();
  const questions = new Map<string, unknown>();
  const begin = (id: string, payload: unknown): void => {
    const name = textAt(payload, 'name') ?? 'tool';
    const input = parsed(textAt(payload, 'arguments') ?? textAt(payload, 'input') ?? '');
    // To look whether a command has ended is no work of its own.
    if (name === 'write_stdin' && !textAt(input, 'chars')) return;
    record.acted();
    record.opened({id, name, ...openingOf(name, input)});
    if (name === 'update_plan') remember(plans, id, listAt(input, 'plan').flatMap(step));
    if (name === 'request_user_input') remember(questions, id, input);
  };
  const end = (id: string, output: string): void => {
    const ending = readOutput(output);
    const plan = plans.get(id);
    // The tool may be switched off.
    if (plan !== undefined && /^Plan updated/.test(output)) record.plan(plan);
    for (const words of answersIn(questions.get(id), output)) record.ask(words);
    plans.delete(id);
    questions.delete(id);
    record.closed(id, ending);
  };
  return {
    call(payload) {
      const id = textAt(payload, 'call_id');
      const type = textAt(payload, 'type') ?? '';
      if (!id) return;
      if (type === 'function_call' || type === 'custom_tool_call') begin(id, payload);
      else if (type.endsWith('_output')) end(id, outputText(at(payload, 'output')));
    },
    done: (payload) => readItem(payload, record),
  };
};

/** Results may be missing: a log of days must not pile them up. */
const remember = <T>(map: Map<string, T>, id: string, value: T): void => {
  map.set(id, value);
  if (map.size > 50) map.delete(map.keys().next().value ?? '');
};

/** A text, or parts of which some are texts. */
const outputText = (output: unknown): string => {
  if (typeof output === 'string') return output;
  return (Array.isArray(output) ? output : []).map((part: unknown) => textAt(part, 'text') ?? '').join('\n');
};

const readItem = (payload: unknown, record: LegRecord): void => {
  const item = at(payload, 'item');
  const id = textAt(item, 'id') ?? '';
  if (/^(?:CommandExecution|FileChange|McpToolCall)$/.test(textAt(item, 'type') ?? '')) record.acted();
  switch (textAt(item, 'type')) {
    case 'UserMessage':
      record.ask(textsOf(item));
      return;
    case 'AgentMessage':
      record.say(textsOf(item));
      return;
    case 'CommandExecution':
      readCommand(id, payload, record);
      return;
    case 'FileChange': {
      const paths = Object.keys(at(item, 'changes') ?? {});
      const failed = textAt(item, 'status') !== 'completed';
      record.opened({id, name: 'apply_patch', input: paths.join(' '), does: 'edit', edits: paths});
      record.closed(id, {failed, output: textAt(item, 'stderr'), ms: lasted(payload)});
      return;
    }
    case 'McpToolCall': {
      const name = `mcp__${textAt(item, 'server') ?? ''}__${textAt(item, 'tool') ?? ''}`;
      record.opened({id, name, input: JSON.stringify(at(item, 'arguments') ?? ''), does: 'other'});
      record.closed(id, {failed: textAt(item, 'status') === 'failed', ms: lasted(payload)});
      return;
    }
    default:
      return;
  }
};

const readCommand = (id: string, payload: unknown, record: LegRecord): void => {
  const item = at(payload, 'item');
  const cwd = textAt(item, 'cwd');
  const reads = listAt(item, 'parsed_cmd').flatMap((one) =>
    textAt(one, 'type') === 'read' ? (textAt(one, 'path') ?? []) : [],
  );
  const exitCode = numberAt(item, 'exit_code');
  record.opened({
    id,
    name: 'exec_command',
    input: commandOf(listAt(item, 'command')),
    does: 'command',
    ...(cwd === undefined ? {} : {cwd: pathOfUrl(cwd)}),
  });
  record.closed(id, {failed: exitCode !== 0, exitCode, output: textAt(item, 'aggregated_output'), ms: lasted(payload)});
  if (exitCode === 0) for (const path of reads) record.read(path);
};

const lasted = (payload: unknown): number | undefined => {
  const [from, to] = [numberAt(payload, 'started_at_ms'), numberAt(payload, 'completed_at_ms')];
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
};

const textsOf = (item: unknown): string =>
  listAt(item, 'content')
    .map((part) => textAt(part, 'text') ?? '')
    .join('\n')
    .trim();

/** `["/bin/bash","-lc","npm test"]` is `npm test`. */
const commandOf = (words: unknown[]): string => {
  const texts = words.filter((word) => typeof word === 'string');
  return /^-l?c$/.test(texts[1] ?? '') ? texts.slice(2).join(' ') : texts.join(' ');
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const lookers = new Set([
  'view_image',
  'web_search',
  'tool_search',
  'list_mcp_resources',
  'read_mcp_resource',
  'get_goal',
]);

const openingOf = (name: string, input: unknown): Omit<Opening, 'id' | 'name'> => {
  const cwd = textAt(input, 'workdir');
  if (name === 'apply_patch') {
    const paths = patched(typeof input === 'string' ? input : (textAt(input, 'input') ?? ''));
    return {input: paths.join(' ') || String(input), does: 'edit', edits: paths};
  }
  const command = at(input, 'cmd') ?? at(input, 'command');
  const line = typeof command === 'string' ? command : Array.isArray(command) ? commandOf(command) : undefined;
  if (line !== undefined) return {input: line, does: 'command', ...(cwd === undefined ? {} : {cwd})};
  const rest = typeof input === 'string' ? input : isJson(input) ? JSON.stringify(input) : String(input);
  return {input: rest, does: lookers.has(name) ? 'look' : 'other'};
};

const patched = (patch: string): string[] =>
  [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map((match) => match[1] ?? '');

const step = (item: unknown): Task[] => {
  const title = textAt(item, 'step');
  const status = textAt(item, 'status');
  const state = status === 'completed' || status === 'in_progress' ? status : 'pending';
  return title ? [{title, state}] : [];
};
