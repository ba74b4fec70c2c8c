// Which files differ between two snapshots, or between one and the files as they are now.

import {fail, ok, type Result} from '../../core/failure.ts';
import {type FileChange, fileChanges} from '../../history/file-changes.ts';
import {isObjectName} from '../../history/ref-names.ts';
import {gitFailed} from './home/git.ts';
import {inHome} from './refs.ts';
import {diffTrees} from './restore.ts';
import {type Ground, inPrivate, type TreeOptions} from './snapshots.ts';

export const treeChanges = (
  options: TreeOptions,
  from: string,
  to: string | undefined,
): Promise<Result<FileChange[]>> =>
  inPrivate<FileChange[]>(options, async (ground) => {
    const end = to === undefined ? await presentOf(ground) : ok(to);
    return end.ok ? between(ground, from, end.value) : end;
  });

/** What the snapshot holds that its HEAD did not, or differently; without any HEAD: all of it. */
export const changesSinceHead = (options: TreeOptions, commit: string): Promise<Result<FileChange[]>> =>
  inPrivate<FileChange[]>(options, async (ground) => {
    if (!isObjectName(commit)) return fail(noTree(commit));
    const head = await inHome(ground.place.home, ['rev-parse', '--verify', '-q', `${commit}^`]);
    const empty = await inHome(ground.place.home, ['hash-object', '-t', 'tree', '-w', '--stdin']);
    return between(ground, (head.code === 0 ? head : empty).out.trim(), commit);
  });

const noTree = (name: string) => ({is: 'not-found' as const, what: `no tree is called ${name}`, fix: 'ckpt list'});

const between = async ({place}: Ground, from: string, to: string): Promise<Result<FileChange[]>> => {
  const wrong = [from, to].find((tree) => !isObjectName(tree));
  if (wrong !== undefined) return fail(noTree(wrong));
  const raw = await diffTrees(place, from, to);
  if (!raw.ok) return raw;
  const args = ['diff-tree', '-r', '-z', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv', from, to];
  const counts = await place.ask('none', {args, timeoutMs: 60_000});
  if (counts.code !== 0) return gitFailed('compare the files', counts);
  return ok(fileChanges(raw.value, counts.out));
};

const presentOf = async (ground: Ground): Promise<Result<string>> => {
  const present = await ground.present('a look');
  return present.ok ? ok(present.value.tree) : present;
};
