// Claude Code's tool calls: what each does in one line, the files it edits, the tasks it keeps.

import type {Task} from '../../src/baton/facts.ts';
import {at, isJson, listAt, textAt} from '../shared/json.ts';
import type {Opening} from '../shared/ledger.ts';
import type {LegRecord} from '../shared/record.ts';
import {readNotices, readResult} from './results.ts';

export interface Tools {
  /** A tool_use block. */
  use(block: unknown): void;
  /** A tool_result block; `told` is what stands beside it in the transcript or came with the hook. */
  result(block: unknown, told?: unknown): void;
  /** A background command has ended, by the CLI's own notice. */
  notice(text: string): void;
}

export const newTools = (record: LegRecord): Tools => {
  const board = newBoard(record);
  const [used, ended, heard] = [onceEach(), onceEach(), onceEach()];
  return {
    use(block) {
      const id = textAt(block, 'id');
      const name = textAt(block, 'name');
      if (textAt(block, 'type') !== 'tool_use' || !id || !name) return;
      record.acted();
      if (!used(id)) return;
      const input = at(block, 'input');
      record.opened({id, name, input: summary(input), ...effectOf(name, input)});
      board.use(id, name, input);
    },
    result(block, told) {
      const id = textAt(block, 'tool_use_id');
      if (textAt(block, 'type') !== 'tool_result' || !id) return;
      const {ending, words} = readResult(block, told);
      // The hook may have told the end without the person's words.
      if (words.length > 0 && heard(id)) for (const text of words) record.ask(text);
      if (!ended(id)) return;
      record.closed(id, ending);
      board.result(id, at(block, 'content'), ending.failed);
    },
    notice(text) {
      for (const {id, ending} of readNotices(text)) record.closed(id, ending);
    },
  };
};

/** Each call is told twice, by its hook at once and by the transcript when that is flushed: the first time counts. */
const onceEach = (): ((id: string) => boolean) => {
  const seen = new Set<string>();
  return (id) => {
    if (seen.has(id)) return false;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > 10_000 && oldest !== undefined) seen.delete(oldest);
    return true;
  };
};

const editors = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const lookers = new Set([
  'Glob',
  'Grep',
  'LS',
  'WebFetch',
  'WebSearch',
  'ToolSearch',
  'TaskList',
  'TaskGet',
  'TaskOutput',
]);

const effectOf = (name: string, input: unknown): Pick<Opening, 'does' | 'edits' | 'reads'> => {
  const file = textAt(input, 'file_path') ?? textAt(input, 'notebook_path');
  const files = file === undefined ? [] : [file];
  if (editors.has(name)) return {does: 'edit', edits: files};
  if (name === 'Read' || name === 'NotebookRead') return {does: 'look', reads: files};
  if (name === 'Bash' || name === 'PowerShell') return {does: 'command'};
  return {does: lookers.has(name) ? 'look' : 'other'};
};

/** The field that tells most, in this order; else the whole input. */
const telling = [
  'command',
  'file_path',
  'notebook_path',
  'description',
  'subject',
  'url',
  'query',
  'pattern',
  'prompt',
];

const summary = (input: unknown): string => {
  const key = telling.find((name) => textAt(input, name));
  return (key && textAt(input, key)) || (isJson(input) ? JSON.stringify(input) : '');
};

/**
 * TodoWrite replaces the whole list; TaskCreate and TaskUpdate change one task, whose number comes with the result.
 * Nothing counts before its result: the tool may be switched off.
 */
const newBoard = (record: LegRecord) => {
  const asked = new Map<string, {name: string; input: unknown}>();
  const byNumber = new Map<string, Task>();
  const show = (): void => record.plan([...byNumber.values()]);
  const create = (input: unknown, content: unknown): void => {
    const text = typeof content === 'string' ? content : JSON.stringify(content ?? '');
    // The transcript says `Task #1 created`, the hook `{"task":{"id":"1"}}`.
    const number = textAt(content, 'task', 'id') ?? /Task #(\w+)/.exec(text)?.[1] ?? String(byNumber.size + 1);
    byNumber.set(number, {title: textAt(input, 'subject') ?? '', state: 'pending'});
    if (byNumber.size > MAX_TASKS) byNumber.delete(byNumber.keys().next().value ?? '');
    show();
  };
  const update = (input: unknown): void => {
    const number = textAt(input, 'taskId') ?? '';
    const task = byNumber.get(number);
    const status = textAt(input, 'status');
    if (!task) return;
    if (status === 'deleted') byNumber.delete(number);
    else
      byNumber.set(number, {
        title: textAt(input, 'subject') ?? task.title,
        state: status ? stateOf(status) : task.state,
      });
    show();
  };
  return {
    use(id: string, name: string, input: unknown): void {
      if (boardTools.has(name)) asked.set(id, {name, input});
      // Results may be missing: a log of days must not pile them up.
      if (asked.size > MAX_TASKS) asked.delete(asked.keys().next().value ?? '');
    },
    result(id: string, content: unknown, failed: boolean): void {
      const call = asked.get(id);
      asked.delete(id);
      if (!call || failed) return;
      if (call.name === 'TodoWrite') record.plan(listAt(call.input, 'todos').flatMap(todo));
      if (call.name === 'TaskCreate') create(call.input, content);
      if (call.name === 'TaskUpdate') update(call.input);
    },
  };
};

const MAX_TASKS = 200;
const boardTools = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);

const todo = (item: unknown): Task[] => {
  const title = textAt(item, 'content') ?? textAt(item, 'activeForm');
  return title ? [{title, state: stateOf(textAt(item, 'status') ?? '')}] : [];
};

const stateOf = (status: string): Task['state'] =>
  status === 'completed' || status === 'in_progress' ? status : 'pending';
