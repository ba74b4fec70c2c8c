// The budget with a fed clock: how many legs in how long, with what pauses, and what is said when it is spent.

import {describe, expect, test} from 'vitest';
import {type Millis, millis} from '../../src/core/ids.ts';
import {defaultPolicy, type Policy} from '../../src/core/policy.ts';
import {afterDeath, limitWait, overloadWait, tooLongToWait} from '../../src/core/restart-budget.ts';
import type {DeathCause, Ledger} from '../../src/core/state.ts';
import {beginRun, transition} from '../../src/core/transition.ts';
import {crash, ledger} from './samples.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 09:15 on some day; a multiple of 997 ms, so that the ladder has no jitter. */
const START = Math.floor(1_795_000_000_000 / 997) * 997;

interface Fall {
  /** Minutes after the start. */
  min: number;
  cause?: DeathCause;
  progress?: boolean;
  leg?: number;
  notBefore?: Millis;
  /** Was the leg stable before it died? */
  stable?: boolean;
}

/** The deaths of a run one after the other: the pause after each in ms, or the words with which it parks. */
const fates = (falls: Fall[], policy: Policy = defaultPolicy): (number | string)[] => {
  let before: Ledger = ledger();
  return falls.map(({min, cause = 'crashed', progress = false, leg = 2, notBefore, stable = false}) => {
    if (stable) before = {...before, streak: 0};
    const at = millis(START + min * MINUTE);
    const death = {cause, at, evidence: [], exit: undefined, notBefore};
    const verdict = afterDeath(before, {at, leg, death, progress}, policy);
    before = verdict.ledger;
    return verdict.go ? verdict.until - at : verdict.why;
  });
};

const every = (minutes: number, times: number, fall: Omit<Fall, 'min'> = {}): Fall[] =>
  Array.from({length: times}, (_, n) => ({min: n * minutes, ...fall}));

describe('the pause before the next leg', () => {
  const patient = {...defaultPolicy, budget: {legs: 99, windowMs: 15 * MINUTE}};

  test('legs without progress: 1 s, doubled each time, at most 10 min', () => {
    const seconds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600];
    expect(fates(every(20, 13), patient)).toEqual(seconds.map((s) => s * SECOND));
  });

  test('a thousand in a row are still a finite pause', () => {
    expect(fates(every(20, 1100), patient).at(-1)).toBe(10 * MINUTE);
  });

  test.each(['compaction', 'compaction-failed', 'context-full', 'handoff'] as const)(
    'a %s after progress: none, nothing is wrong',
    (cause) => {
      expect(fates([{min: 0, cause, progress: true}])).toEqual([0]);
    },
  );

  test.each(['compaction', 'compaction-failed', 'context-full', 'handoff'] as const)(
    'a %s without progress is backed off like a crash',
    (cause) => {
      expect(fates(every(20, 3, {cause}), patient)).toEqual([1000, 2000, 4000]);
    },
  );

  test.each(['crashed', 'killed'] as const)('an agent that %s after progress: the shortest', (cause) => {
    expect(fates(every(1, 3, {cause, progress: true}))).toEqual([1000, 1000, 1000]);
  });

  test('progress starts the backoff again', () => {
    expect(fates([...every(20, 3), {min: 60, progress: true}, {min: 80}], patient)).toEqual([
      1000, 2000, 4000, 1000, 1000,
    ]);
  });

  test('a stable leg starts the backoff again', () => {
    expect(fates([...every(20, 3), {min: 100, stable: true}], patient)).toEqual([1000, 2000, 4000, 1000]);
  });
});

describe('when it is spent', () => {
  test('5 legs without progress in 15 min: parked, with the numbers', () => {
    expect(fates(every(2, 5))).toEqual([1000, 2000, 4000, 8000, '5 legs without progress in 15 min (last: crashed)']);
  });

  test('the words name the policy’s own numbers and the last cause', () => {
    const strict = {...defaultPolicy, budget: {legs: 2, windowMs: 20 * SECOND}};
    expect(fates(every(0.1, 2, {cause: 'context-full'}), strict).at(-1)).toBe(
      '2 legs without progress in 20 s (last: context-full)',
    );
  });

  test('5 in a little more than 15 min: not parked', () => {
    expect(fates([0, 4, 8, 12, 15].map((min) => ({min}))).at(-1)).toBe(16_000);
    expect(fates([0, 4, 8, 12, 14.99].map((min) => ({min}))).at(-1)).toContain('5 legs');
  });

  test('legs with progress do not count, and do not wipe out those without', () => {
    const falls = [0, 1, 2, 3, 4, 5, 6, 7].map((min) => ({min, progress: min % 2 === 1}));
    expect(fates([...falls, {min: 8}])).toEqual([
      1000,
      1000,
      1000,
      1000,
      1000,
      1000,
      1000,
      1000,
      '5 legs without progress in 15 min (last: crashed)',
    ]);
  });

  test('limits and overloads are the provider’s: not counted, however many', () => {
    expect(fates(every(0.1, 50, {cause: 'limit'})).at(-1)).toBe(15 * MINUTE);
    expect(fates(every(0.1, 50, {cause: 'overload'})).every((fate) => typeof fate === 'number')).toBe(true);
    // And they do not stretch the backoff of the crashes among them.
    expect(fates([{min: 0}, {min: 1, cause: 'limit'}, {min: 2, cause: 'overload'}, {min: 3}])).toEqual([
      1000,
      15 * MINUTE,
      expect.any(Number),
      2000,
    ]);
  });

  test('--max-legs: the last leg has no successor, with or without progress', () => {
    const few = {...defaultPolicy, maxLegs: 3};
    expect(fates([{min: 0, leg: 2, progress: true}], few)).toEqual([1000]);
    expect(fates([{min: 0, leg: 3, progress: true}], few)).toEqual(['leg 3 of at most 3 (--max-legs)']);
  });
});

describe('waiting for the provider', () => {
  const at = millis(START);
  const resets = (ms: number) => limitWait(millis(START + ms), at, defaultPolicy);

  test('a limit: until its end and a margin; from its end on, the margin alone', () => {
    expect(resets(HOUR)).toBe(HOUR + 30 * SECOND);
    expect(resets(0)).toBe(30 * SECOND);
    expect(resets(-HOUR)).toBe(30 * SECOND);
  });

  test('a limit of unknown end: a cheap try every 15 min', () => {
    expect(limitWait(undefined, at, defaultPolicy)).toBe(15 * MINUTE);
  });

  test('the next leg comes not before the limit’s end', () => {
    expect(fates([{min: 0, cause: 'limit', notBefore: millis(START + HOUR)}])).toEqual([HOUR + 30 * SECOND]);
    // Nobody need stand aside for a leg that is gone.
    const wakes = {...defaultPolicy, wakesMs: 2 * MINUTE};
    expect(fates([{min: 0, cause: 'limit', notBefore: millis(START + HOUR)}], wakes)).toEqual([HOUR + 30 * SECOND]);
  });

  test('longer than --max-wait: parked, with both numbers', () => {
    expect(fates([{min: 0, cause: 'limit', notBefore: millis(START + 9 * DAY)}])).toEqual([
      'the usage limit ends in 9 days, later than --max-wait allows (8 days)',
    ]);
    expect(tooLongToWait(8 * DAY, ledger(), defaultPolicy)).toBeUndefined();
    expect(tooLongToWait(8 * DAY + 1, ledger(), defaultPolicy)).toBeDefined();
  });

  test('a reset time from outer space is too long, not an error', () => {
    expect(fates([{min: 0, cause: 'limit', notBefore: millis(9e18)}])[0]).toContain('later than --max-wait allows');
  });

  test('--max-wait is about limits: other pauses may be longer', () => {
    const hasty = {...defaultPolicy, limit: {...defaultPolicy.limit, maxWaitMs: 0}};
    expect(fates([{min: 0}, {min: 1, cause: 'overload'}], hasty)).toEqual([1000, expect.any(Number)]);
    expect(fates([{min: 0, cause: 'limit'}], hasty)[0]).toContain('--max-wait');
  });

  test('the words choose a unit in which the number is at least two', () => {
    const short = (maxWaitMs: number) => ({...defaultPolicy, limit: {...defaultPolicy.limit, maxWaitMs}});
    const words = (ms: number) => tooLongToWait(ms, ledger(), short(0))?.split(',')[0];
    expect([1999, 2000, 90_000, 2 * MINUTE, 90 * MINUTE, 36 * HOUR, 2 * DAY].map(words)).toEqual([
      'the usage limit ends in 1999 ms',
      'the usage limit ends in 2 s',
      'the usage limit ends in 90 s',
      'the usage limit ends in 2 min',
      'the usage limit ends in 90 min',
      'the usage limit ends in 36 h',
      'the usage limit ends in 2 days',
    ]);
  });

  test('the ladder of overloads: 30 s, doubled each time, at most 5 min', () => {
    const rungs = [0, 1, 2, 3, 4, 5, 60, 2000].map((times) => overloadWait(times, at, defaultPolicy) / SECOND);
    expect(rungs).toEqual([30, 60, 120, 240, 300, 300, 300, 300]);
  });

  test('a leg that got on and died of something else was answered: the ladder begins anew', () => {
    const at = millis(START);
    const death = {cause: 'killed' as const, at, evidence: [], exit: crash, notBefore: undefined};
    const rungs = (progress: boolean) =>
      afterDeath(ledger({overloads: 3}), {at, leg: 2, death, progress}, defaultPolicy).ledger.overloads;
    expect([rungs(true), rungs(false)]).toEqual([0, 3]);
  });

  test('its jitter lengthens by at most a fifth, and runs that fail together come back apart', () => {
    const waits = Array.from({length: 2000}, (_, ms) => overloadWait(0, millis(START + ms), defaultPolicy));
    expect(Math.min(...waits)).toBe(30 * SECOND);
    expect(Math.max(...waits)).toBeLessThanOrEqual(36 * SECOND);
    expect(Math.max(...waits)).toBeGreaterThan(35.9 * SECOND);
    expect(new Set(waits).size).toBeGreaterThan(900);
  });

  test('a leg that dies of the overload it told is one rung, not two', () => {
    const at = millis(START);
    const death = {cause: 'overload' as const, at, evidence: [], exit: crash, notBefore: undefined};
    const told = ledger({overloads: 1});
    expect(afterDeath(told, {at, leg: 2, death, progress: false}, defaultPolicy)).toEqual({
      go: true,
      ledger: told,
      until: START + 30 * SECOND,
      recent: 0,
    });
  });
});

describe('a clock that is not to be trusted', () => {
  test('set back: earlier deaths count as of now, for one window and not for ever', () => {
    const back = [0, 1, 2, 3].map((min) => ({min: min + 600}));
    expect(fates([...back, {min: 0}]).at(-1)).toBe('5 legs without progress in 15 min (last: crashed)');
    expect(fates([...back.slice(1), {min: 0}, {min: 16}, {min: 17}]).at(-1)).toBe(32_000);
  });

  test('set ahead: earlier deaths are forgotten, the pause is not', () => {
    expect(fates([{min: 0}, {min: 1}, {min: 6000}])).toEqual([1000, 2000, 4000]);
  });

  test('time zero and before', () => {
    const at = millis(-5);
    const death = {cause: 'overload' as const, at, evidence: [], exit: undefined, notBefore: undefined};
    const verdict = afterDeath(ledger(), {at, leg: 2, death, progress: false}, defaultPolicy);
    expect(verdict.go && verdict.until - at).toBeGreaterThan(20 * SECOND);
  });
});

describe('a storm of agents that die as soon as they are ready', () => {
  /** Each leg gets ready, crashes `livesMs` later, and its checkpoint tells of its progress. */
  const storm = (policy: Policy, {livesMs, progress}: {livesMs: number; progress: boolean}) => {
    let now = START;
    let {state} = beginRun(millis(now), undefined, policy);
    const spawns = [1];
    const happens = (event: object): void => {
      const step = transition(state, {at: millis(now), leg: state.leg, ...event} as never, policy);
      state = step.state;
      for (const effect of step.effects) if (effect.do === 'spawn-leg') spawns.push(effect.leg);
    };
    while (state.at !== 'over' && spawns.length < 500) {
      happens({type: 'ready', evidence: [], proof: true});
      now += livesMs;
      happens({type: 'agent-exited', exit: crash, meaning: 'crashed'});
      happens({type: 'checkpoint-written', capture: state.ledger.captures, id: 'x', progress});
      if (state.at !== 'resting') continue;
      now = state.until;
      happens({type: 'timer-fired', name: 'rest-over'});
    }
    return {legs: spawns.length, outcome: state.at === 'over' ? state.outcome : undefined, ms: now - START};
  };

  test('uses the budget’s 5 legs and not one more, then parks and says why', () => {
    expect(storm(defaultPolicy, {livesMs: 10, progress: false})).toEqual({
      legs: 5,
      outcome: {is: 'parked', why: '5 legs without progress in 15 min (last: crashed)'},
      ms: 5 * 10 + 15 * SECOND,
    });
  });

  test('with progress each time it may go on, never two legs within a second, up to --max-legs', () => {
    const {legs, outcome, ms} = storm(defaultPolicy, {livesMs: 10, progress: true});
    expect(legs).toBe(200);
    expect(outcome).toEqual({is: 'parked', why: 'leg 200 of at most 200 (--max-legs)'});
    expect(ms).toBe(199 * SECOND + 200 * 10);
  });

  test('legs that live longer than the window are no storm: the backoff alone slows them', () => {
    const {legs, outcome} = storm({...defaultPolicy, maxLegs: 12}, {livesMs: 16 * MINUTE, progress: false});
    expect(legs).toBe(12);
    expect(outcome).toEqual({is: 'parked', why: 'leg 12 of at most 12 (--max-legs)'});
  });
});
