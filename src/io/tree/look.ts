// What differs on disk from the tree that the private index stands for. Two looks at once: at the files it knows, and for
// files it does not know.

import {existsSync} from 'node:fs';
import {ok, type Result} from '../../core/failure.ts';
import {type GitPath, gitPath, isUnder, records} from '../../history/git-paths.ts';
import {gitlinkMode, readRawDiff} from '../../history/raw-diff.ts';
import {git, gitFailed, harmless, personsEnv} from './git.ts';
import {neverKept, type PrivateDir} from './private-dir.ts';
import {stampOf, type TreeState} from './state.ts';

export interface Seen {
  /** May have changed, appeared or gone. The mode is the one known so far. */
  changed: Map<GitPath, {mode: string | undefined}>;
  /** In the tree, but ignored by now, and not the person's: they leave the tree and stay on disk. */
  unwanted: GitPath[];
  forced: GitPath[];
  /** Repositories inside: only their commit is kept. */
  nested: GitPath[];
  persons: string;
}

export const look = async (place: PrivateDir, state: TreeState, timeoutMs: number): Promise<Result<Seen>> => {
  const ask = (args: string[]) => place.ask(state.index, {args, timeoutMs});
  const [files, others, ignored, hidden] = await Promise.all([
    ask(['diff-files', '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=dirty']),
    ask(['ls-files', '-z', '--others', '--exclude-standard']),
    // Always: a rule may hide itself (`*` in a folder's own .gitignore), so that nobody sees it come.
    ask(knownIgnored),
    nowIgnored(place, state, timeoutMs),
  ]);
  if (files.code !== 0) return gitFailed('look for changed files', files);
  if (others.code !== 0) return gitFailed('look for new files', others);
  if (ignored.code !== 0) return gitFailed('look for ignored files', ignored);
  const changed: Seen['changed'] = new Map();
  const nested = new Set(state.nested.filter((path) => existsSync(onDisk(place, path, '.git'))));
  for (const {path, oldMode} of readRawDiff(files.out)) changed.set(path, {mode: oldMode});
  for (const name of records(others.out)) {
    const path = gitPath(name.replace(/\/$/, ''));
    if (name.endsWith('/')) nested.add(path);
    changed.set(path, {mode: name.endsWith('/') ? gitlinkMode : undefined});
  }
  const doubtful = state.again.filter(([path]) => !changed.has(path));
  if (!hidden.ok) return hidden;
  const inside = [...records(ignored.out).map(gitPath), ...hidden.value.filter((path) => !changed.has(path))];
  const tracked = await trackedIgnored(place, state, {inside, timeoutMs});
  if (!tracked.ok) return tracked;
  const {forced, persons} = tracked.value;
  const [known, wanted] = [new Set(state.forced), new Set([...forced, ...state.adopted])];
  for (const path of forced) if (!known.has(path) && !changed.has(path)) changed.set(path, {mode: undefined});
  for (const [path, mode] of doubtful) changed.set(path, {mode});
  const unwanted = inside.filter((path) => !wanted.has(path));
  for (const path of unwanted) changed.delete(path);
  const {own} = place;
  for (const path of changed.keys()) if (own !== undefined && isUnder(path, own)) changed.delete(path);
  if (own !== undefined) nested.delete(own);
  return ok({changed, unwanted, forced, persons, nested: [...nested]});
};

const knownIgnored = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];

/** Too young for the index the last time, so that it cannot tell: are they ignored by now? */
const nowIgnored = async (place: PrivateDir, state: TreeState, timeoutMs: number): Promise<Result<GitPath[]>> => {
  if (state.again.length === 0) return ok([]);
  const input = Buffer.from(state.again.map(([path]) => `${path}\0`).join(''), 'latin1');
  const told = await place.ask(state.index, {args: ['check-ignore', '-z', '--stdin'], input, timeoutMs});
  const isAnswer = told.code === 0 || told.code === 1;
  return isAnswer ? ok(records(told.out).map(gitPath)) : gitFailed('look for ignored files', told);
};

export const onDisk = ({home}: PrivateDir, path: GitPath, name = ''): Buffer =>
  Buffer.from(`${Buffer.from(home.root).toString('latin1')}/${path}${name === '' ? '' : `/${name}`}`, 'latin1');

/**
 * What the person tracks belongs to the tree, ignored or not; what is ignored and untracked does not. Their index is asked
 * only when it has moved, or when something is ignored that was not.
 */
const trackedIgnored = async (
  place: PrivateDir,
  state: TreeState,
  {inside, timeoutMs}: {inside: GitPath[]; timeoutMs: number},
): Promise<Result<Pick<Seen, 'forced' | 'persons'>>> => {
  const {home} = place;
  if (home.persons === undefined) return ok({forced: [], persons: 'none'});
  const persons = stampOf(home.persons.index) || 'none';
  const known = new Set([...state.forced, ...state.adopted]);
  if (state.persons === persons && inside.every((path) => known.has(path))) return ok({forced: state.forced, persons});
  const env = {...personsEnv(), GIT_DIR: home.persons.gitDir, GIT_WORK_TREE: home.root};
  const theirs = await git({args: [...harmless, ...knownIgnored], cwd: home.root, env, timeoutMs});
  if (theirs.code !== 0) return gitFailed('look for files that are tracked although ignored', theirs);
  return ok({forced: records(theirs.out).map(gitPath), persons});
};

/** Outside git: folders that nobody asked us to leave out, and that are left out all the same. */
export const unkeptFolders = async (place: PrivateDir, state: TreeState, timeoutMs: number): Promise<GitPath[]> => {
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
