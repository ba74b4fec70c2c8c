// Three runs on one machine, a usage limit, and a clock that is fed: one tries, the others follow at a distance.

import {expect, test} from 'vitest';
import {type Millis, millis} from '../../src/core/ids.ts';
import {askTurn, emptyRoom, tellClosed, tellLeft, tellOpened} from '../../src/core/turns/shared-wait.ts';
import type {SharedWait} from '../../src/ports.ts';
import {openWaitTurns} from '../../src/run/lookout/wait-turns.ts';
import {fakeClock} from '../fakes/clock.ts';

const START = 1_790_000_000_000;
const MINUTE = 60_000;

const oneRoom = () => {
  let room = emptyRoom;
  const of = (run: string): SharedWait => ({
    turn: async (until, now) => {
      const asked = askTurn(room, {run, until, now});
      room = asked.room;
      return asked.turn;
    },
    opened: (now) => {
      room = tellOpened(room, {run, now});
    },
    closed: (until, now) => {
      room = tellClosed(room, {run, until, now});
    },
    left: (now) => {
      room = tellLeft(room, {run, now});
    },
  });
  return of;
};

const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const limit = (until: number) => ({is: 'limit', leg: 1, until: millis(until), waits: true}) as never;
const woke = {is: 'woke', leg: 1, by: 'us'} as never;
const at = (minutes: number): Millis => millis(START + minutes * MINUTE);

const threeRuns = (of: (run: string) => SharedWait | undefined) => {
  const fired: string[] = [];
  const runs = ['a', 'b', 'c'].map((name) => {
    const {clock, advance} = fakeClock(START);
    const turns = openWaitTurns(clock, of(name));
    const arm = (until: Millis): void =>
      turns.arm(until, () => fired.push(`${name} ${Math.round((clock.now() - START) / 1000)}`));
    return {name, clock, advance, turns, arm};
  });
  return {
    fired,
    runs,
    pass: async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 1000) {
        for (const run of runs) run.advance(1000);
        await breath();
      }
    },
  };
};

test('one tries at the reset; it is answered; the others follow five seconds apart', async () => {
  const {fired, runs, pass} = threeRuns(oneRoom());
  for (const run of runs) {
    run.turns.hear(limit(at(10)));
    run.arm(at(10));
  }
  await pass(10 * MINUTE + 20_000);
  expect(fired).toEqual(['a 600']);
  // Its nudge has helped: 20 s later it works.
  runs[0]?.turns.hear(woke);
  await breath();
  await pass(2 * MINUTE);
  expect(fired).toHaveLength(3);
  const seconds = fired.map((one) => Number(one.split(' ')[1]));
  expect(fired.map((one) => one.split(' ')[0])).toEqual(['a', 'b', 'c']);
  expect((seconds[2] ?? 0) - (seconds[1] ?? 0)).toBeGreaterThanOrEqual(5);
  expect(seconds[2]).toBeLessThanOrEqual(600 + 90);
});

test('the one that tried is told of a later reset: nobody else asks before that', async () => {
  const {fired, runs, pass} = threeRuns(oneRoom());
  for (const run of runs) {
    run.turns.hear(limit(at(10)));
    run.arm(at(10));
  }
  await pass(10 * MINUTE + 5000);
  const [first] = runs;
  first?.turns.hear(limit(at(70)));
  first?.arm(at(70));
  await pass(59 * MINUTE);
  expect(fired).toEqual(['a 600']);
  await pass(2 * MINUTE);
  expect(fired).toHaveLength(2);
});

test('the check whether its own nudge helped is the run’s own: nobody is asked', async () => {
  const {fired, runs, pass} = threeRuns(oneRoom());
  const [first] = runs;
  first?.turns.hear(limit(at(1)));
  first?.arm(at(1));
  await pass(MINUTE + 1000);
  first?.arm(at(2));
  await pass(MINUTE);
  expect(fired).toEqual(['a 60', 'a 120']);
});

test('a wait that is cancelled, or set anew, fires no more', async () => {
  const {fired, runs, pass} = threeRuns(oneRoom());
  const [first, second] = runs;
  first?.turns.hear(limit(at(1)));
  first?.arm(at(1));
  first?.turns.cancel();
  second?.turns.hear(limit(at(1)));
  second?.arm(at(1));
  second?.arm(at(3));
  await pass(2 * MINUTE);
  expect(fired).toEqual([]);
  await pass(2 * MINUTE);
  expect(fired).toEqual(['b 180']);
});

test('without a room each waits for itself, as before', async () => {
  const {fired, runs, pass} = threeRuns(() => undefined);
  for (const run of runs) {
    run.turns.hear(limit(at(10)));
    run.arm(at(10));
  }
  await pass(10 * MINUTE);
  expect(fired).toEqual(['a 600', 'b 600', 'c 600']);
});
