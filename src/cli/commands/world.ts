// What the commands of `ckpt` ask of the world. src/ckpt.ts hands the real one in, tests a made-up one.

import type {Checkpoint, CheckpointDraft, WorkspaceSnapshot} from '../../baton/checkpoint.ts';
import type {GitSince, GitState} from '../../baton/compose-input.ts';
import type {Latest} from '../../baton/latest.ts';
import type {PrunePlan, PruneRule} from '../../baton/retention.ts';
import type {Config} from '../../config/config.ts';
import type {Failure, Result} from '../../core/failure.ts';
import {fail, ok} from '../../core/failure.ts';
import {isRunId, type LegNumber, legNumber, parseTrack, type RunId, type Track} from '../../core/ids.ts';
import type {TreesPort} from '../../history/ports.ts';
import type {Foundling, OldFile} from '../../import/foundling.ts';
import type {InstallWorld} from '../../install/ports.ts';
import type {WatchPort} from '../../watch/ports.ts';

export interface History {
  /** The next checkpoint of a track, made from the one before with nobody in between. */
  append(
    track: Track,
    make: (previous: Checkpoint | undefined) => Result<CheckpointDraft>,
  ): Promise<Result<Checkpoint>>;
  latest(track: Track): Promise<Checkpoint | undefined>;
  index(): Promise<Result<Latest>>;
  /** Oldest first. */
  history(): Promise<Result<Checkpoint[]>>;
  prune(rule: PruneRule, dry: boolean): Promise<Result<PrunePlan>>;
  retain(max: number): Promise<Result<PrunePlan | undefined>>;
  adopt(foundlings: Foundling[]): Promise<Result<{added: Checkpoint[]; known: number}>>;
}

/** One repository's checkpoints. */
export interface Ground {
  root: string;
  dir: string;
  /** Who said that it is this folder. */
  dirFrom: string;
  store(): Promise<History>;
  /** Loads what a save needs; called while git is at work. */
  warmUp(): void;
  git(): Promise<GitState>;
  /** What became of a checkpoint's branch and head since it was written. */
  since?(checkpoint: Checkpoint): Promise<GitSince | undefined>;
  /** Saves the working tree; absent where nothing of it is to be saved. */
  files?(what: {
    track: Track;
    message: string;
    /** HEAD, as git is just being asked for it. */
    head: Promise<string | undefined>;
  }): Promise<Result<WorkspaceSnapshot>>;
  /** Keeps the folder out of the person's commits, if it is about to be made. */
  prepare(): void;
  /** A small file of that name in the checkpoint folder. */
  file(name: string): {read(): string | undefined; write(text: string): Result<void>};
  config(): Promise<Result<Config>>;
  /** Where config files are looked for. */
  configFiles: {repository: string; person: string | undefined};
  /** The newest lines of journal.jsonl, or all. */
  journal(last: number | undefined): Promise<Result<{entries: Record<string, unknown>[]; broken: number}>>;
}

export interface GroundOptions {
  repoRoot?: string;
  checkpointDir?: string;
}

export interface World {
  env: Record<string, string | undefined>;
  /** How this program is called, for the protocol. */
  ckptBin: string;
  version: string;
  /** Milliseconds since 1970. */
  now(): number;
  out(text: string): void;
  err(text: string): void;
  input(): Promise<string>;
  open(options: GroundOptions): Promise<Result<Ground>>;
  /** Drops one request into the spool of a run. */
  request(
    spool: string,
    name: 'done' | 'handoff' | 'stop' | 'restore' | 'approve' | 'deny' | 'keep-files',
    payload: object,
  ): Result<string>;
  /** Runs, journals, processes: loaded for the commands that watch. */
  watch(): Promise<WatchPort>;
  /** The files behind the checkpoints: loaded for the commands that go back and fork. */
  trees(ground: Pick<Ground, 'root' | 'dir'>): Promise<TreesPort>;
  /** Agents' own folders: loaded for install, uninstall and hook. */
  install(): Promise<InstallWorld>;
  /** The pages and JSON files of another tool's folder. */
  oldFiles(folder: string): Promise<Result<OldFile[]>>;
}

/** Options that every command knows. */
export interface Common extends GroundOptions {
  json?: boolean;
}

/** A command's end: nothing more to say, or why not. A number is the exit code of one that has said all itself. */
export type Outcome = Promise<Result<number | undefined>>;

export const done = ok(undefined);

/** `--track`, else the run's own, else the current one of the folder. */
export const chooseTrack = async (world: World, ground: Ground, asked: string | undefined): Promise<Result<Track>> => {
  const named = asked ?? world.env.CKPT_TRACK;
  if (named !== undefined && named !== '') return namedTrack(named);
  const index = await (await ground.store()).index();
  if (!index.ok) return index;
  const current = index.value.current_track;
  return current === undefined ? fail(noCheckpoint(ground)) : ok(current);
};

export const namedTrack = (text: string): Result<Track> => {
  const track = parseTrack(text);
  if (track !== undefined) return ok(track);
  return fail({
    is: 'bad-usage',
    what: `--track ${JSON.stringify(text.slice(0, 40))} cannot name a track`,
    fix: 'use 1 to 300 characters on one line',
  });
};

/** The run that the caller is part of, if it is. */
export const runOf = ({env}: World): {run: RunId | undefined; leg: LegNumber | undefined} => {
  const {CKPT_RUN: run = '', CKPT_LEG: leg = ''} = env;
  if (!isRunId(run)) return {run: undefined, leg: undefined};
  return {run, leg: /^[1-9]\d*$/.test(leg) ? legNumber(Number(leg)) : undefined};
};

export const noCheckpoint = (ground: Ground): Failure => ({
  is: 'not-found',
  what: `no checkpoint in ${ground.dir}`,
  fix: 'write one with: ckpt snapshot --track main --step "…" --next-cmd "…"',
});

/** The newest checkpoint of the chosen track. */
export const newestOf = async (
  world: World,
  ground: Ground,
  asked: string | undefined,
): Promise<Result<Checkpoint>> => {
  const track = await chooseTrack(world, ground, asked);
  if (!track.ok) return track;
  const store = await ground.store();
  const checkpoint = await store.latest(track.value);
  if (checkpoint !== undefined) return ok(checkpoint);
  // A folder that may not be read is another matter than one without it.
  const index = await store.index();
  if (!index.ok) return index;
  return fail({
    is: 'not-found',
    what: `track "${track.value}" has no checkpoint in ${ground.dir}`,
    fix: 'ckpt tracks lists the tracks',
  });
};
