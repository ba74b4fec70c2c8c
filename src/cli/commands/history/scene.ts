// What the commands that go back begin with: the folder, its checkpoints, its trees, and nobody else at work there.

import type {Checkpoint} from '../../../baton/checkpoint.ts';
import {type Failure, fail, ok, type Result} from '../../../core/failure.ts';
import type {Track} from '../../../core/ids.ts';
import type {TreesPort} from '../../../history/ports.ts';
import type {Common, Ground, History, World} from '../world.ts';

export interface Scene {
  ground: Ground;
  store: History;
  trees: TreesPort;
  /** Oldest first. */
  all: Checkpoint[];
}

export const openScene = async (world: World, flags: Common): Promise<Result<Scene>> => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const ground = opened.value;
  const [store, trees] = await Promise.all([ground.store(), world.trees(ground)]);
  const all = await store.history();
  return all.ok ? ok({ground, store, trees, all: all.value}) : all;
};

/** The files are one for all tracks: no run of this folder may be alive, whatever its track. */
export const whileNobodyRuns = async <T>(
  {trees, all}: Scene,
  {force, dry}: {force: boolean; dry: boolean},
  work: () => Promise<Result<T>>,
): Promise<Result<T>> => {
  const tracks = [...new Set(all.map(({track}) => track))];
  const held = await trees.hold(tracks);
  try {
    if (held.live.length > 0 && !force && !dry) return fail(running(held.live));
    return await work();
  } finally {
    held.release();
  }
};

const running = (tracks: Track[]): Failure => ({
  is: 'bad-usage',
  what: `a live run holds ${tracks.map((track) => `"${track}"`).join(', ')}: its agent would lose its footing`,
  fix: 'with --stop the run ends its agent, goes back, and starts a fresh one there; ckpt stop ends it; --force goes back all the same',
});
