// A checkpoint's files in a folder of their own: a git worktree with a branch of its own, outside git a plain folder.
// What was begun and cannot be finished is taken away again.

import {existsSync, readdirSync, rmSync} from 'node:fs';
import {fail, ok, type Result} from '../../core/failure.ts';
import type {Forked, ForkOrder} from '../../history/ports.ts';
import {isObjectName} from '../../history/ref-names.ts';
import {makeFolder} from '../files/atomic-file.ts';
import {git, gitFailed, harmless, personsEnv} from './home/git.ts';
import {findHome, type Home} from './home/home.ts';
import {deleteRefs} from './refs.ts';
import {restoreTree} from './restore.ts';
import type {TreeOptions} from './snapshots.ts';

export const forkTree = async (options: TreeOptions, order: ForkOrder): Promise<Result<Forked>> => {
  const {dir} = order;
  if (existsSync(dir) && readdirSync(dir).length > 0) {
    return fail({is: 'bad-usage', what: `${dir} is there already`, fix: 'name another folder with --dir'});
  }
  const home = await findHome(options.root, options.checkpointDir);
  if (!home.ok) return home;
  const head = await parentOf(home.value, order.from.commit);
  const made = home.value.kind === 'git' ? await addWorktree(home.value, order, head) : madeFolder(dir);
  if (!made.ok) return made;
  const filled = await restoreTree(
    {...options, root: dir},
    {...order, to: order.from, paths: [], dry: false, saved: async () => ok(undefined)},
  );
  if (!filled.ok || filled.value.after === undefined) {
    await made.value.takeBack();
    return filled.ok ? fail({is: 'not-found', what: 'the files of that checkpoint', fix: 'ckpt list'}) : filled;
  }
  const {before, after, plan} = filled.value;
  // The empty folder that it began with is worth nothing to anybody.
  if (before !== undefined) await deleteRefs(home.value, [before.ref]);
  const branch = home.value.kind === 'git' ? order.branch : undefined;
  return ok({dir, branch, head, workspace: after, plan});
};

const timeoutMs = 60_000;

interface Made {
  takeBack(): Promise<void>;
}

const madeFolder = (dir: string): Result<Made> => {
  makeFolder(dir);
  return ok({takeBack: async () => rmSync(dir, {recursive: true, force: true})});
};

const inRepository = ({root}: Home, args: string[], cwd = root) =>
  git({args: [...harmless, ...args], cwd, env: personsEnv(), timeoutMs});

const parentOf = async (home: Home, commit: string): Promise<string | undefined> => {
  if (home.kind === 'shadow' || !isObjectName(commit)) return undefined;
  const told = await inRepository(home, ['rev-parse', '--verify', '-q', `${commit}^`]);
  return told.code === 0 ? told.out.trim() : undefined;
};

/** Nothing is checked out by git: its filters would run, and the files come raw from the snapshot. */
const addWorktree = async (
  home: Home,
  {dir, branch, from}: ForkOrder,
  head: string | undefined,
): Promise<Result<Made>> => {
  const named = await inRepository(home, ['check-ref-format', '--branch', branch]);
  if (named.code !== 0) return gitFailed(`call a branch ${branch}`, named);
  if ((await inRepository(home, ['rev-parse', '--verify', '-q', `refs/heads/${branch}`])).code === 0) {
    return fail({is: 'bad-usage', what: `the branch ${branch} is there already`, fix: 'name another --track'});
  }
  const start = head === undefined ? ['--detach', dir, from.commit] : ['-b', branch, dir, head];
  const added = await inRepository(home, ['worktree', 'add', '--quiet', '--no-checkout', ...start]);
  const takeBack = async (): Promise<void> => {
    await inRepository(home, ['worktree', 'remove', '--force', dir]);
    if (head !== undefined) await inRepository(home, ['branch', '-D', branch]);
  };
  if (added.code !== 0) {
    // Git makes the branch first.
    await takeBack();
    return gitFailed('make a worktree', added);
  }
  // Where there was no commit yet, the fork has none either.
  const ready =
    head === undefined
      ? await inRepository(home, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`], dir)
      : await inRepository(home, ['read-tree', 'HEAD'], dir);
  if (ready.code === 0) return ok({takeBack});
  await takeBack();
  return gitFailed('make a worktree', ready);
};
