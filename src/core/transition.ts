// (state, event, policy) → {state, effects}. Decides; does nothing. One file per state in cells/, every cell by name.

import {fromCapturing} from './cells/capturing.ts';
import {fromFinishing} from './cells/finishing.ts';
import {fromOver} from './cells/over.ts';
import {fromResting} from './cells/resting.ts';
import {fromRestoring} from './cells/restoring.ts';
import {fromStarting} from './cells/starting.ts';
import {begin, nextLeg, nothing, type Step, step} from './cells/step.ts';
import {fromStopping} from './cells/stopping.ts';
import {fromWaiting} from './cells/waiting.ts';
import {fromWorking} from './cells/working.ts';
import type {RunEvent} from './events.ts';
import {type CheckpointId, captureNumber, type LegNumber, later, legNumber, type Millis} from './ids.ts';
import type {Policy} from './policy.ts';
import type {Dead, Ledger, RunState} from './state.ts';
import {unreachable} from './unreachable.ts';

/** The run begins: leg 1, with the baton that it continues, if any. */
export const beginRun = (at: Millis, baton: CheckpointId | undefined, policy: Policy): Step => {
  const ledger = {
    startedAt: at,
    failures: [],
    streak: 0,
    overloads: 0,
    nudges: 0,
    question: 'none' as const,
    idles: 0,
    uptake: 'none' as const,
    untaken: 0,
    given: undefined,
    taken: undefined,
    used: nothing,
    using: nothing,
    captures: captureNumber(0),
    reported: captureNumber(0),
    checkpoint: baton,
    takenOver: [],
    done: undefined,
    back: undefined,
    asks: [],
  };
  const begun = begin({leg: legNumber(1), ledger});
  return step(begun.state, {do: 'set-timer', name: 'time-over', until: later(at, policy.maxMs)}, ...begun.effects);
};

/** What is left of a run whose supervisor is gone, or that was parked. */
export interface Remains {
  leg: LegNumber;
  ledger: Ledger;
  /** The death that nobody has answered yet. Undefined: a person takes a parked run up again. */
  dead: Dead | undefined;
}

/** The same run goes on: its legs and its failures count. A person who takes it up again gives it a new budget. */
export const resumeRun = (at: Millis, {leg, ledger, dead}: Remains, policy: Policy): Step => {
  const timer = {do: 'set-timer', name: 'time-over', until: later(dead ? ledger.startedAt : at, policy.maxMs)} as const;
  const next = dead
    ? nextLeg({leg, ledger}, {...dead, at}, policy)
    : begin({
        leg: legNumber(leg + 1),
        ledger: {...ledger, failures: [], streak: 0, idles: 0, untaken: 0, done: undefined, back: undefined},
      });
  return step(next.state, timer, ...next.effects);
};

export const transition = (before: RunState, event: RunEvent, policy: Policy): Step => {
  // News of an earlier leg is no news; nor is a report on an earlier capture, when a newer one has been asked for.
  if ('leg' in event && event.leg !== before.leg) return step(before);
  if ('capture' in event && event.capture !== before.ledger.captures) return step(before);
  const state = 'capture' in event ? reported(before) : before;
  switch (state.at) {
    case 'starting':
      return fromStarting(state, event, policy);
    case 'working':
      return fromWorking(state, event, policy);
    case 'waiting':
      return fromWaiting(state, event, policy);
    case 'capturing':
      return fromCapturing(state, event, policy);
    case 'stopping':
      return fromStopping(state, event);
    case 'restoring':
      return fromRestoring(state, event, policy);
    case 'resting':
      return fromResting(state, event);
    case 'finishing':
      return fromFinishing(state, event);
    case 'over':
      return fromOver(state, event);
    default:
      return unreachable(state);
  }
};

const reported = (state: RunState): RunState =>
  state.at === 'over' ? state : {...state, ledger: {...state.ledger, reported: state.ledger.captures}};
