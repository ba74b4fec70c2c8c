// The turn is over, and nobody has said that the work is done. With nobody there the agent is told to go on: after a
// while, a few times, and never when the person has cut the turn short.

import {capture, finish, isCapturing, type Step, step} from '../cells/step.ts';
import type {Effect} from '../effects.ts';
import type {RunEvent, Signal} from '../events.ts';
import {later, type Millis} from '../ids.ts';
import type {Policy} from '../policy.ts';
import type {Ledger, RunState} from '../state.ts';

type Working = Extract<RunState, {at: 'working'}>;

/** The turn ended well: whatever the provider's trouble was, it is over. */
export const idle = (state: Working, event: Extract<Signal, {type: 'idle'}>, policy: Policy): Step => {
  const {done} = state.ledger;
  if (done !== undefined && !policy.attended) {
    return finish(state, {outcome: {is: 'done', note: done}, alive: true, capture: 'wanted'});
  }
  const turn = state.turn === 'none' || isCutShort(event) ? 'none' : 'over';
  const calm: Working = {
    ...{...state, turn, trouble: {is: 'none'}},
    ledger: {...state.ledger, overloads: 0, nudges: 0, question: 'none'},
  };
  if (policy.attended || policy.headless) return step(calm);
  if (turn === 'none') return unhurried(calm, state);
  const timer = {do: 'set-timer', name: 'idle-over', until: later(event.at, policy.nudge.idleMs)} as const;
  // What has moved since the last one tells whether the nudges help.
  if (calm.held !== 'no' || isCapturing(calm.ledger)) return step(calm, timer);
  const asked = capture(calm, {trigger: 'phase'});
  return step({...calm, ledger: asked.ledger}, asked.effect, timer);
};

/** By the person's ESC or Ctrl-C: what comes next is theirs to say. */
const isCutShort = ({evidence}: Signal): boolean => evidence.some(({detail}) => detail.startsWith('interrupted'));

/** The nudge that was to come is not wanted any more. */
export const unhurried = (state: Working, before: Working, ...effects: Effect[]): Step =>
  before.turn === 'over' ? step(state, {do: 'cancel-timer', name: 'idle-over'}, ...effects) : step(state, ...effects);

export const idleOver = (state: Working, at: Millis, policy: Policy): Step => {
  const {leg, ledger} = state;
  const {max, idleMs, waitMs} = policy.nudge;
  if (policy.attended || state.turn !== 'over' || ledger.done !== undefined) return step(state);
  if (isCapturing(ledger)) return step(state, {do: 'set-timer', name: 'idle-over', until: later(at, idleMs)});
  if (ledger.idles >= max) {
    const why = `the agent waits at its prompt and has not said ckpt done; ${max} nudges brought no progress`;
    return finish(state, {outcome: {is: 'parked', why}, alive: true, capture: 'wanted'});
  }
  const idles = ledger.idles + 1;
  return step(
    {...state, ledger: {...ledger, idles}},
    {do: 'tell', notice: {is: 'nudged', leg, nudge: idles, max}},
    {do: 'nudge', leg, why: 'next-step'},
    // A nudge that nobody heard has been one all the same.
    {do: 'set-timer', name: 'idle-over', until: later(at, waitMs)},
  );
};

/** The work has moved: what helped, or did not help before, is forgotten. */
export const written = (ledger: Ledger, {id, moved}: Extract<RunEvent, {type: 'checkpoint-written'}>): Ledger => ({
  ...ledger,
  checkpoint: id,
  ...(moved && {idles: 0, nudges: 0}),
});
