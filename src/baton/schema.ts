// What is on disk, checked: reads every version ever written, keeps what it does not know, says what is wrong.

import * as z from 'zod';
import type {CheckpointId, LegNumber, RunId, Track} from '../core/ids.ts';
import {isCheckpointId, parseTrack} from '../core/ids.ts';
import {
  type Checkpoint,
  type ProcessNote,
  type Provenance,
  SCHEMA_VERSION,
  triggers,
  validations,
  type WithWhy,
} from './checkpoint.ts';
import {fieldWords} from './field-words.ts';

export type CheckpointReading =
  /** `complaints`: fields that could not be read and were taken as absent. */
  {ok: true; value: Checkpoint; complaints: string[]} | {ok: false; what: string};

export const readCheckpoint = (text: string): CheckpointReading => {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    return {ok: false, what: `not JSON: ${error instanceof Error ? error.message : String(error)}`};
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {ok: false, what: 'not a JSON object'};
  const {document, complaints} = migrate({...raw});
  return readFields(document, complaints);
};

type Document = Record<string, unknown>;

/** One step per version: `migrations[n]` makes version n + 1 of a version n document. */
const migrations: Record<number, (old: Document) => Document> = {};

const migrate = (document: Document): {document: Document; complaints: string[]} => {
  const version = document.schema_version;
  if (typeof version !== 'number') return {document, complaints: ['schema_version: missing, read as 1']};
  if (version > SCHEMA_VERSION) {
    return {document, complaints: [`schema_version: ${version} is newer than ${SCHEMA_VERSION}, read as far as known`]};
  }
  let migrated = document;
  for (let at = version; at < SCHEMA_VERSION; at += 1) {
    const step = migrations[at];
    if (step !== undefined) migrated = step(migrated);
  }
  return {document: migrated, complaints: []};
};

const maybe = z.string().nullish();
const who = z.enum(['observed', 'claimed', 'quoted']);
const withWhy = z.union([
  z.looseObject({what: z.string(), why: maybe, from: who.optional()}),
  z.string().transform((what) => ({what, why: undefined})),
]);
const extras = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const task = z.looseObject({
  title: z.string(),
  state: z.enum(['pending', 'in_progress', 'completed', 'failed', 'skipped']),
});
/** SHA-1 or SHA-256: these go to git's command line. */
const objectName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const process = z.looseObject({command: z.string(), pid: z.number().optional(), ports: z.array(z.number()).optional()});
const used = z.looseObject({run: z.string(), leg: z.number(), at: z.string()});

const checkpointSchema = z.looseObject({
  schema_version: z.number().default(SCHEMA_VERSION),
  id: z.string().refine(isCheckpointId, 'not a checkpoint id'),
  number: z.number().int().nullish(),
  born: z.iso.datetime(),
  track: z.string().refine((text) => parseTrack(text) !== undefined, 'not a track name'),
  label: z.string().default(''),
  trigger: z.enum(triggers).default('manual'),
  step: z.string(),
  note: z.string().default(''),
  next_cmd: z.string().default(''),
  validation: z.enum(validations).default('unknown'),
  goal: maybe,
  current_task: maybe,
  active_files: z.array(withWhy).default([]),
  decisions_made: z.array(withWhy).default([]),
  tried_failed: z.array(withWhy).default([]),
  next_steps: z.array(z.string()).default([]),
  tasks: z.array(task).default([]),
  artifacts: z.array(z.string()).default([]),
  processes: z.array(process).nullish(),
  in_flight: z
    .looseObject({call: z.string(), outcome: z.enum(['finished', 'failed', 'unknown', 'none']), outside: z.boolean()})
    .nullish(),
  recent_calls: z.array(z.string()).default([]),
  last_words: maybe,
  extra: extras.default({}),
  branch: maybe,
  head: maybe,
  dirty_files: z.array(z.string()).default([]),
  workspace: z
    .looseObject({
      tree: z.string().regex(objectName),
      commit: z.string().regex(objectName),
      ref: z.string().startsWith('refs/ckpt/'),
      left_out: z.array(z.looseObject({path: z.string(), why: z.string()})).default([]),
      complete: z.boolean().default(true),
    })
    .nullish(),
  worktree: z.string().optional(),
  run: maybe,
  leg: z.number().int().min(1).nullish(),
  conversation: z
    .looseObject({
      agent: z.string(),
      version: maybe,
      session_id: maybe,
      log_path: maybe,
      log_offset: z.number().nullish(),
      sha256: z.string().optional(),
    })
    .nullish(),
  provenance: z.record(z.string(), who).default({}),
  set_current: z.boolean().default(true),
  consumed_by: used.nullish(),
  closed: z.looseObject({at: z.string(), note: z.string()}).nullish(),
});

/** Without these there is nothing to carry on from. */
const needed = new Set(['id', 'born', 'track', 'step']);

const readFields = (document: Document, complaints: string[]): CheckpointReading => {
  const first = checkpointSchema.safeParse(document);
  if (first.success) return {ok: true, value: asCheckpoint(first.data), complaints};
  const kept: Document = {...document};
  for (const issue of first.error.issues) {
    const field = String(issue.path[0]);
    const complaint = `${issue.path.join('.')}: ${issue.message}`;
    if (needed.has(field)) return {ok: false, what: complaint};
    complaints.push(complaint);
    delete kept[field];
  }
  const second = checkpointSchema.safeParse(kept);
  if (!second.success) return {ok: false, what: z.prettifyError(second.error)};
  return {ok: true, value: asCheckpoint(second.data), complaints};
};

/** The parsed document with our branded names; null and absent are the same to us. */
const asCheckpoint = (read: z.output<typeof checkpointSchema>): Checkpoint => {
  const {number, processes, worktree, consumed_by, closed, workspace, ...rest} = read;
  return {
    ...rest,
    id: read.id as CheckpointId,
    track: read.track as Track,
    run: (read.run ?? undefined) as RunId | undefined,
    leg: (read.leg ?? undefined) as LegNumber | undefined,
    goal: read.goal ?? undefined,
    current_task: read.current_task ?? undefined,
    last_words: read.last_words ?? undefined,
    branch: read.branch ?? undefined,
    head: read.head ?? undefined,
    active_files: read.active_files.map(asWithWhy),
    decisions_made: read.decisions_made.map(asWithWhy),
    tried_failed: read.tried_failed.map(asWithWhy),
    in_flight: read.in_flight ?? undefined,
    provenance: read.provenance as Record<string, Provenance>,
    conversation: read.conversation
      ? {
          ...read.conversation,
          version: read.conversation.version ?? undefined,
          session_id: read.conversation.session_id ?? undefined,
          log_path: read.conversation.log_path ?? undefined,
          log_offset: read.conversation.log_offset ?? undefined,
        }
      : undefined,
    ...(workspace == null ? {} : {workspace}),
    ...(number == null ? {} : {number}),
    ...(worktree === undefined ? {} : {worktree}),
    ...(processes == null ? {} : {processes: processes as ProcessNote[]}),
    ...(consumed_by == null ? {} : {consumed_by: consumed_by as NonNullable<Checkpoint['consumed_by']>}),
    ...(closed == null ? {} : {closed}),
  };
};

const asWithWhy = ({from, ...entry}: z.output<typeof withWhy> & {from?: Provenance | undefined}): WithWhy => ({
  ...entry,
  why: entry.why ?? undefined,
  ...(from === undefined ? {} : {from}),
});

const why = z.union([z.string(), z.strictObject({what: z.string(), why: z.string().optional()})]);

/** `ckpt snapshot --stdin`: the same names; here a mistake is told, not mended, since its writer is still there. */
const inputSchema = z.looseObject({
  step: z.string().optional(),
  /** The second ancestor's word for step. */
  summary: z.string().optional(),
  note: z.string().optional(),
  next_cmd: z.string().optional(),
  label: z.string().optional(),
  track: z.string().optional(),
  goal: z.string().optional(),
  current_task: z.string().optional(),
  validation: z.enum(validations).optional(),
  trigger: z.enum(triggers).optional(),
  extra: extras.optional(),
  active_files: z.array(why).optional(),
  decisions_made: z.array(why).optional(),
  tried_failed: z.array(why).optional(),
  next_steps: z.array(z.string()).optional(),
  tasks: z.array(z.union([z.string(), task])).optional(),
  artifacts: z.array(z.string()).optional(),
  set_current: z.boolean().optional(),
});

export type SnapshotInput = z.output<typeof inputSchema>;

export const readSnapshotInput = (text: string): {ok: true; value: SnapshotInput} | {ok: false; what: string} => {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    return {ok: false, what: `not JSON: ${error instanceof Error ? error.message : String(error)}`};
  }
  const read = inputSchema.safeParse(raw);
  if (read.success) return {ok: true, value: read.data};
  return {
    ok: false,
    what: read.error.issues.map((issue) => `${issue.path.join('.') || 'document'}: ${issue.message}`).join('; '),
  };
};

/** For people and other tools: JSON Schema of a checkpoint file. */
export const checkpointJsonSchema = (): object => {
  const {properties = {}, ...schema} = z.toJSONSchema(checkpointSchema, {io: 'input', unrepresentable: 'any'});
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    typeof property === 'object' ? {description: fieldWords[name], ...property} : property,
  ]);
  return {...schema, title: 'A checkpoint of ckpt-run', properties: Object.fromEntries(described)};
};
