// `ckpt resume`: the baton of a track as `key=value` lines; with --live, compared with git as it is now.

import {reconcile} from '../../baton/reconcile.ts';
import {json, resumeLines} from './text.ts';
import {type Common, done, newestOf, type Outcome, type World} from './world.ts';

export const resume = async (world: World, flags: Common & {track?: string; live?: boolean}): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const ground = opened.value;
  const live = flags.live ? ground.git() : undefined;
  const found = await newestOf(world, ground, flags.track);
  if (!found.ok) return found;
  const checkpoint = found.value;
  const drift = live === undefined ? undefined : reconcile(checkpoint, await live);
  world.out(
    flags.json ? json(drift === undefined ? checkpoint : {...checkpoint, drift}) : resumeLines(checkpoint, drift),
  );
  return done;
};
