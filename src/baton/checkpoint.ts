// The checkpoint (DESIGN §6): field names that agents and people know. The types here are the contract;
// schema.ts checks and migrates what is on disk.

import type {CheckpointId, LegNumber, RunId, Track} from '../core/ids.ts';

export const SCHEMA_VERSION = 1;

export const validations = ['green', 'pending', 'failed', 'unknown'] as const;
export type Validation = (typeof validations)[number];

export const triggers = [
  'manual',
  'agent',
  'interval',
  'phase',
  'threshold',
  'pre-compaction',
  'death',
  'end',
  'pre-restore',
  'before_refactor',
  'after_bug_found',
  'before_risky_change',
  'on_test_failure',
] as const;
export type Trigger = (typeof triggers)[number];

/** Who vouches for a field: git and the log (observed), the agent (claimed), copied text (quoted). */
export type Provenance = 'observed' | 'claimed' | 'quoted';

export interface Task {
  title: string;
  state: 'pending' | 'in_progress' | 'completed' | 'failed' | 'skipped';
}

export interface WithWhy {
  what: string;
  why: string | undefined;
  /** Who vouches for this one, where the list has entries of several. */
  from?: Provenance;
}

/** A process that a leg started and left running. */
export interface ProcessNote {
  command: string;
  pid?: number;
  ports?: number[];
}

/** The last tool call at death. `unknown` makes the baton say: verify first. */
export interface InFlight {
  call: string;
  outcome: 'finished' | 'failed' | 'unknown' | 'none';
  outside: boolean;
}

/** The working tree as it was: a git tree that holds every file, tracked or not, that git does not ignore. */
export interface WorkspaceSnapshot {
  tree: string;
  /** A commit of that tree; its parent is the HEAD of that moment. */
  commit: string;
  /** What keeps it from being collected: `refs/ckpt/<track>/…`. */
  ref: string;
  /** What is not in the tree, and why. */
  left_out: LeftOut[];
  /** False when a file that belongs into the tree is not there: too large, unreadable, or time ran out. */
  complete: boolean;
}

export interface LeftOut {
  path: string;
  why: string;
}

export interface CheckpointDraft {
  track: Track;
  label: string;
  trigger: Trigger;
  step: string;
  note: string;
  next_cmd: string;
  validation: Validation;
  /** What the person asked for, in their own words. Never paraphrased, never dropped. */
  goal: string | undefined;
  current_task: string | undefined;
  active_files: WithWhy[];
  decisions_made: WithWhy[];
  tried_failed: WithWhy[];
  next_steps: string[];
  tasks: Task[];
  artifacts: string[];
  processes?: ProcessNote[];
  in_flight: InFlight | undefined;
  /** The last finished calls, oldest first: what must not be done again. */
  recent_calls: string[];
  last_words: string | undefined;
  extra: Record<string, string>;
  branch: string | undefined;
  head: string | undefined;
  dirty_files: string[];
  /** Absent when the files could not be saved; `extra.workspace` then says why. */
  workspace?: WorkspaceSnapshot | undefined;
  /** The top folder of the repository or worktree that it was written in. */
  worktree?: string;
  run: RunId | undefined;
  leg: LegNumber | undefined;
  conversation:
    | {
        agent: string;
        version: string | undefined;
        session_id: string | undefined;
        log_path: string | undefined;
        log_offset: number | undefined;
        /** Of the first `log_offset` bytes of the log, when it was copied into the leg's folder. */
        sha256?: string | undefined;
      }
    | undefined;
  provenance: Record<string, Provenance>;
  /** False with --no-set-current: the track's entry moves, current_track stays. */
  set_current: boolean;
}

export interface Checkpoint extends CheckpointDraft {
  schema_version: number;
  id: CheckpointId;
  /** ISO 8601, UTC, milliseconds. */
  born: string;
  /** 1 = the oldest of the folder; given once, so that it stays the same when others are pruned. */
  number?: number;
  /** A baton is used once: by whom. */
  consumed_by?: {run: RunId; leg: LegNumber; at: string};
  /** The work of the track is done: its baton may not be used any more. */
  closed?: {at: string; note: string};
}
