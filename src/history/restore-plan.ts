// Which files a restore writes and removes, and which it leaves alone, with the reason. Nothing that is not saved in the
// snapshot of the present may be lost: every restore can be undone.

import {foldersOf, type GitPath, isUnder} from './git-paths.ts';
import {absentMode, gitlinkMode, type RawChange} from './raw-diff.ts';

export interface RestoreFacts {
  /** From the tree of the present to the tree that is wanted. */
  changes: RawChange[];
  /** Only what lies under one of these; none: everything. */
  paths: GitPath[];
  /** Does the wanted tree hold all that was there? If not, what it lacks may have been there all the same. */
  complete: boolean;
  /** On disk, but not in the tree of the present: ignored, or left out. Asked only about paths that would be written. */
  inTheWay(path: GitPath, leaving: ReadonlySet<GitPath>): Promise<GitPath | undefined>;
  /** Those that the rules of the wanted tree ignore: it could not hold them, so that it lacks them says nothing. */
  ignoredThere(paths: GitPath[]): Promise<ReadonlySet<GitPath>>;
  /** In the tree of the present, but not on disk: outside a sparse checkout. */
  notOnDisk(path: GitPath): Promise<boolean>;
}

export interface Kept {
  path: GitPath;
  why: string;
}

export interface RestorePlan {
  write: RawChange[];
  remove: RawChange[];
  kept: Kept[];
}

export const planRestore = async (facts: RestoreFacts): Promise<RestorePlan> => {
  const asked = facts.changes.filter(
    ({path}) => facts.paths.length === 0 || facts.paths.some((folder) => isUnder(path, folder)),
  );
  const kept: Kept[] = [];
  const foreign = new Set(asked.filter(isRepository).map(({path}) => path));
  for (const change of asked.filter(isRepository)) kept.push({path: change.path, why: repositoryWords(change)});
  const files = asked.filter(({path}) => !foreign.has(path));
  const remove: RawChange[] = [];
  const extra = files.filter(({newMode}) => newMode === absentMode);
  const ignored = await facts.ignoredThere(extra.map(({path}) => path));
  for (const change of extra) {
    const {path} = change;
    if (!facts.complete) kept.push({path, why: 'the snapshot is not complete: it may have been there'});
    else if (ignored.has(path)) kept.push({path, why: 'it was ignored then: it may have been there'});
    else if (!(await facts.notOnDisk(path))) remove.push(change);
  }
  const leaving = new Set(remove.map(({path}) => path));
  const write: RawChange[] = [];
  for (const change of files.filter(({newMode}) => newMode !== absentMode)) {
    const why = await whyKept(change, {facts, leaving, foreign});
    if (why === undefined) write.push(change);
    else if (why !== '') kept.push({path: change.path, why});
  }
  return {write, remove, kept};
};

const isRepository = ({oldMode, newMode}: RawChange): boolean => oldMode === gitlinkMode || newMode === gitlinkMode;

const repositoryWords = ({oldMode, newMode, oldObject, newObject}: RawChange): string => {
  const was = newMode === gitlinkMode ? `at ${newObject.slice(0, 12)}` : 'not there';
  const is = oldMode === gitlinkMode ? `is at ${oldObject.slice(0, 12)}` : 'is not there';
  return `a repository of its own: it was ${was}, ${is}`;
};

/** Empty: outside the sparse checkout, where nothing is expected to be. */
const whyKept = async (
  {path, oldMode}: RawChange,
  {facts, leaving, foreign}: {facts: RestoreFacts; leaving: ReadonlySet<GitPath>; foreign: ReadonlySet<GitPath>},
): Promise<string | undefined> => {
  if (foldersOf(path).some((folder) => foreign.has(folder))) return 'it lies in a repository of its own';
  if (oldMode !== absentMode) return (await facts.notOnDisk(path)) ? '' : undefined;
  const obstacle = await facts.inTheWay(path, leaving);
  if (obstacle === undefined) return undefined;
  return obstacle === path ? 'a file that is not saved is there now' : 'something that is not saved is in the way';
};
