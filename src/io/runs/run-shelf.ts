// The runs of one checkpoint folder as they lie on disk, for those who look: status, why, log, stop.

import {lstatSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {isRunId, type LegNumber, type RunId} from '../../core/ids.ts';
import {type DeathRecord, readDeathRecord} from '../../watch/death-record.ts';
import {readHandoff} from '../../watch/handoff-record.ts';
import type {RunShelf} from '../../watch/ports.ts';
import {type RunRecord, readRunRecord} from '../../watch/run-record.ts';
import {bornAt} from '../agent/processes.ts';
import {writeWhole} from '../files/atomic-file.ts';
import {readSmall} from '../files/small-file.ts';
import {legFolder} from './run-files.ts';

export const openRunShelf = (dir: string): RunShelf => {
  const folder = (run: RunId): string => join(dir, 'runs', run);
  const legIn = (run: RunId, leg: number): string => join(folder(run), legFolder(leg as LegNumber));
  // A certificate is written once: whoever looks again every second need not read it again.
  const known = new Map<string, DeathRecord>();
  const death: RunShelf['death'] = (run, leg) => {
    const path = join(legIn(run, leg), 'certificate.json');
    const before = known.get(path);
    if (before !== undefined) return before;
    const text = readSmall(path);
    if (text === undefined) return undefined;
    const read = readDeathRecord(text);
    if (!('broken' in read)) known.set(path, read);
    return read;
  };
  const legs = (run: RunId): number[] =>
    namesIn(folder(run))
      .flatMap((name) => /^leg-(\d{3,6})$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  return {
    dir,
    ids: () => namesIn(join(dir, 'runs')).filter(isRunId).sort().reverse(),
    record: (run) => {
      const text = readSmall(join(folder(run), 'run.json'));
      return text === undefined ? undefined : readRunRecord(text);
    },
    deaths: (run) =>
      legs(run).flatMap((leg) => {
        const found = death(run, leg);
        return found === undefined || 'broken' in found ? [] : [found];
      }),
    death,
    handoffs: (run) =>
      legs(run).flatMap((leg) => readHandoff(readSmall(join(legIn(run, leg), 'handoff.json')) ?? '') ?? []),
    legs,
    files: (run, leg, names) => names.map((name) => join(legIn(run, leg), name)).filter(isFile),
    folder,
    markStopped: (run, at) => {
      const stopped = {schema_version: 1, at: new Date(at).toISOString()};
      try {
        writeWhole(join(folder(run), 'stopped.json'), `${JSON.stringify(stopped)}\n`);
      } catch {
        // A full disk must not keep anybody from stopping a run.
      }
    },
    wasStopped: (run) => isFile(join(folder(run), 'stopped.json')),
  };
};

/** A pid alone proves nothing: the system gives it out again. */
export const isAlive = async ({pid, born}: Pick<RunRecord, 'pid' | 'born'>): Promise<boolean> =>
  pid !== undefined && pid > 1 && born !== undefined && (await bornAt(pid)) === born;

/** Looks once more directly before: what has the pid now may be somebody else's. */
export const signalRun = async (record: Pick<RunRecord, 'pid' | 'born'>, signal: NodeJS.Signals): Promise<boolean> => {
  if (record.pid === undefined || !(await isAlive(record))) return false;
  try {
    process.kill(record.pid, signal);
    return true;
  } catch {
    return false;
  }
};

const namesIn = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
};

const isFile = (path: string): boolean => {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
};
