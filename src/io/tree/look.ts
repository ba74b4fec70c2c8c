// What differs on disk from the tree that the private index stands for. Two looks at once: at the files it knows, and for
// files it does not know.

import {existsSync} from 'node:fs';
import {ok, type Result} from '../../core/failure.ts';
import {type GitPath, gitPath, isUnder, records} from '../../history/git-paths.ts';
import {gitlinkMode, readRawDiff} from '../../history/raw-diff.ts';
import {gitFailed} from './home/git.ts';
import {ignoredInside, type LookLimits} from './ignored.ts';
import {neverKept, onDisk, type PrivateDir} from './private-dir.ts';
import type {TreeState} from './state.ts';

export interface Seen {
  /** May have changed, appeared or gone. The mode is the one known so far. */
  changed: Map<GitPath, {mode: string | undefined}>;
  /** In the tree, but ignored by now, and not the person's: they leave the tree and stay on disk. */
  unwanted: GitPath[];
  forced: GitPath[];
  /** Repositories inside: only their commit is kept. */
  nested: GitPath[];
  persons: string;
  rules: string | undefined;
  /** In the tree and ignored, and to stay there all the same. */
  ignored: GitPath[];
  /** Outside git: left out, although nobody asked us to. */
  unkept: GitPath[];
}

export const look = async (place: PrivateDir, state: TreeState, limits: LookLimits): Promise<Result<Seen>> => {
  const {timeoutMs} = limits;
  const begun = limits.now();
  const ask = (args: string[]) => place.ask(state.index, {args, timeoutMs});
  const [files, others, hidden, unkept] = await Promise.all([
    ask(['diff-files', '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=dirty']),
    ask(['ls-files', '-z', '--others', '--exclude-standard']),
    ignoredInside(place, state, {...limits, now: () => begun}),
    unkeptFolders(place, state, timeoutMs),
  ]);
  if (files.code !== 0) return gitFailed('look for changed files', files);
  if (others.code !== 0) return gitFailed('look for new files', others);
  if (!hidden.ok) return hidden;
  const {forced, persons, rules, inside} = hidden.value;
  const changed: Seen['changed'] = new Map();
  const nested = new Set(state.nested.filter((path) => existsSync(onDisk(place, path, '.git'))));
  for (const {path, oldMode} of readRawDiff(files.out)) changed.set(path, {mode: oldMode});
  for (const name of records(others.out)) {
    const path = gitPath(name.replace(/\/$/, ''));
    if (name.endsWith('/')) nested.add(path);
    changed.set(path, {mode: name.endsWith('/') ? gitlinkMode : undefined});
  }
  const doubtful = state.again.filter(([path]) => !changed.has(path));
  const [known, wanted] = [new Set(state.forced), new Set([...forced, ...state.adopted])];
  const news = forced.filter((path) => !known.has(path));
  for (const path of news) if (!changed.has(path)) changed.set(path, {mode: undefined});
  for (const [path, mode] of doubtful) changed.set(path, {mode});
  const unwanted = inside.filter((path) => !wanted.has(path));
  for (const path of unwanted) changed.delete(path);
  const {own} = place;
  for (const path of changed.keys()) if (own !== undefined && isUnder(path, own)) changed.delete(path);
  if (own !== undefined) nested.delete(own);
  const ignored = inside.filter((path) => wanted.has(path));
  // Those go into the index now, ignored: what is ignored in it must be asked once more.
  const vouched = news.length === 0 ? rules : undefined;
  return ok({changed, unwanted, forced, persons, rules: vouched, ignored, nested: [...nested], unkept});
};

/** Outside git: folders that nobody asked us to leave out, and that are left out all the same. */
const unkeptFolders = async (place: PrivateDir, state: TreeState, timeoutMs: number): Promise<GitPath[]> => {
  if (place.home.kind === 'git') return [];
  const args = [
    'ls-files',
    '-z',
    '--others',
    '--ignored',
    '--directory',
    ...neverKept.map((name) => `--exclude=${name}/`),
  ];
  const found = await place.ask(state.index, {args, timeoutMs});
  return found.code === 0 ? records(found.out).map((path) => gitPath(path.replace(/\/$/, ''))) : [];
};
