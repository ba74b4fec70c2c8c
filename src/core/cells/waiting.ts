// Unattended: the agent is alive at its prompt after a limit or overload. We wait, then nudge it.

import type {RunEvent, Signal} from '../events.ts';
import {later} from '../ids.ts';
import type {Policy} from '../policy.ts';
import type {RunState, Trouble} from '../state.ts';
import {exited} from '../turns/exited.ts';
import {awaitUptake} from '../turns/uptake.ts';
import {unreachable} from '../unreachable.ts';
import {die, type Step, step} from './step.ts';
import {fromWorking, type Working} from './working.ts';

type Waiting = Extract<RunState, {at: 'waiting'}>;

export const fromWaiting = (state: Waiting, event: RunEvent, policy: Policy): Step => {
  switch (event.type) {
    case 'busy':
      return isAwake(state, event, policy) ? woke(state, event, policy) : step(state);
    case 'idle':
      // At a failed turn's end some channels say idle: nobody woke there.
      return event.proof && state.nudged ? woke(state, event, policy) : step(state);
    case 'limit':
      return isNewLimit(state, event) ? fromWorking(asWorking(state), event, policy) : step(state);
    case 'overload':
      // The agent's own retries tell it again and again; one ladder is enough until we have nudged.
      return event.proof && state.nudged ? fromWorking(asWorking(state), event, policy) : step(state);
    case 'timer-fired':
      return timer(state, event, policy);
    case 'agent-exited':
      return exited({...state, trouble: troubleOf(state)}, event, policy);
    case 'waiting-for-person':
      return asked(state, event, policy);
    case 'usage-seen':
    case 'moment-seen':
    case 'uptake-seen':
    case 'call-held':
    case 'approval-said':
    case 'compaction-done':
    case 'compaction-failed':
    case 'context-full':
    case 'auth':
    case 'fatal':
    case 'checkpoint-written':
    case 'checkpoint-skipped':
    case 'checkpoint-failed':
    case 'quit-asked':
    case 'hangup':
    case 'handoff-asked':
    case 'restore-asked':
    case 'restored':
    case 'restore-failed':
      return stay(state, event, policy);
    case 'compaction-started':
    case 'done-asked':
      // It is at work again, whatever we have missed.
      return event.type === 'done-asked' || event.proof ? woke(state, event, policy) : step(state);
    case 'hang-seen':
    // It waits at its prompt, as we do.
    case 'ready':
    case 'leg-spawned':
    case 'spawn-failed':
      return step(state);
    default:
      return unreachable(event);
  }
};

const timer = (state: Waiting, event: Extract<RunEvent, {type: 'timer-fired'}>, policy: Policy): Step => {
  if (event.name === 'wait-over') return waitOver(state, event, policy);
  // Nobody can show anything while the provider does not answer: it has its time when the wait is over.
  return event.name === 'uptake-by'
    ? step(state, ...awaitUptake(state.ledger, state.until, policy))
    : stay(state, event, policy);
};

const asWorking = ({leg, ledger, held}: Waiting): Working => ({
  at: 'working',
  leg,
  ledger,
  trouble: {is: 'none'},
  held,
  // The one that failed: whatever comes next belongs to it.
  turn: 'open',
});

const troubleOf = ({for: what, until}: Waiting): Trouble =>
  what === 'limit' ? {is: 'limit', resetsAt: until} : {is: 'overload'};

/** Ends the leg or the run as it would from work; if it does neither, the wait goes on. */
const stay = (state: Waiting, event: RunEvent, policy: Policy): Step => {
  const next = fromWorking(asWorking(state), event, policy);
  if (next.state.at !== 'working') return next;
  const {ledger, held} = next.state;
  return step({...state, ledger, held}, ...next.effects);
};

/**
 * The title goes on turning for a moment after the failed turn: a wait given up for that would leave the agent at its
 * prompt for good. So only proof counts, save in the margin after a limit's end, where the agent may go on by itself.
 */
const isAwake = ({for: what, until}: Waiting, event: Signal, {limit, wakesMs}: Policy): boolean =>
  event.proof || (what === 'limit' && event.at >= until - limit.marginMs - wakesMs);

/** Told again it is news with its reset time, or after a nudge. */
const isNewLimit = (state: Waiting, {proof, resetsAt}: Extract<Signal, {type: 'limit'}>): boolean =>
  proof && (resetsAt !== undefined || state.nudged || state.for !== 'limit');

const woke = (state: Waiting, event: RunEvent, policy: Policy): Step => {
  const next = fromWorking(asWorking(state), event, policy);
  return step(
    next.state,
    {do: 'cancel-timer', name: 'wait-over'},
    {do: 'tell', notice: {is: 'woke', leg: state.leg, by: state.nudged ? 'us' : 'itself'}},
    ...next.effects,
  );
};

/** An agent that asks its person something does not wake by itself: nobody need stand aside for it. */
const asked = (state: Waiting, event: Signal, policy: Policy): Step => {
  const next = stay(state, event, policy);
  const isNew = event.proof && state.ledger.question !== 'proved';
  if (next.state.at !== 'waiting' || !isNew || state.for !== 'limit' || state.nudged || policy.wakesMs === 0)
    return next;
  const until = later(state.until, -policy.wakesMs);
  return step({...next.state, until}, ...next.effects, {do: 'set-timer', name: 'wait-over', until});
};

const waitOver = (state: Waiting, event: Extract<RunEvent, {type: 'timer-fired'}>, policy: Policy): Step => {
  const {max, waitMs} = policy.nudge;
  const {question, nudges} = state.ledger;
  // A menu is the person's to answer: an agent that shows one is never typed into. A fresh one has none.
  if (question === 'proved' || nudges >= max) {
    const detail = question === 'none' ? `${nudges} nudges in vain` : 'a question is open on its screen: not nudged';
    return die(state, {cause: state.for, at: event.at, evidence: [{channel: 'process', detail}], notBefore: event.at});
  }
  const until = later(event.at, waitMs);
  const ledger = {...state.ledger, nudges: nudges + 1};
  // The screen alone ends no leg: what may be a question costs the nudge, no more.
  if (question === 'seen') return step({...state, ledger, until}, {do: 'set-timer', name: 'wait-over', until});
  return step(
    {...state, ledger, until, nudged: true},
    {do: 'nudge', leg: state.leg, why: 'wait-over'},
    {do: 'set-timer', name: 'wait-over', until},
  );
};
