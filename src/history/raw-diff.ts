// `git diff-files` and `git diff-tree` in their raw form, with -z and without renames:
// https://git-scm.com/docs/git-diff-tree#_raw_output_format

import {type GitPath, gitPath, records} from './git-paths.ts';

export interface RawChange {
  path: GitPath;
  /** `000000`: it was not there. */
  oldMode: string;
  newMode: string;
  oldObject: string;
  newObject: string;
}

export const absentMode = '000000';
export const gitlinkMode = '160000';

export const readRawDiff = (output: string): RawChange[] => {
  const parts = records(output);
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode, newMode, oldObject, newObject] = (parts[at] ?? '').slice(1).split(' ');
    const path = parts[at + 1];
    if (oldMode === undefined || newMode === undefined || oldObject === undefined || newObject === undefined) break;
    if (path === undefined) break;
    changes.push({path: gitPath(path), oldMode, newMode, oldObject, newObject});
  }
  return changes;
};
