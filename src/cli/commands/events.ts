// `ckpt events`: what happened to the runs of this folder, from journal.jsonl, in words.

import {eventLine} from './event-words.ts';
import {json} from './text.ts';
import {wholeNumber} from './whole-number.ts';
import {type Common, done, type Outcome, type World} from './world.ts';

export interface EventFlags {
  last?: string;
  all?: boolean;
  run?: string;
}

export const events = async (world: World, flags: EventFlags & Common): Outcome => {
  const last = wholeNumber('--last', flags.last ?? '30', 1);
  if (!last.ok) return last;
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  // Those of one run may lie anywhere.
  const read = await opened.value.journal(flags.all === true || flags.run !== undefined ? undefined : last.value);
  if (!read.ok) return read;
  const {entries, broken} = read.value;
  const ofRun = flags.run === undefined ? entries : entries.filter(({run}) => run === flags.run);
  const shown = flags.all === true ? ofRun : ofRun.slice(-last.value);
  if (broken > 0) world.err(`ckpt: ${broken} torn line(s) of journal.jsonl were left out\n`);
  if (flags.json) world.out(json(shown));
  else if (shown.length === 0) world.err(`no event in ${opened.value.dir}\n`);
  else world.out(shown.map((entry) => `${eventLine(entry)}\n`).join(''));
  return done;
};
