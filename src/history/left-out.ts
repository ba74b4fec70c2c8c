// What a snapshot does not hold, as it is written into the checkpoint: by name while there are few, else by count.

import type {LeftOut} from '../baton/checkpoint.ts';
import {oneLine} from '../baton/clean.ts';
import {type GitPath, shown} from './git-paths.ts';

export interface Omission {
  path: GitPath;
  why: string;
  /** A note only: nothing that belongs into the tree is missing. */
  noted?: boolean;
}

const maxNamed = 100;

export const leftOutOf = (omissions: readonly Omission[]): {left_out: LeftOut[]; complete: boolean} => {
  const named = omissions.slice(0, maxNamed).map(({path, why}) => ({path: oneLine(shown(path)), why}));
  const rest = omissions.slice(maxNamed);
  const reasons = new Map<string, number>();
  for (const {why} of rest) reasons.set(why, (reasons.get(why) ?? 0) + 1);
  return {
    left_out: [...named, ...[...reasons].map(([why, count]) => ({path: `… and ${count} more`, why}))],
    complete: omissions.every(({noted}) => noted === true),
  };
};
