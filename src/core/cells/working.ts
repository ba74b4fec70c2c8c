// The agent is there and works, or waits for its person.

import type {RunEvent, Signal} from '../events.ts';
import {later} from '../ids.ts';
import type {Policy} from '../policy.ts';
import type {Ledger, Outcome, RunState} from '../state.ts';
import {approvalMissed, approvalSaid, callHeld} from '../turns/calls.ts';
import {exited} from '../turns/exited.ts';
import {hung} from '../turns/hang.ts';
import {idle, idleOver, unhurried, written} from '../turns/idle.ts';
import {handedOff, lasting, limited, overloaded} from '../turns/provider.ts';
import {intervalOver, momentSeen} from '../turns/saving.ts';
import {uptakeMissed, uptakeSeen} from '../turns/uptake.ts';
import {usageSeen} from '../turns/usage.ts';
import {unreachable} from '../unreachable.ts';
import {TERMINAL_GONE, TIME_OVER} from './park-words.ts';
import {capture, die, dieToGoBack, finish, type Step, step} from './step.ts';

export type Working = Extract<RunState, {at: 'working'}>;

export const fromWorking = (state: Working, event: RunEvent, policy: Policy): Step => {
  switch (event.type) {
    case 'ready':
    case 'leg-spawned':
    case 'spawn-failed':
    case 'restored':
    case 'restore-failed':
      return step(state);
    case 'busy':
    case 'idle':
    case 'waiting-for-person':
      return turned(state, event, policy);
    case 'compaction-started':
    case 'compaction-done':
    case 'compaction-failed':
    case 'context-full':
    case 'limit':
    case 'overload':
    case 'auth':
    case 'fatal':
      return event.proof ? proved(state, event, policy) : step(state);
    case 'hang-seen':
    case 'moment-seen':
    case 'uptake-seen':
    case 'usage-seen':
      return lookedOut(state, event, policy);
    case 'call-held':
      return callHeld(state, event, policy);
    case 'approval-said':
      return approvalSaid(state, event);
    case 'agent-exited':
      return exited(state, event, policy);
    case 'checkpoint-written':
      return letGo({...state, ledger: written(state.ledger, event)}, state.held);
    case 'checkpoint-skipped':
      return letGo(state, state.held);
    case 'checkpoint-failed':
      return captureFailed(state, event.what);
    case 'timer-fired':
      return timer(state, event, policy);
    case 'quit-asked':
    case 'hangup':
    case 'done-asked':
    case 'handoff-asked':
    case 'restore-asked':
      return asked(state, event, policy);
    default:
      return unreachable(event);
  }
};

type Asked = Extract<RunEvent, {type: 'quit-asked' | 'hangup' | 'done-asked' | 'handoff-asked' | 'restore-asked'}>;

/** By a person, the agent itself, or the terminal that went away. */
const asked = (state: Working, event: Asked, policy: Policy): Step => {
  switch (event.type) {
    case 'quit-asked':
      return ended(state, {is: 'quit', signal: event.signal, exit: undefined});
    case 'hangup':
      return ended(state, {is: 'parked', why: TERMINAL_GONE});
    case 'done-asked':
      return done(state, event, policy);
    case 'handoff-asked':
      return handedOff(state, event, policy);
    case 'restore-asked':
      return dieToGoBack(state, event);
    default:
      return unreachable(event);
  }
};

type TurnSignal = Extract<Signal, {type: 'busy' | 'idle' | 'waiting-for-person'}>;

/** A turn begins, ends, or is held up by a question. */
const turned = (state: Working, event: TurnSignal, policy: Policy): Step => {
  const {leg, ledger} = state;
  switch (event.type) {
    case 'busy':
      // A new prompt: what was done or troubled before is past. What proof has told, no screen takes back.
      return event.proof ? unhurried(atWork(state), state) : step(state);
    case 'idle':
      return event.proof ? idle(state, event, policy) : step(state);
    case 'waiting-for-person':
      // Nothing is ever typed into a consent screen.
      return unhurried({...state, ledger: {...ledger, question: askedBy(ledger, event)}}, state, {
        ...{do: 'tell', notice: {is: 'needs-person', leg, what: event.what}},
      });
    default:
      return unreachable(event);
  }
};

const askedBy = ({question}: Ledger, {proof}: Signal): Ledger['question'] =>
  proof || question === 'proved' ? 'proved' : 'seen';

const ended = (state: Working, outcome: Outcome): Step => finish(state, {outcome, alive: true, capture: 'wanted'});

type LookedOut = Extract<RunEvent, {type: 'hang-seen' | 'moment-seen' | 'uptake-seen' | 'usage-seen'}>;

/** Seen over time, not in a single word of the agent's. */
const lookedOut = (state: Working, event: LookedOut, policy: Policy): Step => {
  switch (event.type) {
    case 'hang-seen':
      return hung(state, event, policy);
    case 'moment-seen':
      return momentSeen(state, event, policy);
    case 'uptake-seen':
      return uptakeSeen(state);
    case 'usage-seen':
      return usageSeen(state, event, policy);
    default:
      return unreachable(event);
  }
};

type Happening = Exclude<Signal, {type: 'ready'} | TurnSignal>;

const proved = (state: Working, event: Happening, policy: Policy): Step => {
  // The work is done: what goes wrong now ends only the turn that said so. Nobody waits for it or takes it over.
  if (state.ledger.done !== undefined && !policy.attended) return ended(state, {is: 'done', note: state.ledger.done});
  switch (event.type) {
    case 'compaction-started':
      return compacting(state, event, policy);
    case 'compaction-done':
      // Proved done although we wanted to be first: the hook was off or too late.
      return event.trigger === 'auto' && policy.onCompaction === 'restart'
        ? die(state, {...event, cause: 'compaction'})
        : step(state);
    case 'compaction-failed':
    case 'context-full':
      return die(state, {...event, cause: event.type});
    case 'limit':
      return limited(state, event, policy);
    case 'overload':
      return overloaded(state, event, policy);
    case 'auth':
      return lasting(state, {...event, why: 'the agent is not logged in, or its key is refused'}, policy);
    case 'fatal':
      return lasting(state, {...event, why: event.what}, policy);
    default:
      return unreachable(event);
  }
};

/** Only a structured channel can tell that it is about to happen, and only a held hook can be in time. */
const compacting = (state: Working, event: Extract<Signal, {type: 'compaction-started'}>, policy: Policy): Step => {
  const then = event.trigger === 'manual' ? 'reinject' : policy.onCompaction;
  const notice = {is: 'compacting', leg: state.leg, trigger: event.trigger, then} as const;
  if (then === 'restart') {
    const dead = die(state, {...event, cause: 'compaction'});
    return step(dead.state, {do: 'tell', notice}, ...dead.effects);
  }
  const asked = capture(state, {trigger: 'pre-compaction'});
  return step(
    {...state, ledger: asked.ledger, held: then === 'reinject' ? 'reinject' : 'allow'},
    {do: 'tell', notice},
    asked.effect,
  );
};

const letGo = (state: Working, how: Working['held']): Step =>
  how === 'no' ? step(state) : step({...state, held: 'no'}, {do: 'answer-hook', leg: state.leg, answer: how});

const captureFailed = (state: Working, what: string): Step => {
  const next = letGo(state, state.held === 'no' ? 'no' : 'allow');
  return step(next.state, {do: 'tell', notice: {is: 'capture-failed', leg: state.leg, what}}, ...next.effects);
};

/** In a turn that is open already this is old news, from a slower channel: what was said in it since still holds. */
const atWork = (state: Working): Working => {
  const {ledger, turn} = state;
  const done = turn === 'open' ? ledger.done : undefined;
  return {...state, trouble: {is: 'none'}, turn: 'open', ledger: {...ledger, done, question: 'none'}};
};

const done = (state: Working, event: Extract<RunEvent, {type: 'done-asked'}>, policy: Policy): Step => {
  const next = {...state, ledger: {...state.ledger, done: event.note}};
  // With a person there the agent stays: it is they who say when it is enough.
  if (policy.attended) return step(next);
  // It is said in the midst of a turn, even if the news of that turn's beginning is still on its way.
  return step({...next, turn: 'open'}, {do: 'set-timer', name: 'done-by', until: later(event.at, policy.doneGraceMs)});
};

const timer = (state: Working, event: Extract<RunEvent, {type: 'timer-fired'}>, policy: Policy): Step => {
  switch (event.name) {
    case 'leg-stable':
      return step({...state, ledger: {...state.ledger, streak: 0}});
    case 'time-over':
      return ended(state, {is: 'parked', why: TIME_OVER});
    case 'done-by':
      return state.ledger.done === undefined ? step(state) : ended(state, {is: 'done', note: state.ledger.done});
    case 'interval':
      return intervalOver(state, event.at, policy);
    case 'uptake-by':
      return uptakeMissed(state, event, policy);
    case 'approval-by':
      return approvalMissed(state, event.at);
    case 'idle-over':
      return idleOver(state, event.at, policy);
    case 'rest-over':
    case 'wait-over':
    case 'ready-by':
    case 'capture-again':
      return step(state);
    default:
      return unreachable(event.name);
  }
};
