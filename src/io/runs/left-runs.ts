// Runs that can go on: parked ones, and those whose supervisor is gone. A live one is refused, an ended one too.

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Failure, fail, ok, type Result} from '../../core/failure.ts';
import {isRunId, type RunId} from '../../core/ids.ts';
import {readLegStart} from '../../watch/leg-start.ts';
import type {RunShelf} from '../../watch/ports.ts';
import {type RunRemains, readRunRemains, withStart} from '../../watch/run-remains.ts';
import {isAlive, openRunShelf} from './run-shelf.ts';

export const findLeft = async (
  dir: string,
  wanted: string | undefined,
): Promise<Result<{run: RunId; remains: RunRemains}>> => {
  const shelf = openRunShelf(dir);
  const ids = wanted === undefined ? shelf.ids() : shelf.ids().filter((id) => id === wanted);
  let why: string | undefined;
  for (const run of ids) {
    const record = shelf.record(run);
    if (record === undefined || 'broken' in record) {
      why ??= `${run}: its run.json cannot be read`;
      continue;
    }
    if (await isAlive(record)) why ??= `${run} is alive (pid ${record.pid})`;
    else if (record.state === 'over' && record.outcome?.is !== 'parked')
      why ??= `${run} has ended: nothing is left to do`;
    else {
      const remains = readRunRemains(textOf(join(shelf.folder(run), 'run.json')));
      if (!('broken' in remains)) return ok({run, remains: withNewestLeg(shelf, run, remains)});
      why ??= `${run}: ${remains.broken}`;
    }
  }
  return fail(nothing(wanted, why));
};

const withNewestLeg = (shelf: RunShelf, run: RunId, remains: RunRemains): RunRemains => {
  const [newest] = shelf
    .legs(run)
    .flatMap((leg) => {
      const [path] = shelf.files(run, leg, ['start.json']);
      return path === undefined ? [] : [{leg, path}];
    })
    .slice(-1);
  return newest === undefined ? remains : withStart(remains, newest.leg, readLegStart(textOf(newest.path)));
};

const nothing = (wanted: string | undefined, why: string | undefined): Failure => ({
  is: 'not-found',
  what:
    wanted === undefined
      ? `no run to go on with${why === undefined ? '' : ` (${why})`}`
      : (why ?? `no run ${isRunId(wanted) ? wanted : JSON.stringify(wanted)} here`),
  fix: 'ckpt status shows the runs; ckpt-run --continue <agent> goes on from the last baton',
});

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
