// Final: nothing that happens changes it any more.

import type {RunEvent} from '../events.ts';
import type {RunState} from '../state.ts';
import {unreachable} from '../unreachable.ts';
import {type Step, step} from './step.ts';

export const fromOver = (state: Extract<RunState, {at: 'over'}>, event: RunEvent): Step => {
  switch (event.type) {
    case 'leg-spawned':
      // A process that nobody waits for any more must not be left behind.
      return step(state, {do: 'stop-agent', leg: state.leg, because: 'finish'});
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
    case 'spawn-failed':
    case 'agent-exited':
    case 'checkpoint-written':
    case 'checkpoint-skipped':
    case 'checkpoint-failed':
    case 'timer-fired':
    case 'quit-asked':
    case 'hangup':
    case 'done-asked':
    case 'handoff-asked':
    case 'restore-asked':
    case 'restored':
    case 'restore-failed':
      return step(state);
    default:
      return unreachable(event);
  }
};
