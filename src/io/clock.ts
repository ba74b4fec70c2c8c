import type {TimerName} from '../core/events.ts';
import {type Millis, millis} from '../core/ids.ts';
import type {Clock} from '../ports.ts';

/**
 * Timers by wall clock. A machine that sleeps stops setTimeout's own clock, and one setTimeout holds at most 2^31 ms:
 * so each timer looks at the wall at least every 30 s. None is unref'd: while a timer is set, the run has something to
 * wait for and must stay alive.
 */
export const openClock = (): Clock => {
  const timers = new Map<TimerName, NodeJS.Timeout>();
  const short = new Set<NodeJS.Timeout>();

  const cancel = (name: TimerName): void => {
    clearTimeout(timers.get(name));
    timers.delete(name);
  };

  const arm = (name: TimerName, until: Millis, wake: () => void): void => {
    const left = until - Date.now();
    const look = (): void => {
      timers.delete(name);
      if (Date.now() < until) arm(name, until, wake);
      else wake();
    };
    timers.set(name, setTimeout(look, Math.min(Math.max(left, 0), LOOK_EVERY_MS)));
  };

  return {
    now: () => millis(Date.now()),
    wakeAt: (name, until, wake) => {
      cancel(name);
      arm(name, until, wake);
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
