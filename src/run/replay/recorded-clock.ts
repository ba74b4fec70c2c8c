// A clock whose time is that of a recording.

import type {TimerName} from '../../core/events.ts';
import {type Millis, millis} from '../../core/ids.ts';
import type {Clock} from '../../ports.ts';

export interface RecordedClock extends Clock {
  /** Goes to that time; what is due before it wakes in order, and whatever that began is awaited. */
  advance(to: number, settle: () => Promise<void>): Promise<void>;
}

interface Timer {
  name: TimerName | undefined;
  until: number;
  wake(): void;
}

export const recordedClock = (start: number): RecordedClock => {
  let now = start;
  let timers: Timer[] = [];
  const drop = (gone: Timer): void => {
    timers = timers.filter((timer) => timer !== gone);
  };
  return {
    now: (): Millis => millis(now),
    wakeAt: (name, until, wake) => {
      timers = [...timers.filter((timer) => timer.name !== name), {name, until, wake}];
    },
    cancel: (name) => {
      timers = timers.filter((timer) => timer.name !== name);
    },
    after: (ms, wake) => {
      const timer = {name: undefined, until: now + ms, wake};
      timers.push(timer);
      return () => drop(timer);
    },
    close: () => {
      timers = [];
    },
    advance: async (to, settle) => {
      for (;;) {
        const [next] = timers.filter(({until}) => until < to).sort((a, b) => a.until - b.until);
        if (next === undefined) break;
        now = Math.max(now, next.until);
        drop(next);
        next.wake();
        await settle();
      }
      now = Math.max(now, to);
    },
  };
};
