// Names for things that must not be mixed up. Each has one constructor, which checks.

type Brand<T, Name extends string> = T & {readonly __brand: Name};

/** Milliseconds since 1970 UTC. Time enters the core only inside an event. */
export type Millis = Brand<number, 'Millis'>;
/** `r-20261118-091500-4f2a`: one ckpt-run invocation. Sorts by time, safe as a folder name. */
export type RunId = Brand<string, 'RunId'>;
/** 1, 2, …: one agent process within a run. */
export type LegNumber = Brand<number, 'LegNumber'>;
/** 0, 1, …: how many captures the run has asked for; the number of each one. Two may be in the making at once. */
export type CaptureNumber = Brand<number, 'CaptureNumber'>;
/** `20261118T091500123Z_label`: the part of a checkpoint's file name after `context_checkpoint_`. */
export type CheckpointId = Brand<string, 'CheckpointId'>;
/** A lane of work. Any text a person may choose; made safe only where it becomes a path. */
export type Track = Brand<string, 'Track'>;

export const millis = (value: number): Millis => {
  if (!Number.isFinite(value)) throw new Error(`Internal error: ${value} is not a time`);
  return Math.round(value) as Millis;
};

export const later = (from: Millis, by: number): Millis => millis(from + by);

export const legNumber = (value: number): LegNumber => {
  if (!Number.isInteger(value) || value < 1) throw new Error(`Internal error: ${value} is not a leg number`);
  return value as LegNumber;
};

export const captureNumber = (value: number): CaptureNumber => {
  if (!Number.isInteger(value) || value < 0) throw new Error(`Internal error: ${value} is not a capture number`);
  return value as CaptureNumber;
};

export const isRunId = (text: string): text is RunId => /^r-\d{8}-\d{6}-[0-9a-f]{4}$/.test(text);

export const runId = (at: Millis, random: string): RunId => {
  const stamp = new Date(at).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const id = `r-${stamp}-${random.slice(0, 4)}`;
  if (!isRunId(id)) throw new Error(`Internal error: ${id} is not a run id`);
  return id;
};

export const isCheckpointId = (text: string): text is CheckpointId => /^\d{8}T\d{9}Z_[^/\0]+$/.test(text);

/** Undefined when the text cannot name a track: empty, or with control characters that would tear a line. */
export const parseTrack = (text: string): Track | undefined =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  text.trim() === '' || text.length > 300 || /[\u0000-\u001f\u007f]/.test(text) ? undefined : (text as Track);
