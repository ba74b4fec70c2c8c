// Everything the run can do to the world. Declared by transition, done by run/perform.ts.

import type {TimerName} from './events.ts';
import type {GoBack} from './go-back.ts';
import type {CaptureNumber, CheckpointId, LegNumber, Millis} from './ids.ts';
import type {Death, Outcome} from './state.ts';
import type {CaptureTrigger} from './triggers.ts';

export type Effect =
  /** Start leg `leg`; with a checkpoint, its baton is the first prompt. Reports leg-spawned or spawn-failed. */
  | {do: 'spawn-leg'; leg: LegNumber; baton: CheckpointId | undefined}
  /** The legs from here on are those of the n-th agent that may take over, from 1. */
  | {do: 'change-agent'; to: number}
  /** End the processes of the open tool call, so that nothing is written behind the baton's back. */
  | {do: 'end-tools'; leg: LegNumber}
  /** Reports checkpoint-written, -skipped or -failed, with the same `capture`: an earlier one may still be running. */
  | {do: 'capture'; leg: LegNumber; capture: CaptureNumber; trigger: CaptureTrigger; death: Death | undefined}
  /** Brings files and baton back, behind a checkpoint of the present. Reports restored or restore-failed. */
  | {do: 'restore'; leg: LegNumber; back: GoBack}
  /** Let go of an agent that is held in a blocking hook, if it is. `reinject`: give it the baton inside its new context. */
  | {do: 'answer-hook'; leg: LegNumber; answer: 'allow' | 'reinject'}
  /** Lets a held call go on as it would without us, or refuses it and tells the agent why. */
  | {do: 'answer-call'; leg: LegNumber; call: string; answer: 'go' | 'deny'; why: string}
  /**
   * Ask, wait, force. Reports agent-exited. Nothing when no process is there (yet: leg-spawned may still come, and then
   * this is asked for again) or it is being stopped already.
   */
  | {do: 'stop-agent'; leg: LegNumber; because: 'handoff' | 'finish'}
  /** Type a line into the live agent: the limit is over, or this is the next step. */
  | {do: 'nudge'; leg: LegNumber; why: 'wait-over' | 'next-step' | 'uptake'}
  /** Tell the agent inside its turn, through a hook, that its context is nearly full: it should save what it knows. */
  | {do: 'hint'; leg: LegNumber}
  | {do: 'set-timer'; name: TimerName; until: Millis}
  | {do: 'cancel-timer'; name: TimerName}
  /** The death certificate of a leg. */
  | {do: 'certify'; leg: LegNumber; death: Death; progress: boolean; decision: string}
  | {do: 'tell'; notice: Notice}
  /** Undo everything, report the outcome, let the process end. */
  | {do: 'finish'; outcome: Outcome};

/** What the person is told, as data; report/messages.ts makes the sentence. */
export type Notice =
  | {is: 'leg-died'; leg: LegNumber; death: Death; progress: boolean}
  | {is: 'restarting'; leg: LegNumber; inMs: number; recent: number; budget: number; windowMs: number}
  /** Another agent goes on, since this one cannot. */
  | {is: 'taking-over'; leg: LegNumber; agent: string; why: string}
  | {is: 'compacting'; leg: LegNumber; trigger: 'auto' | 'manual'; then: 'restart' | 'reinject' | 'observe'}
  /** `other`, here and below: the agent that takes over when the person says so. */
  | {is: 'limit'; leg: LegNumber; until: Millis | undefined; waits: boolean; other?: string}
  | {is: 'overload'; leg: LegNumber; until: Millis | undefined; waits: boolean}
  | {is: 'nudged'; leg: LegNumber; nudge: number; max: number}
  | {is: 'no-uptake'; leg: LegNumber; afterMs: number}
  | {is: 'woke'; leg: LegNumber; by: 'itself' | 'us'}
  /** `ends`: it is stopped and a fresh one takes over. */
  | {is: 'hang'; leg: LegNumber; what: string; ends: boolean}
  | {is: 'needs-person'; leg: LegNumber; what: string}
  | {is: 'trouble'; leg: LegNumber; what: string; other?: string}
  | {is: 'capture-failed'; leg: LegNumber; what: string}
  | {is: 'approval'; leg: LegNumber; what: string; waitMs: number}
  | {is: 'restored'; leg: LegNumber; to: CheckpointId}
  | {is: 'restore-failed'; leg: LegNumber; to: CheckpointId; what: string}
  | {is: 'parked'; why: string};
