// The checkpoint is there; the process is being ended.

import type {ExitStatus, RunEvent} from '../events.ts';
import type {Outcome, RunState} from '../state.ts';
import {unreachable} from '../unreachable.ts';
import {TERMINAL_GONE, TIME_OVER} from './park-words.ts';
import {captureDeath, type Step, step} from './step.ts';

type Stopping = Extract<RunState, {at: 'stopping'}>;

export const fromStopping = (state: Stopping, event: RunEvent): Step => {
  switch (event.type) {
    case 'agent-exited':
      return exited(state, event.exit);
    case 'quit-asked':
      return ended(state, {is: 'quit', signal: event.signal, exit: undefined});
    case 'hangup':
      return ended(state, {is: 'parked', why: TERMINAL_GONE});
    case 'done-asked':
      return ended(state, {is: 'done', note: event.note});
    case 'timer-fired':
      return event.name === 'time-over' ? ended(state, {is: 'parked', why: TIME_OVER}) : step(state);
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
    case 'checkpoint-written':
    case 'checkpoint-skipped':
    case 'checkpoint-failed':
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

/** It worked on while its checkpoint was made, until its very end: only now is all of it there to be told. */
const exited = ({leg, ledger, ...state}: Stopping, exit: ExitStatus): Step => {
  const death = {...state.death, exit};
  const asked = captureDeath({leg, ledger}, death);
  return step({at: 'capturing', leg, ledger: asked.ledger, death, alive: false}, {do: 'end-tools', leg}, asked.effect);
};

/** It is being stopped already: only what comes after has changed. */
const ended = ({leg, ledger, death, progress}: Stopping, outcome: Outcome): Step =>
  step({at: 'finishing', leg, ledger, outcome, alive: true, capture: 'done', dead: {death, progress}});
