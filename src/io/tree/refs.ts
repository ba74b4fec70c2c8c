// The refs that keep snapshots alive, in the person's repository or in the shadow one. Nothing but `refs/ckpt/` is written.

import {closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {ok, type Result} from '../../core/failure.ts';
import {isObjectName, isSnapshotRef, refRoot} from '../../history/ref-names.ts';
import {syncFolder as syncFolderNow} from '../files/atomic-file.ts';
import {durable, git, gitFailed, harmless, personsEnv, privateEnv, syncFolder} from './home/git.ts';
import type {Home} from './home/home.ts';

const timeoutMs = 20_000;

/** Git in the repository that keeps the refs, with nothing of the person's set in motion. */
export const inHome = (home: Pick<Home, 'kind' | 'gitDir'>, args: string[], input = '') =>
  git({
    args: [...harmless, ...durable, ...args],
    cwd: home.gitDir,
    env: home.kind === 'shadow' ? privateEnv(home.gitDir) : {...personsEnv(), GIT_DIR: home.gitDir},
    input: Buffer.from(input, 'latin1'),
    timeoutMs,
  });

export const createRef = async (home: Home, ref: string, commit: string): Promise<Result<void>> => {
  const made = await inHome(home, ['update-ref', '--stdin', '-z'], `create ${ref}\0${commit}\0`);
  if (made.code !== 0) return gitFailed(`name the snapshot ${ref}`, made);
  try {
    await syncFolder(dirname(join(home.gitDir, ref)));
  } catch {
    // Refs may live in one table instead of files; git has synced that itself.
  }
  return ok(undefined);
};

/**
 * The same for a name that nobody has had before and a commit that is surely there: written as git writes it, lock file,
 * fsync, rename, without a process of git's. Where refs are kept otherwise, or others share them, git does it.
 */
export const createNewRef = async (home: Home, ref: string, commit: string): Promise<Result<void>> => {
  const {config, gitDir} = home;
  if (config.has('core.sharedrepository') || (config.get('extensions.refstorage') ?? 'files') !== 'files') {
    return createRef(home, ref, commit);
  }
  try {
    writeRef(join(gitDir, ref), commit);
    return ok(undefined);
  } catch {
    rmSync(`${join(gitDir, ref)}.lock`, {force: true});
    return createRef(home, ref, commit);
  }
};

const writeRef = (path: string, commit: string): void => {
  const folder = dirname(path);
  const made = mkdirSync(folder, {recursive: true});
  const fd = openSync(`${path}.lock`, 'wx', 0o666);
  try {
    writeSync(fd, `${commit}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.lock`, path);
  syncFolderNow(folder);
  if (made !== undefined) syncFolderNow(dirname(folder));
};

export interface KeptRef {
  ref: string;
  commit: string;
}

export const listRefs = async (home: Home): Promise<Result<KeptRef[]>> => {
  const told = await inHome(home, ['for-each-ref', '--format=%(refname) %(objectname)', refRoot]);
  if (told.code !== 0) return gitFailed('list the snapshots', told);
  return ok(
    told.out.split('\n').flatMap((line) => {
      const [ref = '', commit = ''] = line.split(' ');
      return isSnapshotRef(ref) ? [{ref, commit}] : [];
    }),
  );
};

/** Those that are not there, or not ours, are passed over. What only they reached goes with git's next collection. */
export const deleteRefs = async (home: Home, refs: Iterable<string>): Promise<Result<number>> => {
  const listed = await listRefs(home);
  if (!listed.ok) return listed;
  const wanted = new Set(refs);
  const going = listed.value.filter(({ref}) => wanted.has(ref));
  if (going.length === 0) return ok(0);
  const input = going.map(({ref, commit}) => `delete ${ref}\0${commit}\0`).join('');
  const told = await inHome(home, ['update-ref', '--stdin', '-z'], input);
  return told.code === 0 ? ok(going.length) : gitFailed('drop snapshots', told);
};

/** HEAD of this moment, and whether the last snapshot is still there with all that it names. */
export const lookUp = async (
  {kind, gitDir, objects, persons}: Home,
  {commit, pack}: {commit?: string; pack?: string | undefined},
  known: string | undefined,
): Promise<Result<{head: string | undefined; isThere: boolean}>> => {
  const isKept = pack !== undefined && existsSync(join(objects, 'pack', `${pack}.idx`));
  const isGit = kind === 'git';
  if ((known !== undefined || !isGit) && (isKept || commit === undefined))
    return ok({head: isGit ? known : undefined, isThere: isKept});
  const asked = commit === undefined ? ['HEAD'] : ['HEAD', `${commit}^{tree}`];
  // Of this worktree; outside git it is of no meaning, but there all the same.
  const told = await inHome(
    {kind, gitDir: persons?.gitDir ?? gitDir},
    ['cat-file', '--batch-check=%(objectname)'],
    asked.map((name) => `${name}\n`).join(''),
  );
  if (told.code !== 0) return gitFailed('look at HEAD', told);
  const [head = '', tree = ''] = told.out.split('\n');
  return ok({head: isGit && isObjectName(head) ? head : undefined, isThere: isObjectName(tree)});
};

/** Is the commit still there, with all that it names? */
export const hasCommit = async (home: Home, commit: string): Promise<boolean> =>
  isObjectName(commit) && (await inHome(home, ['cat-file', '-e', `${commit}^{tree}`])).code === 0;
