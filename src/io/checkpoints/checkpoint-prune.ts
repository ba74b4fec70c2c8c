// Removing checkpoints. LATEST never names one of them, so a prune that is killed halfway has only done less.

import {rebuildLatest} from '../../baton/latest.ts';
import {jsonFileOf, mdFileOf} from '../../baton/naming.ts';
import {isAutomatic, type PrunePlan, type PruneRule, planPrune} from '../../baton/retention.ts';
import {ok, type Result} from '../../core/failure.ts';
import {guarded} from './checkpoint-folder.ts';
import type {Shelf} from './checkpoint-shelf.ts';

export const prune = async (shelf: Shelf, rule: PruneRule, dry: boolean): Promise<Result<PrunePlan>> => {
  if (dry) {
    return guarded(shelf.dir, 'read the checkpoints', async () => {
      const found = shelf.readIndex();
      const history = await shelf.history();
      return ok(planPrune(history, rule, named('tracks' in found ? found : rebuildLatest(history))));
    });
  }
  return shelf.alone('prune checkpoints', async (hands) => {
    const latest = await shelf.loadIndex(hands);
    const history = await shelf.history();
    const plan = planPrune(history, rule, named(latest));
    // The page first: what has lost only that is still a checkpoint, and goes the next time.
    hands.remove(plan.remove.flatMap(({id}) => [mdFileOf(id), jsonFileOf(id)]));
    const automatic = history.filter(isAutomatic).length - plan.remove.filter(isAutomatic).length;
    hands.put(...shelf.latestFiles({...latest, automatic}));
    return ok(plan);
  });
};

/** A tenth more may gather before they are looked at: to look means to read them all. */
export const retain = (shelf: Shelf, max: number): Promise<Result<PrunePlan | undefined>> =>
  guarded<PrunePlan | undefined>(shelf.dir, 'prune checkpoints', async () => {
    const found = shelf.readIndex();
    if (!('tracks' in found)) return ok(undefined);
    if (found.automatic !== undefined && found.automatic <= max + Math.floor(max / 10)) return ok(undefined);
    return prune(shelf, {keep: max}, false);
  });

const named = ({tracks}: {tracks: ReadonlyMap<unknown, {id: PrunePlan['remove'][number]['id']}>}) =>
  [...tracks.values()].map(({id}) => id);
