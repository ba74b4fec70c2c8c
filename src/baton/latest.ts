// LATEST.json: the hot pointer. Derived from the checkpoints' own files, so that it can always be made anew.

import {type CheckpointId, isCheckpointId, parseTrack, type Track} from '../core/ids.ts';
import {type Checkpoint, SCHEMA_VERSION, type Validation, validations} from './checkpoint.ts';
import {jsonFileOf} from './naming.ts';
import {isAutomatic} from './retention.ts';

export interface LatestEntry {
  id: CheckpointId;
  number: number;
  file: string;
  step: string;
  note: string;
  next_cmd: string;
  validation: Validation;
  branch: string | undefined;
  head: string | undefined;
  born: string;
  consumed_by?: NonNullable<Checkpoint['consumed_by']>;
  closed?: NonNullable<Checkpoint['closed']>;
}

export interface Latest {
  current_track: Track | undefined;
  /** The number of the newest checkpoint of the folder; the next gets the one after. */
  last_number: number;
  /** The newest id of the folder: the next one sorts after it, also when the clock goes backwards. */
  last_id: CheckpointId | undefined;
  /** How many checkpoints nobody asked for by name, so that their limit costs no look at them. Undefined: not counted. */
  automatic: number | undefined;
  /** A Map, since a track may be called `__proto__`. */
  tracks: ReadonlyMap<Track, LatestEntry>;
}

export const noLatest: Latest = {
  current_track: undefined,
  last_number: 0,
  last_id: undefined,
  automatic: 0,
  tracks: new Map(),
};

export const withCheckpoint = (latest: Latest, checkpoint: Checkpoint): Latest => {
  const number = checkpoint.number ?? latest.last_number + 1;
  const before = latest.tracks.get(checkpoint.track);
  // One that was brought in from elsewhere may be older than what is here.
  const isNewest = before === undefined || before.id <= checkpoint.id;
  return {
    current_track:
      (checkpoint.set_current && isNewest) || latest.current_track === undefined
        ? checkpoint.track
        : latest.current_track,
    last_number: Math.max(latest.last_number, number),
    last_id: latest.last_id !== undefined && latest.last_id > checkpoint.id ? latest.last_id : checkpoint.id,
    automatic: latest.automatic === undefined ? undefined : latest.automatic + (isAutomatic(checkpoint) ? 1 : 0),
    tracks: isNewest ? new Map(latest.tracks).set(checkpoint.track, entryOf(checkpoint, number)) : latest.tracks,
  };
};

/** A checkpoint that is there already has been marked: consumed, closed. */
export const withMark = (latest: Latest, checkpoint: Checkpoint): Latest => {
  const entry = latest.tracks.get(checkpoint.track);
  if (entry?.id !== checkpoint.id) return latest;
  return {...latest, tracks: new Map(latest.tracks).set(checkpoint.track, entryOf(checkpoint, entry.number))};
};

/** From the whole history, oldest first. */
export const rebuildLatest = (history: Checkpoint[]): Latest => history.reduce(withCheckpoint, noLatest);

const entryOf = (checkpoint: Checkpoint, number: number): LatestEntry => ({
  id: checkpoint.id,
  number,
  file: jsonFileOf(checkpoint.id),
  step: checkpoint.step,
  note: checkpoint.note,
  next_cmd: checkpoint.next_cmd,
  validation: checkpoint.validation,
  branch: checkpoint.branch,
  head: checkpoint.head,
  born: checkpoint.born,
  ...(checkpoint.consumed_by === undefined ? {} : {consumed_by: checkpoint.consumed_by}),
  ...(checkpoint.closed === undefined ? {} : {closed: checkpoint.closed}),
});

export const serialiseLatest = (latest: Latest): string => {
  const {tracks, ...rest} = latest;
  const document = {schema_version: SCHEMA_VERSION, ...rest, tracks: Object.fromEntries(tracks)};
  return `${JSON.stringify(document, null, 2)}\n`;
};

/** By hand and not by zod: every resume and every hook reads this file first, and it is ours alone. */
export const readLatest = (text: string): Latest | {broken: string} => {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    return {broken: `not JSON: ${error instanceof Error ? error.message : String(error)}`};
  }
  if (!isObject(raw)) return {broken: 'not a JSON object'};
  if (typeof raw.schema_version !== 'number') return {broken: 'no schema_version'};
  if (!isObject(raw.tracks)) return {broken: 'no tracks'};
  const tracks = new Map<Track, LatestEntry>();
  for (const [name, value] of Object.entries(raw.tracks)) {
    const track = parseTrack(name);
    const entry = readEntry(value);
    if (track === undefined || entry === undefined) return {broken: `the entry of track ${JSON.stringify(name)}`};
    tracks.set(track, entry);
  }
  const current = typeof raw.current_track === 'string' ? parseTrack(raw.current_track) : undefined;
  const lastId = raw.last_id;
  const lastNumber = raw.last_number;
  return {
    current_track: current,
    last_number:
      typeof lastNumber === 'number' ? lastNumber : Math.max(0, ...[...tracks.values()].map((e) => e.number)),
    last_id:
      typeof lastId === 'string' && isCheckpointId(lastId)
        ? lastId
        : [...tracks.values()]
            .map((e) => e.id)
            .sort()
            .at(-1),
    automatic: typeof raw.automatic === 'number' ? raw.automatic : undefined,
    tracks,
  };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const maybeText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const readEntry = (value: unknown): LatestEntry | undefined => {
  if (!isObject(value)) return undefined;
  const {id, number, consumed_by, closed} = value;
  if (typeof id !== 'string' || !isCheckpointId(id) || id.includes('\\')) return undefined;
  const validation = validations.find((known) => known === value.validation) ?? 'unknown';
  return {
    id,
    number: typeof number === 'number' ? number : 0,
    file: jsonFileOf(id),
    step: text(value.step),
    note: text(value.note),
    next_cmd: text(value.next_cmd),
    validation,
    branch: maybeText(value.branch),
    head: maybeText(value.head),
    born: text(value.born),
    ...(isObject(consumed_by) ? {consumed_by: consumed_by as NonNullable<Checkpoint['consumed_by']>} : {}),
    ...(isObject(closed) ? {closed: {at: text(closed.at), note: text(closed.note)}} : {}),
  };
};
