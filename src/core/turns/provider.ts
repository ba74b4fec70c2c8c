// What the agent's provider tells it: a limit, an overload, a refusal. Waited out, left to the person, or taken over by
// another agent.

import {die, finish, type Step, step} from '../cells/step.ts';
import type {Evidence, RunEvent, Signal} from '../events.ts';
import {later, type Millis} from '../ids.ts';
import type {Policy} from '../policy.ts';
import {limitWait, overloadWait, tooLongToWait} from '../restart-budget.ts';
import type {RunState} from '../state.ts';
import {successorOf} from './takeover.ts';

type Working = Extract<RunState, {at: 'working'}>;

/** Unattended nobody is there to say so. */
const told = (other: string | undefined, {attended}: Policy): {other?: string} =>
  attended && other !== undefined ? {other} : {};

const parked = (state: Working, why: string): Step =>
  finish(state, {outcome: {is: 'parked', why}, alive: true, capture: 'wanted'});

export const limited = (state: Working, event: Extract<Signal, {type: 'limit'}>, policy: Policy): Step => {
  const trouble = {is: 'limit', resetsAt: event.resetsAt} as const;
  // With its own menu open it does not wake.
  const wakesMs = state.ledger.question === 'proved' ? 0 : policy.wakesMs;
  const wakesAt = event.resetsAt === undefined ? undefined : later(event.resetsAt, wakesMs);
  const waitMs = limitWait(wakesAt, event.at, policy);
  const other = successorOf(state.ledger, policy);
  const notice = {
    is: 'limit',
    leg: state.leg,
    until: event.resetsAt,
    waits: !policy.attended,
    ...told(other, policy),
  } as const;
  // A headless agent ends by itself now: its exit decides, with this in mind.
  if (policy.attended || policy.headless) return step({...state, trouble}, {do: 'tell', notice});
  const tooLong = tooLongToWait(waitMs, state.ledger, policy);
  if (tooLong && other !== undefined) return die(state, {...event, cause: 'limit', notBefore: event.resetsAt});
  if (tooLong) return parked(state, tooLong);
  const {leg, ledger, held} = state;
  const until = later(event.at, waitMs);
  return step(
    {at: 'waiting', leg, ledger, held, for: 'limit', until, nudged: false},
    {do: 'tell', notice},
    {do: 'set-timer', name: 'wait-over', until},
  );
};

export const overloaded = (state: Working, event: Extract<Signal, {type: 'overload'}>, policy: Policy): Step => {
  const until = later(event.at, overloadWait(state.ledger.overloads, event.at, policy));
  const notice = {is: 'overload', leg: state.leg, until, waits: !policy.attended} as const;
  const trouble = {is: 'overload'} as const;
  if (policy.attended) return step({...state, trouble}, {do: 'tell', notice});
  const ledger = {...state.ledger, overloads: state.ledger.overloads + 1};
  // Told again in the same turn it is the same overload, and the same rung of the ladder.
  if (policy.headless) {
    return step(
      {...state, trouble, ledger: state.trouble.is === 'overload' ? state.ledger : ledger},
      {do: 'tell', notice},
    );
  }
  return step(
    {at: 'waiting', leg: state.leg, ledger, held: state.held, for: 'overload', until, nudged: false},
    {do: 'tell', notice},
    {do: 'set-timer', name: 'wait-over', until},
  );
};

interface Lasting {
  why: string;
  at: Millis;
  evidence: Evidence[];
}

/**
 * Trying again cannot mend it, but another agent may go on. An attended run leaves it to its person, a headless one to
 * the agent's own exit.
 */
export const lasting = (state: Working, {why, at, evidence}: Lasting, policy: Policy): Step => {
  const other = successorOf(state.ledger, policy);
  if (policy.attended || policy.headless) {
    const notice = {is: 'trouble', leg: state.leg, what: why, ...told(other, policy)} as const;
    return step({...state, trouble: {is: 'lasting', why}}, {do: 'tell', notice});
  }
  return other === undefined ? parked(state, why) : die(state, {cause: 'refused', at, evidence});
};

/** Asked for while the agent cannot go on, it is the word for another one to take over. */
export const handedOff = (
  {leg, ledger, trouble}: Working,
  {at}: Extract<RunEvent, {type: 'handoff-asked'}>,
  policy: Policy,
): Step => {
  const asked = {at, evidence: [{channel: 'process' as const, detail: 'ckpt handoff'}]};
  if (successorOf(ledger, policy) !== undefined) {
    if (trouble.is === 'lasting') return die({leg, ledger}, {...asked, cause: 'refused'});
    if (trouble.is === 'limit' && tooLongToWait(limitWait(trouble.resetsAt, at, policy), ledger, policy)) {
      return die({leg, ledger}, {...asked, cause: 'limit', notBefore: trouble.resetsAt});
    }
  }
  return die({leg, ledger}, {...asked, cause: 'handoff'});
};
