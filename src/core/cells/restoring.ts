// Nobody is alive; files and baton go back to an earlier checkpoint, behind one of the present.

import type {Effect} from '../effects.ts';
import type {RunEvent} from '../events.ts';
import {legNumber, type Millis} from '../ids.ts';
import type {Policy} from '../policy.ts';
import type {Outcome, RunState} from '../state.ts';
import {unreachable} from '../unreachable.ts';
import {TERMINAL_GONE, TIME_OVER} from './park-words.ts';
import {begin, nextLeg, over, type Step, step} from './step.ts';

type Restoring = Extract<RunState, {at: 'restoring'}>;

export const fromRestoring = (state: Restoring, event: RunEvent, policy: Policy): Step => {
  switch (event.type) {
    case 'restored': {
      // Whoever refused batons before has not seen this one.
      const ledger = {...state.ledger, back: undefined, checkpoint: event.id, untaken: 0};
      return goesOn({...state, ledger}, {at: event.at, notice: restored(state)}, policy);
    }
    case 'restore-failed': {
      const ledger = {...state.ledger, back: undefined};
      const to = state.ledger.back?.to;
      const notice: Effect[] =
        to === undefined ? [] : [{do: 'tell', notice: {is: 'restore-failed', leg: state.leg, to, what: event.what}}];
      return goesOn({...state, ledger}, {at: event.at, notice}, policy);
    }
    case 'quit-asked':
    case 'hangup':
    case 'done-asked':
      return ended(state, outcomeOf(state, event));
    case 'timer-fired':
      return event.name === 'time-over' ? ended(state, {is: 'parked', why: TIME_OVER}) : step(state);
    case 'restore-asked':
    // One at a time: files that are on their way cannot be called back.
    case 'handoff-asked':
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
      return step(state);
    default:
      return unreachable(event);
  }
};

type Asked = Extract<RunEvent, {type: 'quit-asked' | 'hangup' | 'done-asked'}>;

const outcomeOf = (state: Restoring, event: Asked): Outcome => {
  if (event.type === 'hangup') return {is: 'parked', why: TERMINAL_GONE};
  return event.type === 'done-asked'
    ? {is: 'done', note: event.note}
    : {is: 'quit', signal: event.signal, exit: state.dead?.death.exit};
};

/** The first end wins; it comes when the files are in their place. */
const ended = (state: Restoring, outcome: Outcome): Step => step({...state, outcome: state.outcome ?? outcome});

const restored = ({leg, ledger: {back}}: Restoring): Effect[] =>
  back === undefined ? [] : [{do: 'tell', notice: {is: 'restored', leg, to: back.to}}];

const goesOn = (
  {leg, ledger, dead, outcome}: Restoring,
  {at, notice}: {at: Millis; notice: Effect[]},
  policy: Policy,
): Step => {
  const next =
    outcome !== undefined
      ? over({leg, ledger}, outcome, dead)
      : dead === undefined
        ? begin({leg: legNumber(leg + 1), ledger})
        : nextLeg({leg, ledger}, {...dead, at}, policy);
  return step(next.state, ...notice, ...next.effects);
};
