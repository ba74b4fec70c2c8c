// `ckpt rehydrate`: back at work after a lost context, in at most 3,000 tokens. Consumes nothing.

import {jsonFileOf} from '../../baton/naming.ts';
import {reconcile} from '../../baton/reconcile.ts';
import {rehydrateText} from '../../baton/rehydrate.ts';
import {eventLine} from './event-words.ts';
import {json} from './text.ts';
import {type Common, done, newestOf, type Outcome, runOf, type World} from './world.ts';

const eventsShown = 5;

export const rehydrate = async (world: World, flags: Common & {track?: string}): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const ground = opened.value;
  const now = ground.git();
  const found = await newestOf(world, ground, flags.track);
  if (!found.ok) return found;
  const checkpoint = found.value;
  const {run, leg} = runOf(world);
  const journal = await ground.journal(eventsShown);
  const text = rehydrateText({
    checkpoint,
    drift: reconcile(checkpoint, await now),
    ckptBin: world.ckptBin,
    dir: ground.dir,
    legNumber: leg ?? checkpoint.leg ?? 1,
    inRun: run !== undefined,
    fullPath: `${ground.dir}/${jsonFileOf(checkpoint.id)}`,
    // A journal that cannot be read is no reason to leave an agent without its baton.
    events: journal.ok ? journal.value.entries.map(eventLine) : [],
  });
  world.out(flags.json ? json({id: checkpoint.id, track: checkpoint.track, text}) : text);
  return done;
};
