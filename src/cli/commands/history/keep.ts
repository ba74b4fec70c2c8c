// `ckpt gc`: snapshots that no checkpoint names go. `ckpt rebuild`: every view made anew from the checkpoints' own files.

import {ok} from '../../../core/failure.ts';
import {checkpointLine, json} from '../text.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {openScene} from './scene.ts';

export const gc = async (world: World, flags: Common & {dryRun?: boolean}): Outcome => {
  const scene = await openScene(world, flags);
  if (!scene.ok) return scene;
  const dry = flags.dryRun === true;
  const swept = await scene.value.trees.sweep(scene.value.all, dry);
  if (!swept.ok) return swept;
  const {dropped, kept, young} = swept.value;
  const waiting = young === 0 ? '' : `, ${young} too young to judge`;
  world.out(
    flags.json
      ? json({dry_run: dry, ...swept.value})
      : `${dry ? 'would drop' : 'dropped'} ${dropped} snapshot${dropped === 1 ? '' : 's'} that no checkpoint names; ${kept} stay${waiting}\n`,
  );
  return done;
};

export const rebuild = async (world: World, flags: Common): Outcome => {
  const scene = await openScene(world, flags);
  if (!scene.ok) return scene;
  const {store, trees, all} = scene.value;
  const aside = await trees.forgetLatest();
  if (!aside.ok) return aside;
  const index = await store.index();
  if (!index.ok) return index;
  const named = all.some(({workspace}) => workspace !== undefined)
    ? await trees.pinAgain(all)
    : ok({pinned: 0, gone: []});
  if (!named.ok) return named;
  const {pinned, gone} = named.value;
  const tracks = index.value.tracks.size;
  if (flags.json) {
    world.out(json({checkpoints: all.length, tracks, pinned, files_gone: gone.map(({id, number}) => ({id, number}))}));
    return done;
  }
  const lost = gone.map((one) => `  ${checkpointLine(one)}\n`).join('');
  world.out(
    `LATEST was made anew from ${all.length} checkpoints of ${tracks} tracks; ${pinned} snapshots were named again\n` +
      (gone.length === 0 ? '' : `the files of these are gone:\n${lost}`),
  );
  return done;
};
