// Looking again and again until Ctrl-C: on a terminal in place, else one text after another, each time it changed.

import {cutTo} from '../../../baton/clean.ts';
import type {WatchPort} from '../../../watch/ports.ts';
import {done, type Outcome, type World} from '../world.ts';

export interface Show {
  /** Lines for programs: never drawn in place. */
  compact: boolean;
  show(width: number): Promise<string>;
}

const EVERY_MS = 1000;
const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';

export const watchLoop = async (world: World, watch: WatchPort, {compact, show}: Show): Outcome => {
  const inPlace = watch.screen.terminal && !compact;
  let before = '';
  if (inPlace) world.out(ENTER);
  try {
    do {
      const text = await show(inPlace ? watch.screen.columns() : WIDE);
      if (text === before) continue;
      before = text;
      world.out(inPlace ? drawn(text, watch) : text);
    } while (await watch.pause(EVERY_MS));
  } finally {
    if (inPlace) world.out(LEAVE);
  }
  return done;
};

const WIDE = 1000;

/** Each line over the one before it, the rest wiped: no flicker. What does not fit is named. */
const drawn = (text: string, {screen}: WatchPort): string => {
  const lines = text.split('\n');
  const room = Math.max(1, screen.rows() - 1);
  const shown = lines.length > room ? [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more lines`] : lines;
  return `\x1b[H${shown.map((line) => `${cutTo(line, screen.columns())}\x1b[K`).join('\r\n')}\x1b[J`;
};
