// How a run goes back to an earlier checkpoint, between two legs; loaded only when it is asked to.

import {openTrees} from './ckpt-trees.ts';
import {fail, ok, type Result} from './core/failure.ts';
import type {GoBack} from './core/go-back.ts';
import type {CheckpointId} from './core/ids.ts';
import {goBack} from './history/go-back.ts';
import {openCheckpoints} from './io/checkpoints/checkpoint-files.ts';
import {quickGit} from './io/repository/quick-git.ts';
import type {BackBy} from './run/plan.ts';

export const goBackAs = async (
  place: {root: string; dir: string},
  {to, files, baton, paths}: GoBack,
  by: BackBy,
): Promise<Result<CheckpointId>> => {
  const {root, dir} = place;
  const store = openCheckpoints({dir});
  const all = await store.history();
  if (!all.ok) return all;
  const target = all.value.find(({id}) => id === to);
  if (target === undefined) return fail({is: 'not-found', what: `checkpoint ${to} is gone`, fix: 'ckpt list'});
  const went = await goBack(
    {
      git: () => quickGit({root, checkpointDir: dir}),
      append: store.append,
      trees: openTrees(place),
      all: all.value,
    },
    {target, files, baton, paths, dry: false, by},
  );
  if (!went.ok) return went;
  const {value} = went;
  return value.baton === undefined
    ? fail({is: 'bad-usage', what: 'neither files nor baton were asked for', fix: 'ckpt restore --help'})
    : ok(value.baton.id);
};
