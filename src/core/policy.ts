// The numbers of the restart policy (DESIGN §8). All of them can be set; all are printed when they act.

import {type AutomaticTrigger, automaticTriggers} from './triggers.ts';

export const compactionPolicies = ['restart', 'reinject', 'observe'] as const;
export type CompactionPolicy = (typeof compactionPolicies)[number];

/** What becomes of the background processes of finished calls when their leg ends. */
export const leftoverPolicies = ['keep', 'end'] as const;
export type LeftoverPolicy = (typeof leftoverPolicies)[number];

export interface Policy {
  /** A person is there: no nudges, API failures only notify. Otherwise limits are waited out. */
  attended: boolean;
  /** The agent has no prompt of its own (`-p`, `exec`): it ends by itself with its turn, well or not. */
  headless: boolean;
  /** Only `ckpt done` ends the work: a headless agent that ends well before is followed by another. */
  untilDone: boolean;
  onCompaction: CompactionPolicy;
  leftovers: LeftoverPolicy;
  maxLegs: number;
  maxMs: number;
  /** Off unless set: nobody else knows what is too much. */
  maxTokens: number | undefined;
  maxDollars: number | undefined;
  /** Who may take over, in this order, when the agent cannot go on. */
  takeovers: readonly string[];
  /** At most this many legs without progress inside the window, then the run parks. */
  budget: {legs: number; windowMs: number};
  backoff: {firstMs: number; maxMs: number; stableMs: number};
  /** `takeoverMs`: no longer wait than that when another agent may take over. */
  limit: {marginMs: number; unknownMs: number; maxWaitMs: number; takeoverMs: number};
  overload: {firstMs: number; maxMs: number};
  /**
   * An agent that waits at its prompt is nudged after `idleMs`. A nudge that shows no effect for `waitMs` has failed; after
   * so many a fresh leg takes over (limits), or the run parks (idle, no progress).
   */
  nudge: {max: number; waitMs: number; idleMs: number};
  /**
   * So long may nothing be heard in an open turn: while the model thinks, and while a tool runs whose processes use
   * neither CPU nor I/O.
   */
  hang: {thinkingMs: number; toolMs: number};
  /** The agent is told to save what it knows at this share of the context that leads to a compaction. */
  context: {share: number; windowTokens: number | undefined};
  /** Checkpoints that nobody asked for: which, how often while work happens, and how many of them are kept. */
  saves: {triggers: readonly AutomaticTrigger[]; intervalMs: number; keep: number};
  /** A death whose checkpoint cannot be written (a full disk) waits: so often it is tried again, and so long. */
  capture: {againMs: number; giveUpMs: number};
  /** Are calls that are felt outside this folder held for a person's word, and how long? */
  approval: {on: boolean; waitMs: number};
  /** So long may a new agent take to show that it took the baton up. */
  uptakeMs: number;
  /** How long the turn that said `ckpt done` may go on. */
  doneGraceMs: number;
  /** For agents that cannot tell: taken for ready after so long. From the adapter. */
  assumeReadyMs: number | undefined;
  /** An agent that waits for a limit's reset by itself goes on within so long after it. From the adapter; else 0. */
  wakesMs: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const defaultPolicy: Policy = {
  attended: true,
  headless: false,
  untilDone: false,
  onCompaction: 'restart',
  leftovers: 'keep',
  maxLegs: 200,
  maxMs: 72 * HOUR,
  maxTokens: undefined,
  maxDollars: undefined,
  takeovers: [],
  budget: {legs: 5, windowMs: 15 * MINUTE},
  backoff: {firstMs: SECOND, maxMs: 10 * MINUTE, stableMs: 30 * MINUTE},
  limit: {marginMs: 30 * SECOND, unknownMs: 15 * MINUTE, maxWaitMs: 8 * 24 * HOUR, takeoverMs: 10 * MINUTE},
  overload: {firstMs: 30 * SECOND, maxMs: 5 * MINUTE},
  nudge: {max: 3, waitMs: MINUTE, idleMs: MINUTE},
  hang: {thinkingMs: 10 * MINUTE, toolMs: HOUR},
  context: {share: 0.85, windowTokens: undefined},
  saves: {triggers: automaticTriggers, intervalMs: 30 * MINUTE, keep: 200},
  // Below what the agents' hooks before a compaction hold them.
  capture: {againMs: 2 * SECOND, giveUpMs: 45 * SECOND},
  approval: {on: false, waitMs: 10 * MINUTE},
  uptakeMs: 3 * MINUTE,
  doneGraceMs: 10 * SECOND,
  assumeReadyMs: undefined,
  wakesMs: 0,
};
