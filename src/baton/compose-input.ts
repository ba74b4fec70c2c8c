// Everything that compose may know.

import type {LegNumber, Millis, RunId, Track} from '../core/ids.ts';
import type {Death} from '../core/state.ts';
import type {Checkpoint, ProcessNote, Trigger} from './checkpoint.ts';
import type {LegFacts} from './facts.ts';

/** What compose and reconcile need of ports.GitFacts. */
export interface GitState {
  root?: string | undefined;
  branch: string | undefined;
  head: string | undefined;
  dirty: string[];
  /** Where the caller has looked: what became of a baton's branch and head. */
  since?: GitSince | undefined;
}

export interface Commit {
  id: string;
  subject: string;
}

export interface GitSince {
  /** The folder that the baton was written in is not there any more. */
  worktreeGone: boolean;
  branchGone: boolean;
  /** The baton's branch, or its head when that is gone, is part of the present head; or all of its work is there (a squash). */
  merged: boolean;
  /** The baton's head: part of the present one, on another line, or rewritten. */
  headIs: 'part' | 'elsewhere' | 'gone';
  /** From the baton's head to the present one, newest first; at most 20. */
  commits: Commit[];
}

export interface ComposeInput {
  track: Track;
  trigger: Trigger;
  death: Death | undefined;
  run: RunId;
  leg: LegNumber;
  runStartedAt: Millis;
  facts: LegFacts;
  git: GitState;
  /** What the leg has left running, where the caller has looked; else the log tells. */
  processes?: ProcessNote[];
  /** The newest checkpoint of the track, whoever wrote it. */
  previous: Checkpoint | undefined;
  /** The agent's own last snapshot on the track, where the caller knows one that is older than `previous`. */
  own?: Checkpoint | undefined;
  /** Did this run begin by taking the track's baton up? Otherwise what other runs left there is none of its business. */
  continued: boolean;
  /** The person's prompt from the command line. */
  prompt: string | undefined;
  agent: {name: string; version: string | undefined; logPath: string | undefined; logOffset: number | undefined};
  setCurrent: boolean;
}
