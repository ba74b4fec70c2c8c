// Calls that wait in our hook before they are done: behind a checkpoint when they may undo work, behind a person's word when
// they are felt outside and the person wants to be asked. Nothing is approved by us: `go` is what would be without us.

import {capture, type Step, step} from '../cells/step.ts';
import type {Effect} from '../effects.ts';
import type {RunEvent} from '../events.ts';
import {later, type Millis} from '../ids.ts';
import type {Policy} from '../policy.ts';
import type {Ask, RunState} from '../state.ts';

type Working = Extract<RunState, {at: 'working'}>;
type Held = Extract<RunEvent, {type: 'call-held'}>;

/** What is done for the effects stands in line: the call goes on when its checkpoint is there, or could not be had. */
export const callHeld = (state: Working, event: Held, policy: Policy): Step => {
  const saves = event.risky && policy.saves.triggers.includes('before_risky_change');
  const asked = saves ? capture(state, {trigger: 'before_risky_change'}) : undefined;
  const next: Working = {...state, ledger: asked?.ledger ?? state.ledger};
  const saved: Effect[] = asked === undefined ? [] : [asked.effect];
  if (!(event.outside && policy.approval.on)) return step(next, ...saved, answer(next, event.call, undefined));
  const {waitMs} = policy.approval;
  const ask = {call: event.call, what: event.what, until: later(event.at, waitMs)};
  const asks = [...next.ledger.asks, ask];
  return step(
    {...next, ledger: {...next.ledger, asks}},
    ...saved,
    {do: 'tell', notice: {is: 'approval', leg: state.leg, what: event.what, waitMs}},
    ...until(asks),
  );
};

export const approvalSaid = (state: Working, {yes, note}: Extract<RunEvent, {type: 'approval-said'}>): Step => {
  const why = yes ? undefined : `a person said no${note === '' ? '' : `: ${note}`}`;
  return answered(state, state.ledger.asks, (call) => answer(state, call, why));
};

export const approvalMissed = (state: Working, at: Millis): Step => {
  const why = 'this call is felt outside the folder and nobody has approved it in time; go on without it';
  const late = state.ledger.asks.filter(({until: end}) => end <= at);
  return answered(state, late, (call) => answer(state, call, why));
};

const answered = (state: Working, which: Ask[], make: (call: string) => Effect): Step => {
  if (which.length === 0) return step(state, ...until(state.ledger.asks));
  const asks = state.ledger.asks.filter((ask) => !which.includes(ask));
  const effects = which.map(({call}) => make(call));
  return step({...state, ledger: {...state.ledger, asks}}, ...effects, ...until(asks));
};

const answer = ({leg}: Working, call: string, denial: string | undefined): Effect => ({
  ...{do: 'answer-call', leg, call, answer: denial === undefined ? 'go' : 'deny', why: denial ?? ''},
});

/** For the oldest of them. */
const until = ([first]: Ask[]): Effect[] =>
  first === undefined
    ? [{do: 'cancel-timer', name: 'approval-by'}]
    : [{do: 'set-timer', name: 'approval-by', until: first.until}];
