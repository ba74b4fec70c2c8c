import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {later, millis} from '../../../src/core/ids.ts';
import {openClock} from '../../../src/io/machine/clock.ts';

const DAY = 24 * 3600 * 1000;

beforeEach(() => {
  vi.useFakeTimers({now: millis(1_794_996_000_000)});
});
afterEach(() => {
  vi.useRealTimers();
});

test('a timer fires at its time, once, and not before', () => {
  const clock = openClock();
  const wake = vi.fn();
  clock.wakeAt('rest-over', later(clock.now(), 1000), wake);
  vi.advanceTimersByTime(999);
  expect(wake).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1);
  expect(wake).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(DAY);
  expect(wake).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a time that is past fires at once, but not inside the call', () => {
  const clock = openClock();
  const wake = vi.fn();
  clock.wakeAt('rest-over', later(clock.now(), -5000), wake);
  expect(wake).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1);
  expect(wake).toHaveBeenCalledTimes(1);
});

test('a wait longer than 2^31 ms neither fires early nor is lost', () => {
  const clock = openClock();
  const wake = vi.fn();
  clock.wakeAt('wait-over', later(clock.now(), 40 * DAY), wake);
  vi.advanceTimersByTime(40 * DAY - 1);
  expect(wake).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1);
  expect(wake).toHaveBeenCalledTimes(1);
});

test('after the machine slept past the time, the timer fires within 30 s of waking', () => {
  const clock = openClock();
  const wake = vi.fn();
  clock.wakeAt('wait-over', later(clock.now(), 5 * 3600 * 1000), wake);
  vi.advanceTimersByTime(60_000);
  // Asleep: the wall goes on, the timers of the process do not.
  vi.setSystemTime(Date.now() + 6 * 3600 * 1000);
  expect(wake).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(30_000);
  expect(wake).toHaveBeenCalledTimes(1);
});

test('a wall clock that is set back by a day makes no wait longer', () => {
  const clock = openClock();
  const wake = vi.fn();
  clock.wakeAt('rest-over', later(clock.now(), 1000), wake);
  vi.advanceTimersByTime(500);
  vi.setSystemTime(Date.now() - DAY);
  vi.advanceTimersByTime(499);
  expect(wake).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1);
  expect(wake).toHaveBeenCalledTimes(1);
});

test('setting a timer again moves it; cancel and close end it', () => {
  const clock = openClock();
  const wake = vi.fn();
  clock.wakeAt('leg-stable', later(clock.now(), 100), () => wake('first'));
  clock.wakeAt('leg-stable', later(clock.now(), 200), () => wake('second'));
  clock.wakeAt('time-over', later(clock.now(), 300), () => wake('time'));
  clock.wakeAt('rest-over', later(clock.now(), 300), () => wake('rest'));
  clock.cancel('rest-over');
  vi.advanceTimersByTime(250);
  expect(wake.mock.calls).toEqual([['second']]);
  clock.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(DAY);
  expect(wake.mock.calls).toEqual([['second']]);
});

test('a timer may be set anew from its own wake', () => {
  const clock = openClock();
  const at: number[] = [];
  const again = (): void => {
    at.push(Date.now());
    if (at.length < 3) clock.wakeAt('rest-over', later(clock.now(), 10), again);
  };
  const start = Date.now();
  clock.wakeAt('rest-over', later(clock.now(), 10), again);
  vi.advanceTimersByTime(1000);
  expect(at.map((time) => time - start)).toEqual([10, 20, 30]);
});
