// Between two legs: nobody is alive, everything is on disk.

import type {RunEvent} from '../events.ts';
import {legNumber} from '../ids.ts';
import type {RunState} from '../state.ts';
import {unreachable} from '../unreachable.ts';
import {TERMINAL_GONE, TIME_OVER} from './park-words.ts';
import {begin, goBack, over, type Step, step} from './step.ts';

type Resting = Extract<RunState, {at: 'resting'}>;

export const fromResting = (state: Resting, event: RunEvent): Step => {
  switch (event.type) {
    case 'timer-fired':
      if (event.name === 'rest-over') return begin({leg: legNumber(state.leg + 1), ledger: state.ledger});
      return event.name === 'time-over' ? over(state, {is: 'parked', why: TIME_OVER}) : step(state);
    case 'handoff-asked': {
      // Somebody does not want to wait.
      const begun = begin({leg: legNumber(state.leg + 1), ledger: state.ledger});
      return step(begun.state, {do: 'cancel-timer', name: 'rest-over'}, ...begun.effects);
    }
    case 'restore-asked': {
      const back = goBack(state, event.back, undefined);
      return step(back.state, {do: 'cancel-timer', name: 'rest-over'}, ...back.effects);
    }
    case 'quit-asked':
      // Nobody was there to be ended: the dead leg's exit is its certificate's.
      return over(state, {is: 'quit', signal: event.signal, exit: undefined});
    case 'hangup':
      return over(state, {is: 'parked', why: TERMINAL_GONE});
    case 'done-asked':
      return over(state, {is: 'done', note: event.note});
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
    case 'agent-exited':
    case 'checkpoint-written':
    case 'checkpoint-skipped':
    case 'checkpoint-failed':
    case 'restored':
    case 'restore-failed':
      return step(state);
    default:
      return unreachable(event);
  }
};
