// Which run is meant: by its name or a part of it, here or in any other repository; else the newest one here.

import {type Failure, fail, ok, type Result} from '../../../core/failure.ts';
import type {RunId} from '../../../core/ids.ts';
import type {RunShelf, WatchPort} from '../../../watch/ports.ts';
import type {RunRecord} from '../../../watch/run-record.ts';

export interface Chosen {
  shelf: RunShelf;
  record: RunRecord;
  alive: boolean;
}

export interface Asked {
  /** The checkpoint folder of the place where the command was called. */
  dir: string;
  wanted: string | undefined;
  /** The run that we are called from, if we are. */
  own: string | undefined;
}

export const chooseRun = async (watch: WatchPort, {dir, wanted, own}: Asked): Promise<Result<Chosen>> => {
  const shelf = watch.shelf(dir);
  if (wanted === undefined) {
    const ids = shelf.ids();
    const first = ids.find((id) => id === own) ?? ids[0];
    return first === undefined ? fail(noRun(dir)) : take(watch, shelf, first);
  }
  const here = matching(shelf.ids(), wanted);
  if (here.length === 1 && here[0] !== undefined) return take(watch, shelf, here[0]);
  if (here.length > 1) return fail(several(wanted, here));
  const pointers = watch.registry.list();
  const elsewhere = matching(
    pointers.map(({run}) => run),
    wanted,
  );
  const pointer = pointers.find(({run}) => run === elsewhere[0]);
  if (pointer === undefined) return fail(unknown(wanted));
  return elsewhere.length > 1
    ? fail(several(wanted, elsewhere))
    : take(watch, watch.shelf(pointer.dir), elsewhere[0] ?? pointer.run);
};

/** The whole name, else every run whose name has this in it: the last four signs are what people remember. */
const matching = (ids: RunId[], wanted: string): RunId[] => {
  const exact = ids.filter((id) => id === wanted);
  return exact.length > 0 || wanted.length < SHORTEST ? exact : ids.filter((id) => id.includes(wanted));
};

const SHORTEST = 4;

const take = async (watch: WatchPort, shelf: RunShelf, run: RunId): Promise<Result<Chosen>> => {
  const record = shelf.record(run);
  if (record === undefined || 'broken' in record) {
    const why = record === undefined ? 'has not been written' : `cannot be read (${record.broken})`;
    return fail({
      is: 'not-found',
      what: `run ${run}: its run.json ${why}`,
      fix: `look into ${shelf.folder(run)}, or name another run`,
    });
  }
  return ok({shelf, record, alive: await watch.isAlive(record)});
};

export const noRun = (dir: string): Failure => ({
  is: 'not-found',
  what: `no run has been here (${dir})`,
  fix: 'ckpt runs lists the runs of all repositories',
});

const unknown = (wanted: string): Failure => ({
  is: 'not-found',
  what: `no run called ${JSON.stringify(wanted.slice(0, 60))}, neither here nor elsewhere`,
  fix: 'ckpt runs lists them all; four signs of the name or more are enough',
});

const several = (wanted: string, found: RunId[]): Failure => ({
  is: 'bad-usage',
  what: `${JSON.stringify(wanted)} fits ${found.length} runs: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}`,
  fix: 'give more of the name',
});
