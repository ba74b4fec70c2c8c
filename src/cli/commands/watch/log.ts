// `ckpt log [-f] [run]`: the journal in words; with -f it goes on until Ctrl-C, or until that run is over.

import {cutTo} from '../../../baton/clean.ts';
import {dayLine, type JournalLine, journalWords, readJournalLine} from '../../../watch/journal-line.ts';
import type {WatchPort} from '../../../watch/ports.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {chooseRun} from './choose-run.ts';

export interface LogFlags extends Common {
  follow?: boolean;
  lines?: number;
}

export const log = async (world: World, wanted: string | undefined, flags: LogFlags): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const watch = await world.watch();
  if (wanted === undefined) return print(world, watch, {dir: opened.value.dir, run: undefined, flags});
  const chosen = await chooseRun(watch, {dir: opened.value.dir, wanted, own: world.env.CKPT_RUN});
  if (!chosen.ok) return chosen;
  const {shelf, record} = chosen.value;
  return print(world, watch, {dir: shelf.dir, run: record.run, flags});
};

interface Printed {
  dir: string;
  run: string | undefined;
  flags: LogFlags;
}

const LINES = 100;
const LOOK_MS = 250;

const print = async (world: World, watch: WatchPort, {dir, run, flags}: Printed): Outcome => {
  const {lines: most = LINES, follow = false} = flags;
  const say = printer(world, watch, {run, asJson: flags.json === true});
  const held: {text: string; line: JournalLine | undefined}[] = [];
  let live = false;
  let over = false;
  const tail = watch.tail.follow(`${dir}/journal.jsonl`, (text) => {
    const line = run !== undefined && !text.includes(run) ? undefined : readJournalLine(text);
    if (run !== undefined && line?.run !== run) return;
    if (run !== undefined) over = line?.state === 'over';
    if (live) say(text, line);
    else {
      held.push({text, line});
      // Twice as many are kept as are wanted, so that cutting costs nothing on the way.
      if (held.length > 2 * most) held.splice(0, held.length - most);
    }
  });
  try {
    await tail.flush();
    for (const {text, line} of held.slice(-most)) say(text, line);
    if (!follow) {
      if (held.length === 0) world.err(`nothing has been written to ${dir}/journal.jsonl yet\n`);
      return done;
    }
    live = true;
    while (!over && (await watch.pause(LOOK_MS)));
    return done;
  } finally {
    tail.close();
  }
};

const printer = (world: World, watch: WatchPort, {run, asJson}: {run: string | undefined; asJson: boolean}) => {
  let before: number | undefined;
  return (text: string, line: JournalLine | undefined): void => {
    if (asJson) {
      // Programs get whole lines of ours and nothing else.
      if (line !== undefined) world.out(`${JSON.stringify(line.fields)}\n`);
      return;
    }
    if (line === undefined) {
      world.out(`(not readable: ${JSON.stringify(cutTo(text, 60))})\n`);
      return;
    }
    const day = dayLine(line.at, before);
    before = line.at;
    const words = journalWords(line, {withRun: run === undefined});
    const width = watch.screen.terminal ? watch.screen.columns() : WIDE;
    world.out(`${day === undefined ? '' : `${day}\n`}${cutTo(words, width)}\n`);
  };
};

const WIDE = 2000;
