// Where a run can stand, and what each stand owns.

import type {Evidence, ExitStatus} from './events.ts';
import type {GoBack} from './go-back.ts';
import type {CaptureNumber, CheckpointId, LegNumber, Millis} from './ids.ts';

/** Why a leg ended. Decided once; the first cause wins and is never overwritten by what followed. */
export type DeathCause =
  | 'compaction'
  | 'compaction-failed'
  | 'context-full'
  | 'crashed'
  | 'killed'
  | 'limit'
  | 'overload'
  | 'hang'
  /** A headless agent ended well, and nobody has said that the work is done. */
  | 'unfinished'
  /** The new agent has shown no sign that it took the baton up. */
  | 'no-uptake'
  /** Its provider refuses it for good, and another agent may take over. */
  | 'refused'
  | 'handoff'
  /** Somebody asked to go back to an earlier checkpoint. */
  | 'restore';

export interface Death {
  cause: DeathCause;
  at: Millis;
  evidence: Evidence[];
  exit: ExitStatus | undefined;
  /** A usage limit's end: no new leg before. */
  notBefore: Millis | undefined;
}

/** A death with what its checkpoint told. */
export interface Dead {
  death: Death;
  progress: boolean;
}

/** Why the run is over. `code` is what ckpt-run exits with. */
export type Outcome =
  /** The agent ended by itself, cleanly, or the person quit it. */
  | {is: 'ended'; exit: ExitStatus}
  /** `ckpt done` was said. */
  | {is: 'done'; note: string}
  /** The agent failed before it was ready: its own message and code, no leg counted. */
  | {is: 'start-failed'; exit: ExitStatus}
  | {is: 'spawn-failed'; what: string}
  /** A failure that trying again cannot mend, or that an attended run leaves to its person. */
  | {is: 'gave-up'; exit: ExitStatus; why: string}
  /** Stopped itself; waits for a person. */
  | {is: 'parked'; why: string}
  /** SIGINT or SIGTERM to us. */
  | {is: 'quit'; signal: number; exit: ExitStatus | undefined};

/** Dollars only where the agent tells them. */
export interface Usage {
  tokens: number;
  dollars: number;
}

/** What the run remembers across legs. */
export interface Ledger {
  startedAt: Millis;
  /** Deaths of legs without progress inside the budget's window, oldest first. */
  failures: Millis[];
  /** Consecutive legs without progress since the last stable one: the exponent of the backoff. */
  streak: number;
  /** Consecutive overloads, told by the agent: back to 0 when a turn ends well, or a leg that got on dies of else. */
  overloads: number;
  /** Nudges of this leg that did not help: back to 0 when a turn ends well. */
  nudges: number;
  /** Nudges at the prompt, and headless legs that ended early, since the work last moved. */
  idles: number;
  /** Is a sign that this leg took its baton up still wanted, and has it been asked for? */
  uptake: 'none' | 'awaited' | 'asked';
  /** Is a question open on the screen of this leg, as far as we know? Whatever is typed then would be the answer to it. */
  question: 'none' | 'seen' | 'proved';
  /** Legs in a row that did not take theirs up. */
  untaken: number;
  /** The baton of this leg, and of the last one that took its own up. */
  given: CheckpointId | undefined;
  taken: CheckpointId | undefined;
  /** What the earlier legs have used, and what this one has so far. */
  used: Usage;
  using: Usage;
  /** The number of the newest capture. A report on an earlier one is no news. */
  captures: CaptureNumber;
  /** The newest one that was reported on: while it is another, a capture is in the making. */
  reported: CaptureNumber;
  /** The newest checkpoint of this run, or the one it continues. */
  checkpoint: CheckpointId | undefined;
  /** The first leg of each agent that has taken over from the one before. */
  takenOver: LegNumber[];
  /** The note of `ckpt done`, until the person asks for something new. */
  done: string | undefined;
  /** Somebody wants to go back there: done before the next leg, whatever this one dies of. */
  back: GoBack | undefined;
  /** Calls of this leg that wait for a person's word, oldest first. */
  asks: Ask[];
}

/** A call with outside effects, held until somebody says yes or no. */
export interface Ask {
  call: string;
  what: string;
  until: Millis;
}

/** What the agent's own API told it last; cleared when a turn goes well. */
export type Trouble =
  | {is: 'none'}
  | {is: 'limit'; resetsAt: Millis | undefined}
  | {is: 'overload'}
  | {is: 'lasting'; why: string};

/** Does the agent wait in our hook for a checkpoint, and how is it let go afterwards? */
export type Held = 'no' | 'reinject' | 'allow';

/** Of the agent, as far as we know: none yet (or one that the person has cut short), one at work, one that has ended. */
export type Turn = 'none' | 'open' | 'over';

export type RunState =
  /** A process is being started, or has not shown that it is ready. */
  | {at: 'starting'; leg: LegNumber; ledger: Ledger}
  | {at: 'working'; leg: LegNumber; ledger: Ledger; trouble: Trouble; held: Held; turn: Turn}
  /** The agent is alive at its prompt after a limit or overload; we wait, then nudge it. Unattended runs only. */
  | {
      at: 'waiting';
      leg: LegNumber;
      ledger: Ledger;
      held: Held;
      for: 'limit' | 'overload';
      until: Millis;
      /** Has it been nudged, and does the next wait-over tell that this was in vain? */
      nudged: boolean;
    }
  /** The death is decided; its checkpoint is being made. `alive`: the process must still be stopped afterwards. */
  | {at: 'capturing'; leg: LegNumber; ledger: Ledger; death: Death; alive: boolean}
  /** The checkpoint is there; the process is being ended. */
  | {at: 'stopping'; leg: LegNumber; ledger: Ledger; death: Death; progress: boolean}
  /**
   * Nobody is alive; files and baton go back. `dead`: its certificate is still to come. `outcome`: the run was ended
   * meanwhile, and is over when this is done.
   */
  | {at: 'restoring'; leg: LegNumber; ledger: Ledger; dead: Dead | undefined; outcome: Outcome | undefined}
  /** Between two legs. */
  | {at: 'resting'; leg: LegNumber; ledger: Ledger; death: Death; until: Millis}
  /** The outcome is known; the last checkpoint and, if `alive`, the end of the process are awaited. */
  | {
      at: 'finishing';
      leg: LegNumber;
      ledger: Ledger;
      outcome: Outcome;
      alive: boolean;
      /** `wanted`: after the process has ended. */
      capture: 'wanted' | 'pending' | 'done';
      /** The leg had died before the run was ended: its certificate is still to come. */
      dead: Dead | undefined;
    }
  | {at: 'over'; leg: LegNumber; ledger: Ledger; outcome: Outcome};

export type StateName = RunState['at'];

export const stateNames = [
  'starting',
  'working',
  'waiting',
  'capturing',
  'stopping',
  'restoring',
  'resting',
  'finishing',
  'over',
] as const satisfies readonly StateName[];
