// Has the new agent really taken the baton up? Asked again, then a fresh one, then the baton before, then parked.

import {die, type Step, step} from '../cells/step.ts';
import type {Effect} from '../effects.ts';
import type {RunEvent} from '../events.ts';
import {later, type Millis} from '../ids.ts';
import type {Policy} from '../policy.ts';
import type {Ledger, RunState} from '../state.ts';

type Working = Extract<RunState, {at: 'working'}>;

/** From when it was ready. */
export const awaitUptake = ({uptake}: Ledger, at: Millis, {uptakeMs}: Policy): Effect[] =>
  uptake === 'none' ? [] : [{do: 'set-timer', name: 'uptake-by', until: later(at, uptakeMs)}];

export const takenUp = (ledger: Ledger): Ledger => ({...ledger, uptake: 'none', untaken: 0, taken: ledger.given});

export const uptakeSeen = (state: Working): Step =>
  state.ledger.uptake === 'none'
    ? step(state)
    : step({...state, ledger: takenUp(state.ledger)}, {do: 'cancel-timer', name: 'uptake-by'});

export const uptakeMissed = (state: Working, {at}: Extract<RunEvent, {type: 'timer-fired'}>, policy: Policy): Step => {
  const {leg, ledger} = state;
  // Whoever was cut short by the person, or has said that all is done, has read it.
  if (ledger.uptake === 'none' || ledger.done !== undefined || state.turn === 'none') return step(state);
  // It asks its person something, which was told already: theirs, and a nudge would be the answer.
  if (ledger.question !== 'none') return step(state);
  const notice = {is: 'no-uptake', leg, afterMs: policy.uptakeMs} as const;
  if (policy.attended) return step({...state, ledger: {...ledger, uptake: 'none'}}, {do: 'tell', notice});
  if (ledger.uptake === 'awaited' && !policy.headless) {
    return step(
      {...state, ledger: {...ledger, uptake: 'asked'}},
      {do: 'tell', notice},
      {do: 'nudge', leg, why: 'uptake'},
      {do: 'set-timer', name: 'uptake-by', until: later(at, policy.uptakeMs)},
    );
  }
  const asked = ledger.uptake === 'asked' ? ', and again after it was asked' : '';
  const detail = `no tool call and no checkpoint within ${Math.round(policy.uptakeMs / 1000)} s${asked}`;
  return die(state, {cause: 'no-uptake', at, evidence: [{channel: 'process', detail}]});
};
