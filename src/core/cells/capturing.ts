// The death is decided; its checkpoint is being made.

import type {RunEvent, TimerName} from '../events.ts';
import {later, type Millis} from '../ids.ts';
import type {Policy} from '../policy.ts';
import type {Outcome, RunState} from '../state.ts';
import {nextInterval} from '../turns/saving.ts';
import {unreachable} from '../unreachable.ts';
import {TERMINAL_GONE, TIME_OVER} from './park-words.ts';
import {captureDeath, finish, isCapturing, nextLeg, type Step, step} from './step.ts';

type Capturing = Extract<RunState, {at: 'capturing'}>;

export const fromCapturing = (state: Capturing, event: RunEvent, policy: Policy): Step => {
  switch (event.type) {
    case 'checkpoint-written':
      return written(state, event, policy);
    case 'checkpoint-failed':
      return failed(state, event, policy);
    case 'agent-exited':
      return exited(state, event);
    case 'quit-asked':
      return ended(state, {is: 'quit', signal: event.signal, exit: state.death.exit});
    case 'hangup':
      return ended(state, {is: 'parked', why: TERMINAL_GONE});
    case 'done-asked':
      return ended(state, {is: 'done', note: event.note});
    case 'timer-fired':
      return timeOut(state, event.name);
    case 'checkpoint-skipped':
    // Only automatic ones are ever skipped.
    case 'ready':
    case 'busy':
    case 'idle':
    case 'waiting-for-person':
    case 'compaction-started':
    case 'compaction-done':
    case 'compaction-failed':
    case 'context-full':
    case 'limit':
    case 'overload':
    case 'auth':
    case 'fatal':
    case 'hang-seen':
    case 'moment-seen':
    case 'uptake-seen':
    case 'usage-seen':
    case 'call-held':
    case 'approval-said':
    case 'leg-spawned':
    case 'spawn-failed':
    case 'handoff-asked':
    case 'restored':
    case 'restore-failed':
      return step(state);
    case 'restore-asked':
      return step({...state, ledger: {...state.ledger, back: event.back}});
    default:
      return unreachable(event);
  }
};

const written = (state: Capturing, event: Extract<RunEvent, {type: 'checkpoint-written'}>, policy: Policy): Step => {
  const {leg, death} = state;
  const {progress} = event;
  const ledger = {...state.ledger, checkpoint: event.id};
  return state.alive
    ? step({at: 'stopping', leg, ledger, death, progress}, {do: 'stop-agent', leg, because: 'handoff'})
    : nextLeg({leg, ledger}, {death, progress, at: event.at}, policy);
};

const timeOut = (state: Capturing, name: TimerName): Step => {
  // It fires once: who lets it pass here runs without a limit.
  if (name === 'time-over') return ended(state, {is: 'parked', why: TIME_OVER});
  if (name !== 'capture-again') return step(state);
  const {ledger, effect} = captureDeath(state, state.death);
  return step({...state, ledger}, effect);
};

/**
 * A disk is full for a moment more often than for long. Whoever asked for it wants to hear at once that it fails, while
 * the agent can still go on.
 */
const mayTryAgain = ({death, alive}: Capturing, at: Millis, {capture}: Policy): boolean =>
  !(alive && ['handoff', 'restore'].includes(death.cause)) && Math.abs(at - death.at) < capture.giveUpMs;

/**
 * Nothing may be handed on that is not on disk. A living agent is better than none: it goes on bare. A dead one's work
 * is in its session log; an older baton would have it done twice, so the run parks.
 */
const failed = (state: Capturing, event: Extract<RunEvent, {type: 'checkpoint-failed'}>, policy: Policy): Step => {
  const {leg, death, alive} = state;
  if (mayTryAgain(state, event.at, policy)) {
    return step(state, {do: 'set-timer', name: 'capture-again', until: later(event.at, policy.capture.againMs)});
  }
  // Without the present on disk nobody could come back from there.
  const ledger = {...state.ledger, back: undefined};
  const told = {do: 'tell', notice: {is: 'capture-failed', leg, what: event.what}} as const;
  const goesOn = policy.attended || ['compaction', 'handoff', 'restore'].includes(death.cause);
  if (alive && goesOn) {
    return step(
      {at: 'working', leg, ledger, trouble: {is: 'none'}, held: 'no', turn: 'open'},
      told,
      {do: 'answer-hook', leg, answer: 'allow'},
      {do: 'set-timer', name: 'leg-stable', until: later(event.at, policy.backoff.stableMs)},
      ...nextInterval(event.at, policy),
    );
  }
  const why = `the checkpoint could not be written: ${event.what}`;
  const dead = {death, progress: false};
  const end = finish({leg, ledger}, {outcome: {is: 'parked', why}, alive, capture: 'done', dead});
  return step(end.state, told, ...end.effects);
};

/** The first cause stays; how the process then ended is only noted. */
const exited = (state: Capturing, {exit, meaning}: Extract<RunEvent, {type: 'agent-exited'}>): Step => {
  const gone: Capturing = {...state, alive: false, death: {...state.death, exit}};
  // It ended by itself before we had asked it to: the person's quit, or the end of its work. Neither is restarted,
  // unless a fresh leg was asked for.
  const isAsked = state.death.cause === 'handoff' || state.ledger.back !== undefined;
  return meaning === 'clean' && !isAsked ? ended(gone, {is: 'ended', exit}) : step(gone);
};

const ended = (state: Capturing, outcome: Outcome): Step =>
  finish(state, {
    ...{outcome, alive: state.alive},
    capture: isCapturing(state.ledger) ? 'pending' : 'wanted',
    dead: {death: state.death, progress: false},
  });
