// What the cells share: how a leg dies, how a run ends, how the next leg comes.

import type {Effect} from '../effects.ts';
import type {Evidence, ExitStatus, TimerName} from '../events.ts';
import type {GoBack} from '../go-back.ts';
import {captureNumber, type LegNumber, legNumber, type Millis} from '../ids.ts';
import type {Policy} from '../policy.ts';
import {afterDeath} from '../restart-budget.ts';
import type {Dead, Death, DeathCause, Ledger, Outcome, RunState, Usage} from '../state.ts';
import type {CaptureTrigger} from '../triggers.ts';
import {successorOf} from '../turns/takeover.ts';

export interface Step {
  state: RunState;
  effects: Effect[];
}

export const step = (state: RunState, ...effects: Effect[]): Step => ({state, effects});

/** What every state with a leg has. */
export interface OfLeg {
  leg: LegNumber;
  ledger: Ledger;
}

const legTimers: TimerName[] = [
  ...(['wait-over', 'leg-stable', 'ready-by', 'done-by', 'idle-over', 'interval', 'uptake-by', 'approval-by'] as const),
];
const quiet = (): Effect[] => legTimers.map((name) => ({do: 'cancel-timer', name}));

/** Is a capture in the making? Never more than one automatic one at a time. */
export const isCapturing = ({captures, reported}: Ledger): boolean => captures !== reported;

/** The ledger counts the capture; its report is known by that number. */
export const capture = (
  {leg, ledger}: OfLeg,
  {trigger, death}: {trigger: CaptureTrigger; death?: Death},
): {ledger: Ledger; effect: Effect} => {
  const number = captureNumber(ledger.captures + 1);
  return {
    ledger: {...ledger, captures: number},
    effect: {do: 'capture', leg, capture: number, trigger, death},
  };
};

export interface Cause {
  cause: DeathCause;
  at: Millis;
  evidence: Evidence[];
  exit?: ExitStatus | undefined;
  notBefore?: Millis | undefined;
}

/** The death is decided here, once. Its checkpoint comes next; an agent still alive is stopped after that. */
export const die = ({leg, ledger}: OfLeg, {cause, at, evidence, exit, notBefore}: Cause): Step => {
  const death: Death = {cause, at, evidence, exit, notBefore};
  const alive = exit === undefined;
  const trigger = triggerOf(death);
  // A successor is wanted: so the work is not done, whatever was said.
  const asked = capture({leg, ledger: {...ledger, done: undefined}}, {trigger, death});
  return step(
    {at: 'capturing', leg, ledger: asked.ledger, death, alive},
    ...quiet(),
    {do: 'end-tools', leg},
    asked.effect,
  );
};

export const triggerOf = ({cause}: Death): CaptureTrigger => (cause === 'compaction' ? 'pre-compaction' : 'death');

export interface Ending {
  outcome: Outcome;
  /** Must the process still be ended? */
  alive: boolean;
  /** The last checkpoint: wanted, being written already, or written (or none wanted). */
  capture: 'wanted' | 'pending' | 'done';
  dead?: Dead | undefined;
}

/** Towards the end: first the process, then the last checkpoint, then over. */
export const finish = ({leg, ledger}: OfLeg, ending: Ending): Step => {
  const {outcome, alive, dead} = ending;
  const rest = {at: 'finishing', leg, outcome, alive, dead} as const;
  if (alive) {
    const stop = {do: 'stop-agent', leg, because: 'finish'} as const;
    return step({...rest, ledger, capture: ending.capture}, ...quiet(), stop);
  }
  if (ending.capture === 'done') return over({leg, ledger}, outcome, dead);
  if (ending.capture === 'pending') return step({...rest, ledger, capture: 'pending'}, ...quiet());
  const asked = capture({leg, ledger}, {trigger: 'end'});
  return step({...rest, ledger: asked.ledger, capture: 'pending'}, ...quiet(), {do: 'end-tools', leg}, asked.effect);
};

export const over = ({leg, ledger}: OfLeg, outcome: Outcome, dead?: Dead): Step => {
  const decision = outcome.is === 'parked' ? `parked: ${outcome.why}` : `the run is over: ${outcome.is}`;
  const certified: Effect[] = dead ? [{do: 'certify', leg, ...dead, decision}] : [];
  const parked: Effect[] = outcome.is === 'parked' ? [{do: 'tell', notice: {is: 'parked', why: outcome.why}}] : [];
  return step(
    {at: 'over', leg, ledger, outcome},
    ...certified,
    ...quiet(),
    {do: 'cancel-timer', name: 'rest-over'},
    {do: 'cancel-timer', name: 'time-over'},
    ...parked,
    {do: 'finish', outcome},
  );
};

/** A living leg ends for it. */
export const dieToGoBack = ({leg, ledger}: OfLeg, {at, back}: {at: Millis; back: GoBack}): Step =>
  die(
    {leg, ledger: {...ledger, back}},
    {cause: 'restore', at, evidence: [{channel: 'process', detail: `ckpt restore ${back.to}`}]},
  );

/** The dead leg is buried; the budget says whether and when another one comes. */
export const nextLeg = (
  {leg, ledger: before}: OfLeg,
  {death, progress, at}: Dead & {at: Millis},
  policy: Policy,
): Step => {
  if (before.back !== undefined) return goBack({leg, ledger: before}, before.back, {death, progress});
  const died: Effect = {do: 'tell', notice: {is: 'leg-died', leg, death, progress}};
  const verdict = afterDeath(before, {at, leg, death, progress}, policy);
  const {ledger} = verdict;
  if (!verdict.go) {
    const other = verdict.ends === 'agent' ? successorOf(ledger, policy) : undefined;
    if (other !== undefined) return takeOver({leg, ledger}, {death, progress, other, why: verdict.why});
    const end = over({leg, ledger}, {is: 'parked', why: verdict.why}, {death, progress});
    return step(end.state, died, ...end.effects);
  }
  const next = legNumber(leg + 1);
  const {legs: budget, windowMs} = policy.budget;
  const inMs = verdict.until - at;
  const notice = {is: 'restarting', leg: next, inMs, recent: verdict.recent, budget, windowMs} as const;
  const told: Effect[] = [
    {do: 'certify', leg, death, progress, decision: `leg ${next} in ${inMs} ms`},
    died,
    {do: 'tell', notice},
  ];
  if (inMs === 0) {
    const begun = begin({leg: next, ledger});
    return step(begun.state, ...told, ...begun.effects);
  }
  return step({at: 'resting', leg, ledger, death, until: verdict.until}, ...told, {
    do: 'set-timer',
    name: 'rest-over',
    until: verdict.until,
  });
};

/** First the files and the baton: the next leg begins there. */
export const goBack = ({leg, ledger}: OfLeg, back: GoBack, dead: Dead | undefined): Step =>
  step({at: 'restoring', leg, ledger: {...ledger, back}, dead, outcome: undefined}, {do: 'restore', leg, back});

/** Another agent's first leg, with the same baton; what the one before could not do is not held against it. */
const takeOver = ({leg, ledger}: OfLeg, {other, why, ...dead}: Dead & {other: string; why: string}): Step => {
  const next = legNumber(leg + 1);
  const takenOver = [...ledger.takenOver, next];
  const fresh = {failures: [], streak: 0, overloads: 0, idles: 0, untaken: 0};
  const begun = begin({leg: next, ledger: {...ledger, ...fresh, takenOver}});
  return step(
    begun.state,
    {do: 'certify', leg, ...dead, decision: `${other} takes over with leg ${next}: ${why}`},
    {do: 'tell', notice: {is: 'leg-died', leg, ...dead}},
    {do: 'tell', notice: {is: 'taking-over', leg: next, agent: other, why}},
    {do: 'change-agent', to: takenOver.length},
    ...begun.effects,
  );
};

/** A fresh leg: the nudges were another's. After two that did not take the newest baton up, the last one that helped. */
export const begin = ({leg, ledger}: OfLeg): Step => {
  const given = ledger.untaken < 2 ? ledger.checkpoint : ledger.taken;
  const uptake = given === undefined ? 'none' : 'awaited';
  const begun: Ledger = {
    ...ledger,
    nudges: 0,
    asks: [],
    question: 'none',
    uptake,
    given,
    used: total(ledger),
    using: nothing,
  };
  return step({at: 'starting', leg, ledger: begun}, {do: 'spawn-leg', leg, baton: given});
};

export const nothing: Usage = {tokens: 0, dollars: 0};

/** Of all legs. */
export const total = ({used, using}: Ledger): Usage => ({
  tokens: used.tokens + using.tokens,
  dollars: used.dollars + using.dollars,
});
