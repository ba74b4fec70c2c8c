// What the commands that watch ask of the world. Interfaces only; io/ implements them, tests stand in for them.

import type {Result} from '../core/failure.ts';
import type {RunId} from '../core/ids.ts';
import type {DoctorFacts} from '../doctor/facts.ts';
import type {LogTail} from '../ports.ts';
import type {Handoff} from '../report/handoff.ts';
import type {DeathRecord} from './death-record.ts';
import type {RunPointer} from './run-pointer.ts';
import type {RunRecord} from './run-record.ts';

export interface RunShelf {
  readonly dir: string;
  /** Newest first: their names sort by time. */
  ids(): RunId[];
  /** Undefined when there is none, or when it is still being made. */
  record(run: RunId): RunRecord | {broken: string} | undefined;
  /** Oldest first; legs whose certificate is torn or foreign are left out. */
  deaths(run: RunId): DeathRecord[];
  death(run: RunId, leg: number): DeathRecord | {broken: string} | undefined;
  /** How the legs took their batons up, oldest first. */
  handoffs(run: RunId): Handoff[];
  legs(run: RunId): number[];
  /** What is there of the files that a leg leaves, absolute, in this order. */
  files(run: RunId, leg: number, names: readonly string[]): string[];
  folder(run: RunId): string;
  /** A person stopped it by name: a service must not start it again by itself. */
  markStopped(run: RunId, at: number): void;
  wasStopped(run: RunId): boolean;
}

export interface RunRegistry {
  readonly dir: string;
  /** Newest first. */
  list(): RunPointer[];
  /** Drops the pointers that nobody needs any more; how many they were. */
  prune(now: number): number;
}

/** `end`: Ctrl-C, Ctrl-D, q, or a signal. */
export type Key = 'end' | 'space' | 'other';

export interface Keys {
  /** The next key; undefined when so many milliseconds passed without one. Without a time it waits for one. */
  next(ms: number | undefined): Promise<Key | undefined>;
  /** Gives the keyboard back as it was. */
  close(): void;
}

/** How a viewer left a run: by its chord, with the run's end (or its ckpt-run's), or it never came in. */
export type ViewerLeft = {is: 'detached'} | {is: 'closed'} | {is: 'refused'; code: string};

export interface WatchPort {
  now(): number;
  /** Stdout. */
  screen: {terminal: boolean; columns(): number; rows(): number};
  /** Is stdin a terminal? */
  keyboard: boolean;
  /** Joins this terminal with a run's live socket, and gives it back as it was. */
  view(socket: string): Promise<ViewerLeft>;
  /** False when the person meanwhile asked to end: Ctrl-C, SIGTERM. */
  pause(ms: number): Promise<boolean>;
  shelf(dir: string): RunShelf;
  registry: RunRegistry;
  isAlive(record: RunRecord): Promise<boolean>;
  /** Only to the very process that wrote the record; false when that is gone. */
  askToEnd(record: RunRecord): Promise<boolean>;
  tail: LogTail;
  /** Of a recording, in order; those that are there. */
  castParts(path: string): Promise<string[]>;
  castLines(path: string): AsyncIterable<string>;
  openKeys(): Keys;
  /** Names of the adapters, ours and the person's. */
  agents(): string[];
  service: ServicePort;
  /** Tries everything out that a run needs. `agent`: only this one. */
  examine(asked: Examined): Promise<Result<DoctorFacts>>;
}

export interface ServicePort {
  kind: 'systemd' | 'launchd';
  /** Where the unit or plist of that name lies. */
  file(name: string): string;
  /** The programs that a unit names, absolute. */
  node: string;
  ckpt: string;
  path: string;
  envFile: string;
  log(name: string): string;
  exists(name: string): boolean;
  write(name: string, text: string): void;
  remove(name: string): void;
  /** True when the program was there and left with 0. */
  call(words: string[]): Promise<boolean>;
  /** Tells systemd, if it started us, that we are up. */
  ready(): void;
  /** Runs ckpt-run in front, hands signals on to it, and gives its code back. */
  run(words: string[]): Promise<number>;
}

export interface Examined {
  repoRoot?: string;
  checkpointDir?: string;
  agent: string | undefined;
}
