// The folder under checkpoint-files.ts: read without following links, written by one at a time, faults told as data.

import {closeSync, constants, lstatSync, openSync, readdirSync, readFileSync, unlinkSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {type Failure, fail, type Result} from '../../core/failure.ts';
import {type Disk, makeFolder, realDisk, replaceWhole, syncFolder} from '../files/atomic-file.ts';
import {type Locker, lockLatest, lockName} from '../files/latest-lock.ts';

export interface FolderOptions {
  dir: string;
  lock?: Locker;
  /** For fault injection. */
  disk?: Disk;
  lockWaitMs?: number;
}

/** Name and content. */
export type FileToPut = [file: string, content: string];

/** What the one who holds the lock may do to the folder's files. */
export interface Hands {
  /** Writes files, each whole or not at all; all of them are on the disk when it returns, in no order that one may rely on. */
  put(...files: FileToPut[]): void;
  /** Those that are gone already are no fault. */
  remove(files: string[]): void;
  setAside(file: string, as: string): void;
}

/** Runs `work` as the only writer of the folder; what the system refuses becomes a Failure. */
export const alone = async <T>(
  options: FolderOptions,
  doing: string,
  work: (hands: Hands) => Promise<Result<T>>,
): Promise<Result<T>> => {
  const {dir, lock: locker = lockLatest, lockWaitMs = 10_000, disk = realDisk} = options;
  try {
    makeFolder(dir, disk);
    const lock = await locker(dir, lockWaitMs);
    if (lock === undefined) return fail(unusable(dir, `other writers held ${lockName} for ${lockWaitMs} ms`));
    try {
      sweepStrays(dir);
      return await work(
        handsIn(dir, disk, () => {
          if (!lock.stillOurs()) throw lockLost(doing);
        }),
      );
    } finally {
      lock.release();
    }
  } catch (error) {
    return fail(asFailure(error, dir, doing));
  }
};

const lockLost = (doing: string): Error =>
  Object.assign(new Error(`the lock was lost while trying to ${doing}`), {code: 'ELOCKLOST'});

const handsIn = (dir: string, disk: Disk, check: () => void): Hands => ({
  put: (...files) => {
    for (const [file, content] of files) {
      check();
      putWhole(join(dir, file), content, disk);
    }
    syncFolder(dir, disk);
  },
  remove: (files) => {
    check();
    for (const file of files) removeIfThere(join(dir, file), disk);
    syncFolder(dir, disk);
  },
  setAside: (file, as) => {
    check();
    disk.rename(join(dir, file), join(dir, as));
    syncFolder(dir, disk);
  },
});

/**
 * EEXIST is a dead writer's stray: its pid may be ours again, above all in a sandbox, where pids are small.
 * Nobody else writes here now, and the failed attempt has removed the stray.
 */
const putWhole = (path: string, content: string, disk: Disk): void => {
  for (let left = 20; ; left -= 1) {
    try {
      replaceWhole(path, content, disk);
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || left === 0) throw error;
    }
  }
};

const removeIfThere = (path: string, disk: Disk): void => {
  try {
    disk.remove(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
};

/** For looking only: what the system refuses becomes a Failure. */
export const guarded = async <T>(dir: string, doing: string, work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (error) {
    return fail(asFailure(error, dir, doing));
  }
};

/** Follows no symbolic link, waits on no pipe: what is read here is a file of this folder. */
export const readInside = (path: string): string => {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
};

export const isThere = (path: string): boolean => {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
};

/** Names in the folder; none when it is not there yet. */
export const namesIn = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
};

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** What a person can mend at the folder itself, and how; anything else is the system's. */
const folderFaults: Record<string, string> = {
  EACCES: 'it belongs to somebody else, or may not be written; mend its permissions or use --checkpoint-dir',
  EPERM: 'it may not be written here (a sandbox?); use --checkpoint-dir with a folder that may',
  EROFS: 'it is read-only here (a sandbox, or a read-only disk); use --checkpoint-dir with a folder that is not',
  ENOSPC: 'the disk is full; nothing that was saved before is lost; free some space and try again',
  EDQUOT: 'your quota on this disk is used up; nothing that was saved before is lost; free some space and try again',
  ENOTDIR: 'a part of its path is a file; move that file away or use --checkpoint-dir',
  EEXIST: 'a part of its path is a file; move that file away or use --checkpoint-dir',
  ENOENT: 'it was removed meanwhile; try again',
  ELOCKLOST: 'it was removed, or another writer took over, meanwhile; try again',
  ELOOP: 'it holds a symbolic link where a file of ours should be; links are not followed: remove it',
  EISDIR: 'it holds a folder where a file of ours should be; move that folder away',
  ENAMETOOLONG: 'its path is too long; use --checkpoint-dir with a shorter one',
};

export const asFailure = (error: unknown, dir: string, doing: string): Failure => {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const fault = folderFaults[code];
  if (fault !== undefined) return unusable(dir, `${fault} (${message})`);
  return {is: 'system', doing, code: code || 'unknown', message};
};

const unusable = (path: string, what: string): Failure => ({is: 'store-unusable', path, what});

const strayAgeMs = 3_600_000;

/** Strays of killed writers. Once an hour and not at every open: the folder may hold tens of thousands of files. */
const sweepStrays = (dir: string): void => {
  const lock = join(dir, lockName);
  const now = Date.now();
  try {
    if (now - lstatSync(lock).mtimeMs < strayAgeMs) return;
    utimesSync(lock, now / 1000, now / 1000);
    for (const name of readdirSync(dir)) {
      if (!name.startsWith('.') || !name.endsWith('.tmp')) continue;
      const path = join(dir, name);
      if (now - lstatSync(path).mtimeMs > strayAgeMs) unlinkSync(path);
    }
  } catch {
    // A stray more or less harms nobody; whoever removed it meanwhile has done our work.
  }
};
