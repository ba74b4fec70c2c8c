// When each event of a recording is shown: pauses are cut, the speed is chosen, and one may begin near the end.

import type {CastEvent} from './cast.ts';

export interface Pace {
  speed: number;
  /** No pause is longer than so many seconds of the recording. */
  idle: number;
  /** Shown at once, up to this second: what comes after is played. */
  from: number;
}

/** Seconds to wait before each event, in the order in which they are given. */
export const waits = ({speed, idle, from}: Pace): ((at: number) => number) => {
  let before = from;
  return (at) => {
    if (at <= from) return 0;
    const gap = Math.min(Math.max(0, at - before), idle) / speed;
    before = Math.max(before, at);
    return gap;
  };
};

/**
 * What must be drawn so that the screen is as it was: everything since it was last wiped. A recording of hours would
 * take long to run through a terminal, and agents wipe the screen often.
 */
export const catchUp = (): {skip(event: CastEvent): void; text(): string} => {
  let pieces: string[] = [];
  let length = 0;
  return {
    skip: ({code, data}) => {
      if (code !== 'o') return;
      const wiped = Math.max(data.lastIndexOf('\x1b[2J'), data.lastIndexOf('\x1b[?1049h'), data.lastIndexOf('\x1bc'));
      if (wiped !== -1 || length > MOST) [pieces, length] = [[], 0];
      pieces.push(wiped === -1 ? data : data.slice(wiped));
      length += data.length;
    },
    text: () => pieces.join(''),
  };
};

const MOST = 8 * 1024 * 1024;
