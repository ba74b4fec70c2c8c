// One small file per run in the person's state folder: so that `ckpt runs` finds the runs of all repositories.

import {isRunId, type RunId} from '../core/ids.ts';
import {fieldsOf, textAt, timeAt} from './json-fields.ts';

export interface RunPointer {
  run: RunId;
  /** The checkpoint folder, absolute. */
  dir: string;
  /** The repository, absolute. */
  root: string;
  registeredAt: number;
}

export const pointerText = ({run, dir, root, registeredAt}: RunPointer): string =>
  `${JSON.stringify({schema_version: 1, run, dir, root, registered_at: new Date(registeredAt).toISOString()})}\n`;

export const readPointer = (text: string): RunPointer | undefined => {
  const fields = fieldsOf(text);
  const run = (fields && textAt(fields, 'run')) ?? '';
  const dir = (fields && textAt(fields, 'dir')) ?? '';
  if (fields === undefined || !isRunId(run) || !dir.startsWith('/')) return undefined;
  return {run, dir, root: textAt(fields, 'root') ?? dir, registeredAt: timeAt(fields, 'registered_at') ?? 0};
};

const DAY = 24 * 3_600_000;

/**
 * A pointer whose run is gone may belong to a disk that is only not mounted: it gets a week. One whose run is over is of
 * interest for a month, one that was never ended for three. What cannot be read is nobody's after a day.
 */
export const isStale = (
  pointer: RunPointer | undefined,
  {is, age}: {is: 'open' | 'over' | 'gone'; age: number},
): boolean => {
  if (pointer === undefined) return age > DAY;
  return age > {gone: 7, over: 30, open: 90}[is] * DAY;
};
