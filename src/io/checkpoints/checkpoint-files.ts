// The checkpoint folder (DESIGN §5). The JSON of a checkpoint is the truth; its .md and LATEST are derived from it.
// Everything that changes the folder happens under one kernel lock, each file whole or absent:
// JSON first, then md, then LATEST. Killed in between, the next writer or reader finds the old LATEST, whole.

import {type Checkpoint, type CheckpointDraft, SCHEMA_VERSION} from '../../baton/checkpoint.ts';
import {type Latest, noLatest, rebuildLatest, withCheckpoint, withMark} from '../../baton/latest.ts';
import {timeOf} from '../../baton/naming.ts';
import {redactAll, redactor, secretValues} from '../../baton/redact.ts';
import type {PrunePlan, PruneRule} from '../../baton/retention.ts';
import {withWorkspace} from '../../baton/workspace.ts';
import {type Failure, fail, ok, type Result} from '../../core/failure.ts';
import type {CheckpointId, Track} from '../../core/ids.ts';
import type {Foundling} from '../../import/foundling.ts';
import type {CheckpointStore} from '../../ports.ts';
import type {Adopted} from './checkpoint-adopt.ts';
import {guarded} from './checkpoint-folder.ts';
import {prune, retain} from './checkpoint-prune.ts';
import {Shelf, type StoreOptions} from './checkpoint-shelf.ts';

export type {StoreOptions} from './checkpoint-shelf.ts';

export interface CheckpointFiles extends CheckpointStore {
  /** As `write`, but gives the whole checkpoint back. */
  save(draft: CheckpointDraft): Promise<Result<Checkpoint>>;
  /** The next checkpoint of a track, made from the one before with nobody in between: no change is lost. */
  append(
    track: Track,
    make: (previous: Checkpoint | undefined) => Result<CheckpointDraft>,
  ): Promise<Result<Checkpoint>>;
  /** LATEST.json, rebuilt from history when broken or gone. */
  index(): Promise<Result<Latest>>;
  /** Every checkpoint of the folder, oldest first. Reads them all: for people, not for the hot path. */
  history(): Promise<Result<Checkpoint[]>>;
  /** Removes what the rule lets go; with `dry` only says what it would be. */
  prune(rule: PruneRule, dry?: boolean): Promise<Result<PrunePlan>>;
  /** At most `max` automatic checkpoints. Costs nothing while there are fewer. */
  retain(max: number): Promise<Result<PrunePlan | undefined>>;
  /** Takes checkpoints of another tool in, each once however often it is asked. */
  adopt(foundlings: Foundling[]): Promise<Result<Adopted>>;
}

export const openCheckpoints = (options: StoreOptions): CheckpointFiles => {
  const shelf = new Shelf(options);
  const save = (draft: CheckpointDraft) => append(shelf, draft.track, () => ok(draft));
  return {
    dir: options.dir,
    save,
    append: (track, make) => append(shelf, track, make),
    write: async (draft) => {
      const saved = await save(draft);
      return saved.ok ? ok(saved.value.id) : saved;
    },
    read: (id) => shelf.read(id),
    latest: (track) => latestOf(shelf, track),
    index: () => indexOf(shelf),
    history: () => guarded(shelf.dir, 'read the checkpoints', async () => ok(await shelf.history())),
    consume: (id, by) => mark(shelf, {id, act: 'consume', change: (old, at) => ({...old, consumed_by: {...by, at}})}),
    close: async (track, note) => {
      const newest = await latestOf(shelf, track);
      if (newest === undefined) return fail(noTrack(track));
      return mark(shelf, {id: newest.id, act: 'close', change: (old, at) => ({...old, closed: {at, note}})});
    },
    complete: (id, files) =>
      mark(shelf, {
        id,
        act: 'complete',
        change: (old) => (old.workspace === undefined ? {...old, ...withWorkspace(old, files)} : old),
      }),
    prune: (rule, dry = false) => prune(shelf, rule, dry),
    retain: (max) => retain(shelf, max),
    // Not for the hot path: it loads node:crypto.
    adopt: async (foundlings) => (await import('./checkpoint-adopt.ts')).adopt(shelf, foundlings),
  };
};

const noTrack = (track: Track): Failure => ({
  is: 'not-found',
  what: `track "${track}" has no checkpoint`,
  fix: 'ckpt tracks lists the tracks',
});

const append = (
  shelf: Shelf,
  track: Track,
  make: (previous: Checkpoint | undefined) => Result<CheckpointDraft>,
): Promise<Result<Checkpoint>> =>
  shelf.alone('write a checkpoint', async (hands) => {
    const latest = await shelf.loadIndex(hands);
    const made = make(await newestOf(shelf, latest, track));
    if (!made.ok) return made;
    const safe = withoutSecrets(shelf, made.value);
    const now = shelf.now();
    // Sorts after every id of the folder, whatever the clock does.
    const at = latest.last_id === undefined ? now : Math.max(now, timeOf(latest.last_id) + 1);
    const checkpoint: Checkpoint = {
      ...safe,
      schema_version: SCHEMA_VERSION,
      id: shelf.freeId(at, safe.label),
      number: latest.last_number + 1,
      born: new Date(now).toISOString(),
    };
    hands.put(shelf.truthOf(checkpoint));
    hands.put(shelf.pageOf(checkpoint), ...shelf.latestFiles(withCheckpoint(latest, checkpoint)));
    return ok(checkpoint);
  });

/** The track is a key and the log path must stay usable; neither is text of the agent's. */
const withoutSecrets = (shelf: Shelf, draft: CheckpointDraft): CheckpointDraft => {
  const redact = redactor(shelf.secrets ?? secretValues(process.env));
  return {...redactAll(draft, redact), track: draft.track, conversation: draft.conversation};
};

const latestOf = async (shelf: Shelf, track: Track): Promise<Checkpoint | undefined> => {
  const index = await indexOf(shelf);
  if (!index.ok) shelf.tell(`the newest checkpoint of track "${track}" could not be looked up.`);
  return index.ok ? newestOf(shelf, index.value, track) : undefined;
};

const newestOf = async (shelf: Shelf, latest: Latest, track: Track): Promise<Checkpoint | undefined> => {
  const entry = latest.tracks.get(track);
  if (entry === undefined) return undefined;
  const read = await shelf.read(entry.id);
  if (read.ok) return read.value;
  shelf.tell(`${entry.file}, the newest of track "${track}", is gone or broken; the one before is used.`);
  return (await shelf.history()).findLast((checkpoint) => checkpoint.track === track);
};

const indexOf = (shelf: Shelf): Promise<Result<Latest>> =>
  guarded(shelf.dir, 'read LATEST.json', async () => {
    const found = shelf.readIndex();
    if ('tracks' in found) return ok(found);
    if (found.broken === 'absent' && shelf.ids().length === 0) return ok(noLatest);
    const rebuilt = await shelf.alone('rebuild LATEST.json', async (hands) => {
      const latest = await shelf.loadIndex(hands);
      hands.put(...shelf.latestFiles(latest));
      return ok(latest);
    });
    if (rebuilt.ok) return rebuilt;
    // Where nothing may be written (a read-only sandbox) the checkpoints can still be read.
    shelf.tell('LATEST.json cannot be used nor made anew here; it was worked out from the checkpoints.');
    return ok(rebuildLatest(await shelf.history()));
  });

interface Mark {
  id: CheckpointId;
  act: 'consume' | 'close' | 'complete';
  change: (old: Checkpoint, at: string) => Checkpoint;
}

/** Consumed, closed, completed: written into the checkpoint itself, so that LATEST stays a derived thing. */
const mark = (shelf: Shelf, {id, act, change}: Mark): Promise<Result<void>> =>
  shelf.alone(`${act} a checkpoint`, async (hands) => {
    const read = await shelf.read(id);
    if (!read.ok) return read;
    const latest = await shelf.loadIndex(hands);
    if (act === 'consume') {
      const refused = whyRefused(read.value, latest);
      if (refused !== undefined) return fail(refused);
    }
    const marked = change(read.value, new Date(shelf.now()).toISOString());
    hands.put(shelf.truthOf(marked));
    if (act === 'complete') hands.put(shelf.pageOf(marked));
    hands.put(...shelf.latestFiles(withMark(latest, marked)));
    return ok(undefined);
  });

const whyRefused = (checkpoint: Checkpoint, latest: Latest): Failure | undefined => {
  const {consumed_by: by, id, track} = checkpoint;
  if (by !== undefined) {
    return {
      is: 'baton-refused',
      what: `${id} was already taken up by ${by.run}, leg ${by.leg}, at ${by.at}`,
      fix: `ckpt show ${id}`,
    };
  }
  const closed = latest.tracks.get(track)?.closed ?? checkpoint.closed;
  if (closed === undefined) return undefined;
  return {
    is: 'baton-refused',
    what: `track "${track}" was closed at ${closed.at}`,
    fix: 'start on another track with --track',
  };
};
