// What the run has cost so far. Going on beyond what was allowed would only burn money: it parks.

import {finish, type OfLeg, type Step, step, total} from '../cells/step.ts';
import type {RunEvent} from '../events.ts';
import type {Policy} from '../policy.ts';
import type {Ledger, RunState} from '../state.ts';

type Alive = Extract<RunState, {at: 'working' | 'waiting' | 'starting'}>;

/** The agent tells the sum of its own conversation; earlier legs' are known. */
export const usageSeen = (
  state: Alive,
  {tokens, dollars}: Extract<RunEvent, {type: 'usage-seen'}>,
  policy: Policy,
): Step => {
  const ledger = {...state.ledger, using: {tokens, dollars}};
  const why = tooMuch(ledger, policy);
  if (why === undefined) return step({...state, ledger});
  const of: OfLeg = {leg: state.leg, ledger};
  return finish(of, {outcome: {is: 'parked', why}, alive: true, capture: 'wanted'});
};

const tooMuch = (ledger: Ledger, {maxTokens, maxDollars}: Policy): string | undefined => {
  const {tokens, dollars} = total(ledger);
  if (maxTokens !== undefined && tokens >= maxTokens) {
    return `${tokens} tokens used, of at most ${maxTokens} (--max-tokens)`;
  }
  if (maxDollars !== undefined && dollars >= maxDollars) {
    return `$${dollars.toFixed(2)} spent, of at most $${maxDollars.toFixed(2)} (--max-cost)`;
  }
  return undefined;
};
