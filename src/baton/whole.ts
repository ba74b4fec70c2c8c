// A checkpoint of ours, known again without the schema library: every resume and every snapshot reads one, and to load
// that library takes longer than all the rest. Strict: whatever is not exactly as we write it is left to schema.ts.

import {isCheckpointId, parseTrack} from '../core/ids.ts';
import {type Checkpoint, SCHEMA_VERSION, triggers, validations} from './checkpoint.ts';

export const serialiseCheckpoint = (checkpoint: Checkpoint): string => `${JSON.stringify(checkpoint, null, 2)}\n`;

/** Undefined: not as we write it today; schema.ts says whether it can be read at all. */
export const wholeCheckpoint = (text: string): Checkpoint | undefined => {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(raw) || !isWhole(raw)) return undefined;
  const absent = leftOut.flatMap((field) => (raw[field] === undefined ? [[field, undefined]] : []));
  // The one cast: every field has been looked at.
  return {...raw, ...Object.fromEntries(absent)} as unknown as Checkpoint;
};

/** JSON leaves out what is undefined. */
const leftOut = ['goal', 'current_task', 'in_flight', 'last_words', 'branch', 'head', 'run', 'leg', 'conversation'];

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const count: Check = (value) => Number.isSafeInteger(value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const fields =
  (checks: Record<string, Check>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
/** A key called `__proto__` is for slower hands. */
const textsBy =
  (check: Check): Check =>
  (value) =>
    isObject(value) && !Object.hasOwn(value, '__proto__') && Object.values(value).every(check);

const who = oneOf(['observed', 'claimed', 'quoted']);
const withWhy = fields({what: text, why: maybe(text), from: maybe(who)});

/** SHA-1 or SHA-256: these go to git's command line. */
const objectName: Check = (value) => typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);

const isWhole = fields({
  schema_version: (value) => value === SCHEMA_VERSION,
  id: (value) => typeof value === 'string' && isCheckpointId(value),
  number: maybe(count),
  born: (value) => typeof value === 'string' && isTime(value),
  track: (value) => typeof value === 'string' && parseTrack(value) !== undefined,
  label: text,
  trigger: oneOf(triggers),
  step: text,
  note: text,
  next_cmd: text,
  validation: oneOf(validations),
  goal: maybe(text),
  current_task: maybe(text),
  active_files: listOf(withWhy),
  decisions_made: listOf(withWhy),
  tried_failed: listOf(withWhy),
  next_steps: listOf(text),
  tasks: listOf(fields({title: text, state: oneOf(['pending', 'in_progress', 'completed', 'failed', 'skipped'])})),
  artifacts: listOf(text),
  processes: maybe(listOf(fields({command: text, pid: maybe(count), ports: maybe(listOf(count))}))),
  in_flight: maybe(fields({call: text, outcome: oneOf(['finished', 'failed', 'unknown', 'none']), outside: flag})),
  recent_calls: listOf(text),
  last_words: maybe(text),
  extra: textsBy(text),
  branch: maybe(text),
  head: maybe(text),
  dirty_files: listOf(text),
  workspace: maybe(
    fields({
      tree: objectName,
      commit: objectName,
      ref: (value) => typeof value === 'string' && value.startsWith('refs/ckpt/'),
      left_out: listOf(fields({path: text, why: text})),
      complete: flag,
    }),
  ),
  worktree: maybe(text),
  run: maybe(text),
  leg: maybe((value) => count(value) && Number(value) >= 1),
  conversation: maybe(
    fields({
      agent: text,
      version: maybe(text),
      session_id: maybe(text),
      log_path: maybe(text),
      log_offset: maybe(count),
      sha256: maybe(text),
    }),
  ),
  provenance: textsBy(who),
  set_current: flag,
  consumed_by: maybe(fields({run: text, leg: count, at: text})),
  closed: maybe(fields({at: text, note: text})),
});

const isTime = (born: string): boolean => {
  const at = Date.parse(born);
  return !Number.isNaN(at) && new Date(at).toISOString() === born;
};
