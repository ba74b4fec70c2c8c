// A process is being started, or has not shown that it is ready.

import type {RunEvent} from '../events.ts';
import {later, type Millis} from '../ids.ts';
import type {Policy} from '../policy.ts';
import type {Outcome, RunState} from '../state.ts';
import {hangWords} from '../turns/hang.ts';
import {nextInterval} from '../turns/saving.ts';
import {awaitUptake} from '../turns/uptake.ts';
import {usageSeen} from '../turns/usage.ts';
import {unreachable} from '../unreachable.ts';
import {exitWords} from './exit-words.ts';
import {TERMINAL_GONE, TIME_OVER} from './park-words.ts';
import {die, dieToGoBack, finish, nextLeg, over, type Step, step} from './step.ts';
import {fromWorking} from './working.ts';

type Starting = Extract<RunState, {at: 'starting'}>;

export const fromStarting = (state: Starting, event: RunEvent, policy: Policy): Step => {
  switch (event.type) {
    case 'leg-spawned':
      return spawned(state, event.at, policy);
    case 'spawn-failed':
      return spawnFailed(state, event, policy);
    case 'agent-exited':
      return exited(state, event);
    case 'usage-seen':
      return usageSeen(state, event, policy);
    case 'timer-fired':
      if (event.name === 'ready-by') return ready(state, event, policy);
      return event.name === 'time-over' ? ended(state, {is: 'parked', why: TIME_OVER}) : step(state);
    case 'waiting-for-person':
      return step(state, {do: 'tell', notice: {is: 'needs-person', leg: state.leg, what: event.what}});
    case 'hang-seen':
      // Whatever keeps it may be a consent screen that we do not know: the person's, never ours to end.
      return step(state, {do: 'tell', notice: {is: 'needs-person', leg: state.leg, what: hangWords(event)}});
    case 'ready':
    case 'busy':
    case 'idle':
    case 'moment-seen':
    case 'uptake-seen':
    case 'call-held':
      return ready(state, event, policy);
    case 'compaction-started':
    case 'compaction-done':
    case 'compaction-failed':
    case 'context-full':
    case 'limit':
    case 'overload':
    case 'auth':
    case 'fatal':
      // Whoever compacts or hits a limit is past its start, whether or not we have seen that.
      return event.proof ? ready(state, event, policy) : step(state);
    case 'done-asked':
    case 'restore-asked':
    case 'quit-asked':
    case 'hangup':
      return asked(state, event, policy);
    case 'handoff-asked':
    // It is fresh already. Most likely the leg before was asked twice.
    case 'checkpoint-written':
    case 'checkpoint-skipped':
    case 'checkpoint-failed':
    case 'restored':
    case 'restore-failed':
    case 'approval-said':
      return step(state);
    default:
      return unreachable(event);
  }
};

const spawned = (state: Starting, at: Millis, {assumeReadyMs}: Policy): Step =>
  assumeReadyMs === undefined
    ? step(state)
    : step(state, {do: 'set-timer', name: 'ready-by', until: later(at, assumeReadyMs)});

type Asked = Extract<RunEvent, {type: 'done-asked' | 'restore-asked' | 'quit-asked' | 'hangup'}>;

const asked = (state: Starting, event: Asked, policy: Policy): Step => {
  switch (event.type) {
    case 'done-asked':
      return done(state, event, policy);
    case 'restore-asked':
      // Done when it is ready, or gone: nobody can be stopped who is not there yet.
      return step({...state, ledger: {...state.ledger, back: event.back}});
    case 'quit-asked':
      return ended(state, {is: 'quit', signal: event.signal, exit: undefined});
    case 'hangup':
      return ended(state, {is: 'parked', why: TERMINAL_GONE});
    default:
      return unreachable(event);
  }
};

const ready = (state: Starting, event: RunEvent, policy: Policy): Step => {
  const {leg, ledger} = state;
  // A later leg has its prompt from its start; of the first one nobody knows whether it has any.
  const turn = leg > 1 ? 'open' : 'none';
  const {back} = ledger;
  const next =
    back === undefined
      ? fromWorking({at: 'working', leg, ledger, trouble: {is: 'none'}, held: 'no', turn}, event, policy)
      : dieToGoBack(state, {at: event.at, back});
  return step(
    next.state,
    {do: 'cancel-timer', name: 'ready-by'},
    {do: 'set-timer', name: 'leg-stable', until: later(event.at, policy.backoff.stableMs)},
    ...nextInterval(event.at, policy),
    ...awaitUptake(ledger, event.at, policy),
    ...next.effects,
  );
};

/** The process may not even be there: finishing stops it when it comes. */
const ended = (state: Starting, outcome: Outcome): Step => finish(state, {outcome, alive: true, capture: 'wanted'});

/** Said by the leg before or by a person: this leg has nothing to do. With a person there it is theirs to end. */
const done = (state: Starting, {note}: Extract<RunEvent, {type: 'done-asked'}>, policy: Policy): Step =>
  policy.attended ? step({...state, ledger: {...state.ledger, done: note}}) : ended(state, {is: 'done', note});

/** Leg 1 that never got ready has nothing to hand on: its own message and code are the answer, and no leg counts. */
const exited = (state: Starting, event: Extract<RunEvent, {type: 'agent-exited'}>): Step => {
  const {exit, meaning} = event;
  if (meaning === 'clean' || state.ledger.done !== undefined) {
    return finish(state, {outcome: {is: 'ended', exit}, alive: false, capture: 'wanted'});
  }
  if (state.leg === 1) {
    // The baton it took up is spent: without a new checkpoint nobody could continue.
    const capture = state.ledger.checkpoint === undefined ? 'done' : 'wanted';
    return finish(state, {outcome: {is: 'start-failed', exit}, alive: false, capture});
  }
  const detail = `${exitWords(exit)} before it was ready`;
  return die(state, {cause: meaning, at: event.at, evidence: [{channel: 'exit', detail}], exit});
};

/** Later legs may meet an agent that is just being updated: that passes, within the budget. */
const spawnFailed = (state: Starting, event: Extract<RunEvent, {type: 'spawn-failed'}>, policy: Policy): Step => {
  if (state.leg === 1) return over(state, {is: 'spawn-failed', what: event.what});
  if (state.ledger.done !== undefined) return over(state, {is: 'done', note: state.ledger.done});
  const death = {
    cause: 'crashed' as const,
    at: event.at,
    evidence: [{channel: 'process' as const, detail: event.what}],
    exit: undefined,
    notBefore: undefined,
  };
  return nextLeg(state, {death, progress: false, at: event.at}, policy);
};
