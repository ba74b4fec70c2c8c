import type {TimerName} from '../../src/core/events.ts';
import {type Millis, millis} from '../../src/core/ids.ts';
import type {Clock} from '../../src/ports.ts';

/** A clock that is fed by hand. `advance` wakes in order what is due. */
export const fakeClock = (start = 1_790_000_000_000) => {
  let now = start;
  const timers: {name: TimerName | undefined; until: number; wake: () => void}[] = [];
  const drop = (timer: (typeof timers)[number] | undefined): void => {
    if (timer !== undefined) timers.splice(timers.indexOf(timer), 1);
  };
  const clock: Clock = {
    now: () => millis(now),
    wakeAt: (name, until: Millis, wake) => {
      clock.cancel(name);
      timers.push({name, until, wake});
    },
    cancel: (name) => drop(timers.find((timer) => timer.name === name)),
    after: (ms, wake) => {
      const timer = {name: undefined, until: now + ms, wake};
      timers.push(timer);
      return () => drop(timers.includes(timer) ? timer : undefined);
    },
    close: () => void timers.splice(0),
  };
  return {
    clock,
    advance: (ms: number): void => {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter(({until}) => until <= end).sort((a, b) => a.until - b.until);
        if (next === undefined) break;
        now = Math.max(now, next.until);
        drop(next);
        next.wake();
      }
      now = end;
    },
    /** The machine sleeps: nothing wakes in time, all that was due wakes at the end. */
    sleep: (ms: number): void => {
      now += ms;
      for (const timer of timers.filter(({until}) => until <= now).sort((a, b) => a.until - b.until)) {
        drop(timer);
        timer.wake();
      }
    },
    /** How long until the next one wakes. */
    dueIn: (): number | undefined => {
      const [next] = timers.map(({until}) => until).sort((a, b) => a - b);
      return next === undefined ? undefined : Math.max(0, next - now);
    },
    /** Names of the timers that are set. */
    set: () => timers.flatMap(({name}) => name ?? []).sort(),
  };
};
