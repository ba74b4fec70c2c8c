// What a run asks of keep-work.js, and how it is done there.

import type {WorkspaceSnapshot} from '../../baton/checkpoint.ts';
import type {Result} from '../../core/failure.ts';
import type {Track} from '../../core/ids.ts';
import {openCheckpoints} from '../checkpoints/checkpoint-files.ts';
import {copyLog} from '../session-logs/log-copy.ts';
import {openTreeSnapshots} from '../tree/snapshots.ts';
import {dropRefs} from '../tree/sweep.ts';

export type KeepOrder =
  | {is: 'files'; root: string; dir: string; track: Track; message: string; boundMs: number}
  | {is: 'log'; from: string; bytes: number; to: string; boundMs: number}
  | {is: 'forget'; root: string; dir: string; gone: {workspace: WorkspaceSnapshot}[]};

export const carryOut = async (order: KeepOrder): Promise<Result<unknown>> => {
  switch (order.is) {
    case 'files': {
      const {root, dir, track, message, boundMs} = order;
      return openTreeSnapshots({root, checkpointDir: dir, timeBoxMs: boundMs}).take({track, message});
    }
    case 'log':
      return copyLog(order);
    case 'forget': {
      const staying = await openCheckpoints({dir: order.dir}).history();
      if (!staying.ok) return staying;
      return dropRefs({root: order.root, checkpointDir: order.dir}, order.gone, staying.value);
    }
  }
};
