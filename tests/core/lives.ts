// Random lives of a run: chance, policy and weather from fast-check, played in the world in miniature and watched.

import fc from 'fast-check';
import type {Effect} from '../../src/core/effects.ts';
import type {RunEvent, TimerName} from '../../src/core/events.ts';
import type {Policy} from '../../src/core/policy.ts';
import type {RunState, StateName} from '../../src/core/state.ts';
import {beginRun, transition} from '../../src/core/transition.ts';
import {automaticTriggers} from '../../src/core/triggers.ts';
import {oldBaton, T} from './samples.ts';
import {newWatcher} from './watcher.ts';
import {type Facts, newWorld, playTape} from './world.ts';

const ms = fc.constantFrom(0, 1, 700, 5000, 60_000, 900_000);
export const policies: fc.Arbitrary<Policy> = fc.record({
  headless: fc.constantFrom(true, false, false),
  untilDone: fc.boolean(),
  attended: fc.constantFrom(true, false, false),
  onCompaction: fc.constantFrom('restart' as const, 'reinject' as const, 'observe' as const),
  leftovers: fc.constantFrom('keep' as const, 'end' as const),
  maxLegs: fc.constantFrom(1, 9, 99, 99),
  maxMs: fc.constantFrom(5000, 1e7, 1e9, 1e10, 1e11),
  maxTokens: fc.constantFrom(undefined, undefined, 1000),
  maxDollars: fc.constantFrom(undefined, undefined, 5),
  takeovers: fc.constantFrom([], [], ['codex'], ['codex', 'practice']),
  budget: fc.record({legs: fc.constantFrom(1, 5, 99, 99), windowMs: ms}),
  backoff: fc.record({firstMs: ms, maxMs: ms, stableMs: ms}),
  limit: fc.record({marginMs: ms, unknownMs: ms, maxWaitMs: fc.constantFrom(0, 60_000, 1e6, 1e9, 1e9), takeoverMs: ms}),
  overload: fc.record({firstMs: ms, maxMs: ms}),
  nudge: fc.record({max: fc.integer({min: 0, max: 3}), waitMs: ms, idleMs: ms}),
  hang: fc.record({thinkingMs: ms, toolMs: ms}),
  saves: fc.record({
    triggers: fc.subarray([...automaticTriggers]),
    intervalMs: fc.constantFrom(700, 60_000, 900_000),
    keep: fc.constant(9),
  }),
  capture: fc.record({againMs: ms, giveUpMs: fc.oneof(fc.constant(0), ms)}),
  approval: fc.record({on: fc.boolean(), waitMs: ms}),
  uptakeMs: ms,
  doneGraceMs: ms,
  assumeReadyMs: fc.option(ms, {nil: undefined}),
  wakesMs: ms,
  context: fc.constant({share: 0.85, windowTokens: undefined}),
});

export interface Life {
  tape: number[];
  policy: Policy;
  steady: boolean;
  mild: boolean;
  /** Does leg 1 take a baton up? */
  continues: boolean;
}

export const lives: fc.Arbitrary<Life> = fc.record({
  tape: fc.array(fc.noBias(fc.nat({max: 9999})), {maxLength: 1000, size: 'max'}),
  policy: policies,
  steady: fc.boolean(),
  mild: fc.boolean(),
  continues: fc.boolean(),
});

export interface Story {
  end: RunState;
  cells: Set<string>;
  effects: Effect[];
}

/** A bug that goes round in circles would not end by itself. */
const MAX_STEPS = 3000;

/** Plays a life to its end. With `last`: when the tape is over this happens, and then no timer fires any more. */
export const live = ({tape: numbers, policy, steady, mild, continues}: Life, last?: RunEvent): Story => {
  const tape = playTape(numbers);
  const world = newWorld(tape, {steady, mild}, T);
  const watcher = newWatcher(policy, {steady});
  const begun = beginRun(T, continues ? oldBaton : undefined, policy);
  const story: Story = {end: begun.state, cells: new Set(), effects: [...begun.effects]};
  watcher.begin(begun.effects);
  for (const effect of begun.effects) world.perform(effect);
  let isLast = false;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const comes: RunEvent | undefined = last && tape.isOver() && !isLast ? last : undefined;
    isLast ||= comes !== undefined;
    if (isLast) world.facts.timers.clear();
    const event = comes ?? world.next();
    if (!event) break;
    const before = story.end;
    const {state: after, effects} = transition(before, event, policy);
    story.cells.add(`${before.at} × ${event.type}`);
    story.effects.push(...effects);
    story.end = after;
    watcher.see({before, event, after, effects});
    for (const effect of effects) world.perform(effect);
    waitsForSomething(after, world.facts);
  }
  leavesNothing(story.end, world.facts);
  return story;
};

/** No state waits for what cannot come, and nobody is forgotten in a hook. */
const waitsForSomething = (state: RunState, {agent, pending, timers, inbox}: Facts): void => {
  const posted = (fits: (event: RunEvent) => boolean) => inbox.some(fits);
  const process =
    (agent?.alive === true && agent.leg === state.leg) ||
    pending.some((one) => (one.is === 'spawn' || one.is === 'exit') && one.leg === state.leg) ||
    posted((event) => (event.type === 'agent-exited' || event.type === 'spawn-failed') && event.leg === state.leg);
  const capture =
    pending.some((one) => one.is === 'capture' && one.capture === state.ledger.captures) ||
    posted((event) => 'capture' in event && event.capture === state.ledger.captures);
  const timer = (name: TimerName) =>
    timers.has(name) || posted((event) => event.type === 'timer-fired' && event.name === name);
  const waits: Record<StateName, boolean> = {
    starting: process,
    working: process,
    waiting: process && timer('wait-over'),
    capturing: capture || timer('capture-again'),
    stopping: process,
    restoring:
      pending.some((one) => one.is === 'restore') ||
      posted((event) => event.type === 'restored' || event.type === 'restore-failed'),
    resting: timer('rest-over'),
    finishing: state.at === 'finishing' && (state.alive ? process : capture),
    over: timers.size === 0,
  };
  if (!waits[state.at]) throw new Error(`${state.at} waits for nothing`);
  const isFree = state.at === 'starting' || state.at === 'working' || state.at === 'waiting';
  const isAsked =
    pending.some((one) => one.is === 'signal' && one.event.type === 'compaction-started') ||
    posted((event) => event.type === 'compaction-started');
  if (isFree && agent?.held && !capture && !isAsked) throw new Error(`forgotten in its hook, in ${state.at}`);
};

const leavesNothing = (state: RunState, {agent, timers}: Facts): void => {
  if (state.at !== 'over') throw new Error(`the run never ends: ${state.at}`);
  if (agent?.alive) throw new Error('an agent is left behind');
  if (timers.size > 0) throw new Error('a timer is left behind');
};
