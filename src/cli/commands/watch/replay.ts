// `ckpt replay [run] [leg]`: plays a leg's recording on this terminal. Space holds it, q and Ctrl-C end it.

import {type CastEvent, type CastHeader, readEvent, readHeader} from '../../../cast/cast.ts';
import {playable} from '../../../cast/playable.ts';
import {catchUp, waits} from '../../../cast/timeline.ts';
import {fail, ok, type Result} from '../../../core/failure.ts';
import {duration} from '../../../report/messages.ts';
import type {Keys, WatchPort} from '../../../watch/ports.ts';
import {json} from '../text.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {type Chosen, chooseRun} from './choose-run.ts';
import {readWhich, type Which} from './why.ts';

export interface ReplayFlags extends Common {
  speed?: number;
  idle?: number;
  last?: number;
}

export const replay = async (world: World, which: Which, flags: ReplayFlags): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const watch = await world.watch();
  const named = readWhich(which);
  if (!named.ok) return named;
  const asked = {dir: opened.value.dir, wanted: named.value.run, own: world.env.CKPT_RUN};
  const chosen = await chooseRun(watch, asked);
  if (!chosen.ok) return chosen;
  const found = await findCast(watch, chosen.value, named.value.leg);
  if (!found.ok) return found;
  const facts = await measure(watch, found.value.parts);
  if (flags.json) {
    world.out(json({run: chosen.value.record.run, ...found.value, ...facts}));
    return done;
  }
  if (!watch.screen.terminal) {
    const fix = `ckpt replay --json tells the files; any asciinema player plays ${found.value.parts[0]}`;
    return fail({is: 'bad-usage', what: 'a replay needs a terminal', fix});
  }
  const shown = await play(world, watch, {parts: found.value.parts, seconds: facts.seconds, flags});
  const size = `${facts.width}x${facts.height}`;
  const small = facts.width > watch.screen.columns() || facts.height > watch.screen.rows();
  world.out(
    `leg ${found.value.leg} of ${chosen.value.record.run}: ${duration(shown * 1000)} of ${duration(facts.seconds * 1000)} shown` +
      `${small ? `; it was recorded at ${size}, this terminal is smaller` : ''}\n`,
  );
  return done;
};

interface Found {
  leg: number;
  parts: string[];
}

/** The leg that was named, else the last one that has a recording. */
const findCast = async (
  watch: WatchPort,
  {shelf, record}: Chosen,
  wanted: number | undefined,
): Promise<Result<Found>> => {
  for (const leg of wanted === undefined ? shelf.legs(record.run).reverse() : [wanted]) {
    const [path] = shelf.files(record.run, leg, ['terminal.cast']);
    const parts = path === undefined ? [] : await watch.castParts(path);
    if (parts.length > 0) return ok({leg, parts});
  }
  return fail({
    is: 'not-found',
    what: `no recording of ${wanted === undefined ? 'any leg' : `leg ${wanted}`} of run ${record.run}`,
    fix: 'runs are recorded unless they are started with --no-record, and only on a terminal',
  });
};

interface Facts {
  width: number;
  height: number;
  seconds: number;
}

const measure = async (watch: WatchPort, parts: string[]): Promise<Facts> => {
  const facts: Facts = {width: 0, height: 0, seconds: 0};
  for await (const {header, event} of events(watch, parts)) {
    facts.width = Math.max(facts.width, header.width);
    facts.height = Math.max(facts.height, header.height);
    facts.seconds = Math.max(facts.seconds, event.at);
  }
  return facts;
};

/** All parts as one: times since the begin of the leg. Lines that are torn or foreign are passed over. */
async function* events(watch: WatchPort, parts: string[]): AsyncGenerator<{header: CastHeader; event: CastEvent}> {
  for (const part of parts) {
    let header: CastHeader | undefined;
    for await (const line of watch.castLines(part)) {
      if (header === undefined) {
        header = readHeader(line);
        if (header === undefined) break;
        continue;
      }
      const event = readEvent(line);
      if (event !== undefined) yield {header, event: {...event, at: event.at + header.offset}};
    }
  }
}

/** Our own alternate screen: the person's scrollback stays, whatever the recording does. */
const ENTER = '\x1b[?1049h\x1b[2J\x1b[H';
/** A sequence may be cut off; modes that change the drawing are put back before the screen is. */
const LEAVE = '\x18\x1b[?2026l\x1b[?6l\x1b[4l\x1b[?7h\x1b[r\x1b(B\x0f\x1b[0m\x1b[0 q\x1b[?25h\x1b[?1049l';
const IDLE_S = 2;

interface Played {
  parts: string[];
  seconds: number;
  flags: ReplayFlags;
}

/** The second up to which it was shown. */
const play = async (world: World, watch: WatchPort, {parts, seconds, flags}: Played): Promise<number> => {
  const {speed = 1, idle = IDLE_S, last} = flags;
  const from = last === undefined ? 0 : Math.max(0, seconds - last);
  const wait = waits({speed, idle, from});
  const filter = playable();
  const before = catchUp();
  const keys = watch.openKeys();
  let at = 0;
  let caught = false;
  // By the clock and not by the sum of pauses: timers are late, and a long recording would fall behind.
  let due = watch.now();
  world.out(ENTER);
  try {
    for await (const {event} of events(watch, parts)) {
      if (event.at < from) {
        before.skip(event);
        continue;
      }
      if (!caught) world.out(filter(before.text()));
      caught = true;
      due += wait(event.at) * 1000;
      const went = await waitUntil(keys, watch, due);
      if (went === 'end') return at;
      if (went === 'moved') due = watch.now();
      if (event.code === 'o') world.out(filter(event.data));
      at = event.at;
    }
    if (!caught) world.out(filter(before.text()));
    // The last screen stays until somebody has seen it.
    await keys.next(undefined);
    return at;
  } finally {
    world.out(LEAVE);
    keys.close();
  }
};

/** `moved`: a pause was made or cut short, so that the clock of the recording begins anew. */
const waitUntil = async (keys: Keys, watch: WatchPort, due: number): Promise<'on' | 'moved' | 'end'> => {
  const ms = due - watch.now();
  const key = await keys.next(ms < SHORTEST_MS ? 0 : ms);
  if (key === undefined) return 'on';
  if (key === 'end') return 'end';
  // Space holds until the next key; any other key goes on at once.
  return key === 'space' && (await keys.next(undefined)) === 'end' ? 'end' : 'moved';
};

const SHORTEST_MS = 4;
