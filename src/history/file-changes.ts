// What differs between two trees, file by file, with the lines that came and went.

import {oneLine} from '../baton/clean.ts';
import {type GitPath, gitPath, records, shown} from './git-paths.ts';
import {absentMode, gitlinkMode, type RawChange} from './raw-diff.ts';

export interface FileChange {
  path: GitPath;
  is: 'added' | 'removed' | 'changed' | 'mode' | 'repository';
  /** Lines; undefined for what is not text. */
  added: number | undefined;
  removed: number | undefined;
}

/** `numstat`: as `git diff-tree -r -z --numstat` gives it, for the same two trees. */
export const fileChanges = (raw: readonly RawChange[], numstat: string): FileChange[] => {
  const counts = new Map(readNumstat(numstat));
  return raw.map((change) => ({path: change.path, is: kindOf(change), ...(counts.get(change.path) ?? noCount)}));
};

const noCount = {added: undefined, removed: undefined};

const kindOf = ({oldMode, newMode, oldObject, newObject}: RawChange): FileChange['is'] => {
  if (oldMode === gitlinkMode || newMode === gitlinkMode) return 'repository';
  if (oldMode === absentMode) return 'added';
  if (newMode === absentMode) return 'removed';
  return oldObject === newObject ? 'mode' : 'changed';
};

/** `12\t3\tpath NUL`; dashes for what is not text. */
const readNumstat = (output: string): [GitPath, Pick<FileChange, 'added' | 'removed'>][] =>
  records(output).flatMap((record) => {
    const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(record) ?? [];
    if (path === undefined) return [];
    const count = (text: string | undefined): number | undefined => (text === '-' ? undefined : Number(text));
    return [[gitPath(path), {added: count(added), removed: count(removed)}]];
  });

const signs: Record<FileChange['is'], string> = {
  added: 'A',
  removed: 'D',
  changed: 'M',
  mode: 'm',
  repository: 'R',
};

export const changeLine = ({path, is, added, removed}: FileChange): string => {
  const lines = added === undefined || removed === undefined ? '' : `  +${added} -${removed}`;
  return `${signs[is]} ${oneLine(shown(path))}${is === 'mode' ? '  (mode)' : lines}`;
};

/** `3 files, +12 -4` */
export const changeSum = (changes: readonly FileChange[]): string => {
  const sum = (pick: (change: FileChange) => number | undefined): number =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0);
  const lines = `+${sum(({added}) => added)} -${sum(({removed}) => removed)}`;
  return changes.length === 0
    ? 'no file differs'
    : `${changes.length} file${changes.length === 1 ? '' : 's'}, ${lines}`;
};
