// Checkpoints that nobody asked for: now and then while work happens, and at moments that are worth one.

import {capture, isCapturing, type Step, step} from '../cells/step.ts';
import type {Effect} from '../effects.ts';
import type {RunEvent} from '../events.ts';
import {later, type Millis} from '../ids.ts';
import type {Policy} from '../policy.ts';
import type {RunState} from '../state.ts';
import type {AutomaticTrigger} from '../triggers.ts';

type Working = Extract<RunState, {at: 'working'}>;

/** Near its end the agent is also told, once: it knows what no log tells. */
export const momentSeen = (
  state: Working,
  {trigger}: Extract<RunEvent, {type: 'moment-seen'}>,
  {saves}: Policy,
): Step => {
  const next = saves.triggers.includes(trigger) ? saved(state, trigger) : step(state);
  return trigger === 'threshold' ? step(next.state, ...next.effects, {do: 'hint', leg: state.leg}) : next;
};

export const intervalOver = (state: Working, at: Millis, policy: Policy): Step => {
  const next = saved(state, 'interval');
  return step(next.state, ...next.effects, ...nextInterval(at, policy));
};

export const nextInterval = (at: Millis, {saves}: Policy): Effect[] =>
  saves.triggers.includes('interval') ? [{do: 'set-timer', name: 'interval', until: later(at, saves.intervalMs)}] : [];

/** One at a time; and whoever is held in a hook waits for that one. */
const saved = (state: Working, trigger: AutomaticTrigger): Step => {
  if (state.held !== 'no' || isCapturing(state.ledger)) return step(state);
  const asked = capture(state, {trigger});
  return step({...state, ledger: asked.ledger}, asked.effect);
};
