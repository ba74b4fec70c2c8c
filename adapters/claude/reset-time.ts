// `You've hit your session limit · resets 10:15am (UTC)`: 2.1.197 tells the reset only like this.

import type {Millis} from '../../src/core/ids.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The next time after `said` at which the clocks in that zone show so; undefined when the text names no time. */
export const resetTime = (text: string, said: number): Millis | undefined => {
  const found = /resets (?:(\w{3}) (\d{1,2})(?:,| at)? )?(\d{1,2})(?::(\d{2}))?(am|pm) \(([\w+\-/]+)\)/i.exec(text);
  if (!found || !Number.isFinite(said)) return undefined;
  const [, month, day, hour = '', minute = '0', half = '', zone = ''] = found;
  const clock = clockIn(zone);
  if (!clock) return undefined;
  const wanted = ((Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)) * 60 + Number(minute);
  // Whole minutes from the minute it was said in: over a change of the clocks the walk stays right.
  const start = Math.floor(said / MINUTE) * MINUTE;
  const first = start + ((wanted - clock(start).minutes + 24 * 60) % (24 * 60)) * MINUTE;
  for (let days = 0; days < 32; days += 1) {
    const candidate = clock(first + days * DAY);
    const rightDay = !month || (candidate.month === month.toLowerCase() && candidate.day === Number(day));
    if (rightDay) return shift(first + days * DAY, wanted - candidate.minutes);
  }
  return undefined;
};

/** Puts a time right that a change of the clocks has moved by an hour. */
const shift = (time: number, minutes: number): Millis => (time + minutes * MINUTE) as Millis;

type Clock = (time: number) => {month: string; day: number; minutes: number};

const clockIn = (zone: string): Clock | undefined => {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    });
    return (time) => {
      const parts = new Map(format.formatToParts(time).map(({type, value}) => [type, value]));
      return {
        month: (parts.get('month') ?? '').toLowerCase(),
        day: Number(parts.get('day')),
        minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
      };
    };
  } catch {
    return undefined;
  }
};
