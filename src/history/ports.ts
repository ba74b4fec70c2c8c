// What the commands of history ask of the world. Interfaces only; src/ckpt-trees.ts has the real ones, tests stand in.

import type {Checkpoint, WorkspaceSnapshot} from '../baton/checkpoint.ts';
import type {Result} from '../core/failure.ts';
import type {RunId, Track} from '../core/ids.ts';
import type {FileChange} from './file-changes.ts';
import type {GitPath} from './git-paths.ts';
import type {RestorePlan} from './restore-plan.ts';

export interface RestoreOrder {
  track: Track;
  to: Pick<WorkspaceSnapshot, 'tree' | 'commit' | 'complete'>;
  /** Only what lies under these; none: everything. */
  paths: GitPath[];
  /** Only say what would be done. */
  dry: boolean;
  message: string;
  /** The present is saved: write that down, so that it can be found again. Nothing has been touched yet. */
  saved(before: WorkspaceSnapshot): Promise<Result<void>>;
}

export interface Restored {
  plan: RestorePlan;
  /** As it was, and as it is now; undefined after a dry run. */
  before: WorkspaceSnapshot | undefined;
  after: WorkspaceSnapshot | undefined;
}

export interface ForkOrder {
  track: Track;
  from: WorkspaceSnapshot;
  /** Absolute; it must not exist yet, or be empty. */
  dir: string;
  branch: string;
  message: string;
}

export interface Forked {
  dir: string;
  /** Undefined outside git. */
  branch: string | undefined;
  head: string | undefined;
  workspace: WorkspaceSnapshot;
  plan: RestorePlan;
}

/** A commit that was made after a checkpoint. */
export interface LaterCommit {
  id: string;
  subject: string;
  /** A remote has it: what others have seen cannot be taken back. */
  pushed: boolean;
}

export interface Swept {
  dropped: number;
  kept: number;
  /** Younger than an hour: a checkpoint that names them may be on its way. */
  young: number;
}

/** The trees of one folder. */
export interface TreesPort {
  take(what: {track: Track; message: string}): Promise<Result<WorkspaceSnapshot>>;
  restore(order: RestoreOrder): Promise<Result<Restored>>;
  /** From one tree to another; without the other: to the files as they are now. */
  changes(from: string, to: string | undefined): Promise<Result<FileChange[]>>;
  /** From the HEAD that a snapshot was taken on to the snapshot itself. */
  sinceHead(commit: string): Promise<Result<FileChange[]>>;
  fork(order: ForkOrder): Promise<Result<Forked>>;
  /** Commits from that head to the present one, newest first; undefined when the two do not lie on one line. */
  commitsSince(head: string): Promise<LaterCommit[] | undefined>;
  /** Which of these tracks a live run holds; the others are held for us until they are released. */
  hold(tracks: Track[]): Promise<{live: Track[]; release(): void}>;
  /** Drops the snapshots of checkpoints that are gone; those that another checkpoint still names stay. */
  dropRefs(gone: readonly Checkpoint[], staying: readonly Checkpoint[]): Promise<Result<number>>;
  /** Drops every snapshot that no checkpoint names, and lets the shadow repository go of what nobody needs. */
  sweep(staying: readonly Checkpoint[], dry: boolean): Promise<Result<Swept>>;
  /** Names again what is still there; gives the checkpoints whose files are gone. */
  pinAgain(checkpoints: readonly Checkpoint[]): Promise<Result<{pinned: number; gone: Checkpoint[]}>>;
  /** LATEST.json is set aside, so that the next look makes it anew from the checkpoints. */
  forgetLatest(): Promise<Result<void>>;
  /** In bytes; undefined when it is not there. */
  fileSize(path: string): number | undefined;
  /** Would doing it be felt outside this folder? For lines such as `Bash: git push`. */
  isOutside(call: string): boolean;
  /** Tokens in the context of each leg at its end, as its death certificate has it. */
  legTokens(run: RunId): number[];
}
