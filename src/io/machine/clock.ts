import type {TimerName} from '../../core/events.ts';
import {type Millis, millis} from '../../core/ids.ts';
import type {Clock} from '../../ports.ts';

/**
 * Timers by wall clock. A machine that sleeps stops setTimeout's own clock, and one setTimeout holds at most 2^31 ms:
 * so each timer looks at the wall at least every 30 s. The wall may be set back by a day: no timer waits longer than it
 * was asked to, by the clock that nobody can set. None is unref'd: while a timer is set, the run has something to wait for
 * and must stay alive.
 */
export const openClock = (): Clock => {
  const timers = new Map<TimerName, NodeJS.Timeout>();
  const short = new Set<NodeJS.Timeout>();

  const cancel = (name: TimerName): void => {
    clearTimeout(timers.get(name));
    timers.delete(name);
  };

  const arm = (name: TimerName, {until, due}: {until: Millis; due: number}, wake: () => void): void => {
    const left = (): number => Math.min(until - Date.now(), due - performance.now());
    const look = (): void => {
      timers.delete(name);
      if (left() > 0) arm(name, {until, due}, wake);
      else wake();
    };
    timers.set(name, setTimeout(look, Math.min(Math.max(Math.ceil(left()), 0), LOOK_EVERY_MS)));
  };

  return {
    now: () => millis(Date.now()),
    wakeAt: (name, until, wake) => {
      cancel(name);
      arm(name, {until, due: performance.now() + until - Date.now()}, wake);
    },
    cancel,
    after: (ms, wake) => {
      const timer = setTimeout(() => {
        short.delete(timer);
        wake();
      }, ms);
      short.add(timer);
      return () => {
        clearTimeout(timer);
        short.delete(timer);
      };
    },
    close: () => {
      for (const name of [...timers.keys()]) cancel(name);
      for (const timer of short) clearTimeout(timer);
      short.clear();
    },
  };
};

const LOOK_EVERY_MS = 30_000;
