// The folder of another tool, read for `ckpt import`: its pages and JSON files, bounded, no link followed.

import {lstatSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {fail, ok, type Result} from '../../core/failure.ts';
import type {OldFile} from '../../import/foundling.ts';

const maxBytes = 4_000_000;

export const readOldFolder = (folder: string): Result<OldFile[]> => {
  try {
    if (!statSync(folder).isDirectory())
      return fail({is: 'bad-usage', what: `${folder} is a file`, fix: 'name the folder that it is in'});
    return ok([...filesIn(folder, ''), ...filesIn(folder, 'checkpoints/')]);
  } catch (error) {
    const {code = 'EIO', message} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      return fail({is: 'not-found', what: `there is no folder ${folder}`, fix: 'name an existing one'});
    return fail({is: 'system', doing: `read ${folder}`, code, message});
  }
};

const filesIn = (folder: string, below: '' | 'checkpoints/'): OldFile[] =>
  namesIn(join(folder, below))
    .filter((name) => /\.(?:md|json)$/.test(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, below, name);
      const {size, mtimeMs} = lstatSync(path);
      if (!lstatSync(path).isFile() || size > maxBytes) return [];
      return [{name: `${below}${name}`, text: readFileSync(path, 'utf8'), changedAt: Math.round(mtimeMs)}];
    });

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
};
