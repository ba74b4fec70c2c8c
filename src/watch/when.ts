// Times for people: local, since they compare them with their own clock.

import {duration} from '../report/messages.ts';

/** `2026-11-18 09:15:00` */
export const stamp = (at: number): string => `${day(at)} ${time(at)}`;

export const day = (at: number): string => {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

export const time = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

/** A clock that was set back must not show a negative age. */
export const since = (at: number, now: number): string => duration(Math.max(0, Math.round(now - at)));

/** `09:15:00 (in 3 h)`; with its day when that is not today. */
export const until = (at: number, now: number): string => {
  const clock = day(at) === day(now) ? time(at) : stamp(at);
  return at <= now ? `${clock} (now)` : `${clock} (in ${since(now, at)})`;
};

const two = (number: number): string => String(number).padStart(2, '0');
