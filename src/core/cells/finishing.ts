// The outcome is known; the end of the process and the last checkpoint are awaited.

import type {ExitStatus, RunEvent} from '../events.ts';
import type {Outcome, RunState} from '../state.ts';
import {unreachable} from '../unreachable.ts';
import {finish, over, type Step, step} from './step.ts';

type Finishing = Extract<RunState, {at: 'finishing'}>;

export const fromFinishing = (state: Finishing, event: RunEvent): Step => {
  switch (event.type) {
    case 'agent-exited':
      return exited(state, event.exit);
    case 'checkpoint-written': {
      const dead = state.dead && {...state.dead, progress: event.progress};
      return captured({...state, ledger: {...state.ledger, checkpoint: event.id}, dead});
    }
    case 'checkpoint-failed': {
      const told = {do: 'tell', notice: {is: 'capture-failed', leg: state.leg, what: event.what}} as const;
      const next = captured(state);
      return step(next.state, told, ...next.effects);
    }
    case 'leg-spawned':
      // It was asked for before the end was known, and could not be stopped before it was there.
      return state.alive ? step(state, {do: 'stop-agent', leg: state.leg, because: 'finish'}) : step(state);
    case 'spawn-failed':
      return exited(state, {code: 0, signal: undefined});
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

/** A checkpoint that was begun for another reason is not the last one: that comes when the process has ended. */
const captured = (state: Finishing): Step => {
  if (state.capture !== 'pending') return step(state);
  return state.alive ? step({...state, capture: 'done'}) : over(state, state.outcome, state.dead);
};

const exited = (state: Finishing, exit: ExitStatus): Step => {
  const outcome = withExit(state.outcome, exit);
  const dead = state.dead && {...state.dead, death: {...state.dead.death, exit}};
  return finish(state, {outcome, alive: false, capture: state.capture, dead});
};

/** Whoever quit wants the agent's own code. */
const withExit = (outcome: Outcome, exit: ExitStatus): Outcome =>
  outcome.is === 'quit' ? {...outcome, exit: outcome.exit ?? exit} : outcome;
