// `ckpt autocompact [status|on|off|PCT]`: when the agents of supervised runs here compact by themselves.

import {
  type Autocompact,
  autocompactFile,
  autocompactText,
  parseAutocompact,
  readAutocompact,
  wordOf,
} from '../../adapter/autocompact.ts';
import {fail} from '../../core/failure.ts';
import {json} from './text.ts';
import {type Common, done, type Outcome, type World} from './world.ts';

export const autocompact = async (world: World, word: string, flags: Common): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const ground = opened.value;
  const file = ground.file(autocompactFile);
  const wanted = word === 'status' ? undefined : parseAutocompact(word);
  if (word !== 'status' && wanted === undefined) {
    return fail({
      is: 'bad-usage',
      what: `autocompact ${JSON.stringify(word.slice(0, 20))}`,
      fix: 'use status, on, off, or a percentage of the context window from 1 to 100',
    });
  }
  if (wanted !== undefined) {
    ground.prepare();
    const written = file.write(autocompactText(wanted));
    if (!written.ok) return written;
  }
  const now = wanted ?? readAutocompact(file.read());
  world.out(flags.json ? json({autocompact: wordOf(now)}) : `${words(now)}\n`);
  return done;
};

const words = (setting: Autocompact): string => {
  switch (setting.is) {
    case 'on':
      return 'autocompact is on: agents compact where they would by themselves';
    case 'off':
      return 'autocompact is off: from their next leg on, agents do not compact by themselves';
    case 'percent':
      return `autocompact is at ${setting.percent} % of the context window, from the next leg on`;
  }
};
