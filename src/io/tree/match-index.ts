// An index that stands for exactly the tree of the present, with the times of all files: git then refuses by itself to
// overwrite a file that has moved since.

import {join} from 'node:path';
import {oneLine} from '../../baton/clean.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {shown} from '../../history/git-paths.ts';
import {readRawDiff} from '../../history/raw-diff.ts';
import {fleeting, gitFailed} from './home/git.ts';
import type {Present} from './present.ts';
import type {PrivateDir} from './private-dir.ts';
import {copyIndex} from './state.ts';

const timeoutMs = 10 * 60_000;

export const matchIndex = async (place: PrivateDir, {tree, state}: Present, index: string): Promise<Result<void>> => {
  await copyIndex(join(place.dir, state.index), join(place.dir, index));
  const plain = [...fleeting, '-c', 'core.sparseCheckout=false'];
  const read = await place.ask(index, {args: [...plain, 'read-tree', '--reset', tree], timeoutMs});
  if (read.code !== 0) return gitFailed('prepare the restore', read);
  const refreshed = await place.ask(index, {
    args: [...plain, 'update-index', '-q', '--refresh', '--ignore-submodules'],
    timeoutMs,
  });
  if (refreshed.code === 0) return ok(undefined);
  return fail({
    ...{is: 'system', doing: 'restore the files', code: 'EBUSY'},
    message: 'files are being written at this moment; nothing was touched',
  });
};

/** Trust is good: every file that was written is read once more. */
export const checkIndex = async (place: PrivateDir, index: string): Promise<Result<void>> => {
  const refreshed = await place.ask(index, {
    args: [...fleeting, '-c', 'core.sparseCheckout=false', 'update-index', '-q', '--refresh', '--ignore-submodules'],
    timeoutMs,
  });
  if (refreshed.code === 0) return ok(undefined);
  const told = await place.ask(index, {
    args: ['-c', 'core.sparseCheckout=false', 'diff-files', '-z', '--raw', '--no-abbrev', '--ignore-submodules'],
    timeoutMs,
  });
  if (told.code !== 0) return gitFailed('look at the restored files', told);
  const wrong = readRawDiff(told.out).map(({path}) => oneLine(shown(path)));
  return fail({
    ...{is: 'system', doing: 'restore the files', code: 'EIO'},
    message: `${wrong.length} differ from what was wanted (${wrong.slice(0, 3).join(', ')}): somebody else writes here`,
  });
};
