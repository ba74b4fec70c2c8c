// One live run per track. A kernel lock in a folder of its own: it dies with the run, whoever kills it, and a pid that
// the system gives out again cannot be mistaken for it.

import {createHash} from 'node:crypto';
import {join} from 'node:path';
import type {Track} from '../../core/ids.ts';
import {makeFolder} from '../files/atomic-file.ts';
import {lockLatest} from '../files/latest-lock.ts';

/** Gives the claim back, or undefined when a live run holds the track. */
export const claimTrack = async (dir: string, track: Track): Promise<(() => void) | undefined> => {
  const folder = join(dir, 'runs', 'tracks', createHash('sha256').update(track).digest('hex').slice(0, 16));
  makeFolder(folder);
  return (await lockLatest(folder, 0))?.release;
};
