// Everything that can happen to a run. READ THIS FIRST.
//
// Each event carries the time at which it happened: the core has no clock. Signals (what the detectors saw) are events
// of their own, one type per signal, so that every state says by name what it does about each.

import type {GoBack} from './go-back.ts';
import type {CaptureNumber, CheckpointId, LegNumber, Millis} from './ids.ts';
import type {AutomaticTrigger} from './triggers.ts';

/** Where an observation came from. Text on the screen may alert, never kill (DESIGN §4.5). */
export type Channel = 'hook' | 'log' | 'exit' | 'process' | 'screen';

/** One channel's observation behind a signal. */
export interface Evidence {
  channel: Channel;
  /** What was seen, in a few words: `PreCompact(auto)`, `signal 9`, `error=rate_limit`. Never raw agent text. */
  detail: string;
}

export const signalTypes = [
  'ready',
  'busy',
  'idle',
  'waiting-for-person',
  'compaction-started',
  'compaction-done',
  'compaction-failed',
  'context-full',
  'limit',
  'overload',
  'auth',
  'fatal',
] as const;
export type SignalType = (typeof signalTypes)[number];

interface Seen {
  at: Millis;
  leg: LegNumber;
  evidence: Evidence[];
  /** True when the evidence may end a leg: a structured channel, or two independent ones. See detect/quorum.ts. */
  proof: boolean;
}

export type Signal =
  /** The agent takes input: its session has begun. */
  | ({type: 'ready'} & Seen)
  /** A turn is open: the model thinks or a tool runs. */
  | ({type: 'busy'} & Seen)
  /** The turn is over; the agent waits at its prompt. */
  | ({type: 'idle'} & Seen)
  /** A consent screen or permission prompt is up. The person's business, never ours. */
  | ({type: 'waiting-for-person'; what: string} & Seen)
  /** Compaction is about to begin; with `held` the agent is held in our hook until we answer. */
  | ({type: 'compaction-started'; trigger: 'auto' | 'manual'; held: boolean} & Seen)
  | ({type: 'compaction-done'; trigger: 'auto' | 'manual'} & Seen)
  | ({type: 'compaction-failed'} & Seen)
  /** The session cannot go on: prompt too long, thrashing, window exceeded. */
  | ({type: 'context-full'} & Seen)
  | ({type: 'limit'; resetsAt: Millis | undefined} & Seen)
  /** Overload, 5xx, network: passes by itself. */
  | ({type: 'overload'} & Seen)
  | ({type: 'auth'} & Seen)
  /** Will not get better by trying again: credits, unknown model, bad request. */
  | ({type: 'fatal'; what: string} & Seen);

/** How a process ended. With a signal the code is meaningless (node-pty reports 0). */
export interface ExitStatus {
  code: number;
  signal: number | undefined;
}

/** What an exit status means for this agent, by its adapter's table. */
export type ExitMeaning = 'clean' | 'crashed' | 'killed';

/**
 * rest-over: the pause between two legs. wait-over: a limit or overload should be past. leg-stable: the leg has lived
 * long enough to forgive earlier deaths. time-over: the run's own limit. ready-by: an agent that cannot tell when it is
 * ready is taken for ready. done-by: the work is done, and the turn that said so had time to end. idle-over: the agent has
 * waited at its prompt long enough to be told to go on. interval: time for an automatic checkpoint. uptake-by: the new
 * agent should have taken the baton up. capture-again: the disk may have room again for a checkpoint. approval-by: a person should have said yes or no to a call that is held.
 */
export const timerNames = [
  'rest-over',
  'wait-over',
  'leg-stable',
  'time-over',
  'ready-by',
  'done-by',
  'idle-over',
  'interval',
  'uptake-by',
  'capture-again',
  'approval-by',
] as const;
export type TimerName = (typeof timerNames)[number];

export type RunEvent =
  | Signal
  /** The agent's process is there. */
  | {type: 'leg-spawned'; at: Millis; leg: LegNumber; pid: number; agent: string}
  /** It could not be started at all (missing file, no pty). */
  | {type: 'spawn-failed'; at: Millis; leg: LegNumber; what: string}
  /** The agent's process is gone and its last byte has been read. */
  | {type: 'agent-exited'; at: Millis; leg: LegNumber; exit: ExitStatus; meaning: ExitMeaning}
  /**
   * The checkpoint that `capture` asked for is on disk. `progress`: did this leg move the work at all? `moved`: did it
   * since its checkpoint before?
   */
  | {
      type: 'checkpoint-written';
      at: Millis;
      leg: LegNumber;
      capture: CaptureNumber;
      id: CheckpointId;
      progress: boolean;
      moved: boolean;
    }
  /** An automatic one that would have told nothing new. */
  | {type: 'checkpoint-skipped'; at: Millis; leg: LegNumber; capture: CaptureNumber}
  | {type: 'checkpoint-failed'; at: Millis; leg: LegNumber; capture: CaptureNumber; what: string}
  | {type: 'timer-fired'; at: Millis; name: TimerName}
  /**
   * Nothing structured has been heard for too long: of an agent that never got ready, of an open turn in which the model
   * thinks, or of an open tool call whose processes do nothing. Told once per silence.
   */
  | {type: 'hang-seen'; at: Millis; leg: LegNumber; in: 'start' | 'thinking' | 'tool'; evidence: Evidence[]}
  /** A moment that is worth a checkpoint: a commit, a test that fails or is green again, a context that is nearly full. */
  | {type: 'moment-seen'; at: Millis; leg: LegNumber; trigger: AutomaticTrigger; what: string}
  /** A leg that was given a baton has acted on it: by a call, a checkpoint, an answer; so long after it was started. */
  | {type: 'uptake-seen'; at: Millis; leg: LegNumber; by: string; afterMs: number}
  /** What this leg's conversation has cost so far, by its log. Told when a limit was set. */
  | {type: 'usage-seen'; at: Millis; leg: LegNumber; tokens: number; dollars: number}
  /**
   * A call waits in our hook before it is done: `risky` may undo work in this folder, `outside` is felt beyond it. `call`
   * is the hook that waits.
   */
  | {type: 'call-held'; at: Millis; leg: LegNumber; call: string; what: string; risky: boolean; outside: boolean}
  /** A person said `ckpt approve` or `ckpt deny`: for all calls that wait now. */
  | {type: 'approval-said'; at: Millis; yes: boolean; note: string}
  /** The person ended the run: SIGINT/SIGTERM to us. The agent gets it too and ends by itself or by us. */
  | {type: 'quit-asked'; at: Millis; signal: number}
  /** The terminal went away (SIGHUP): checkpoint, park. */
  | {type: 'hangup'; at: Millis}
  /** The agent (or person) said `ckpt done`. */
  | {type: 'done-asked'; at: Millis; note: string}
  /** Somebody said `ckpt handoff`: a fresh leg, now. */
  | {type: 'handoff-asked'; at: Millis}
  /** Somebody said `ckpt restore` or `ckpt rollback`: checkpoint, stop, go back, a fresh leg. */
  | {type: 'restore-asked'; at: Millis; back: GoBack}
  /** Files and baton are as they were; `id` is the baton that the next leg gets. */
  | {type: 'restored'; at: Millis; leg: LegNumber; id: CheckpointId}
  | {type: 'restore-failed'; at: Millis; leg: LegNumber; what: string};

export type EventType = RunEvent['type'];

export const eventTypes = [
  ...signalTypes,
  'leg-spawned',
  'spawn-failed',
  'agent-exited',
  'checkpoint-written',
  'checkpoint-skipped',
  'checkpoint-failed',
  'timer-fired',
  'hang-seen',
  'moment-seen',
  'uptake-seen',
  'usage-seen',
  'call-held',
  'approval-said',
  'quit-asked',
  'hangup',
  'done-asked',
  'handoff-asked',
  'restore-asked',
  'restored',
  'restore-failed',
] as const satisfies readonly EventType[];
