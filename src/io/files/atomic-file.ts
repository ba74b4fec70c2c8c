import {closeSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, unlinkSync, writeSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';

/** The calls that change a disk. Handed in, so that a test can fail, or die, before and after each of them. */
export interface Disk {
  open(path: string, flags: string, mode?: number): number;
  write(fd: number, bytes: Buffer, from: number): number;
  sync(fd: number): void;
  close(fd: number): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** With its parents; says which was the first that had to be made. */
  makeFolder(path: string, mode: number): string | undefined;
}

export const realDisk: Disk = {
  open: openSync,
  write: writeSync,
  sync: fsyncSync,
  close: closeSync,
  rename: renameSync,
  remove: unlinkSync,
  makeFolder: (path, mode) => makeParents(path, mode),
};

/** Step by step: Node's own recursive mkdir never ends where the system says ENOENT for a folder that is there (/proc). */
const makeParents = (path: string, mode: number): string | undefined => {
  try {
    mkdirSync(path, {mode});
    return path;
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    // Another process may have been quicker.
    if (code === 'EEXIST' && statSync(path).isDirectory()) return undefined;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const first = makeParents(dirname(path), mode);
  // Once more and no third time: a parent that is there, and still ENOENT, is no ordinary folder.
  try {
    mkdirSync(path, {mode});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return first ?? path;
};

let serial = 0;

/**
 * A file is whole or absent: temp beside the target, write, fsync, rename, fsync the folder. Whoever kills us on any
 * line leaves the old file or the new one, and at most a stray `.name.pid.n.tmp` that the next start sweeps away.
 */
export const writeWhole = (path: string, content: string | Buffer, disk: Disk = realDisk): void => {
  replaceWhole(path, content, disk);
  syncFolder(dirname(path), disk);
};

/** The same but for the last step, for whoever writes several files and syncs their folder once. */
export const replaceWhole = (path: string, content: string | Buffer, disk: Disk): void => {
  serial += 1;
  const temp = join(dirname(path), `.${basename(path).slice(0, 200)}.${process.pid}.${serial}.tmp`);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  try {
    const fd = disk.open(temp, 'wx', 0o600);
    try {
      for (let done = 0; done < bytes.length; ) done += disk.write(fd, bytes, done);
      disk.sync(fd);
    } finally {
      disk.close(fd);
    }
    disk.rename(temp, path);
  } catch (error) {
    try {
      disk.remove(temp);
    } catch {
      // The temp was never made, or the folder itself is gone: the first error is the one to tell.
    }
    throw error;
  }
};

/** The rename itself lives in the folder: without this a power cut may undo it. */
export const syncFolder = (path: string, disk: Disk = realDisk): void => {
  const fd = disk.open(path, 'r');
  try {
    disk.sync(fd);
  } finally {
    disk.close(fd);
  }
};

/** A new folder is an entry in its parent, and must reach the disk like any other. */
export const makeFolder = (path: string, disk: Disk = realDisk): void => {
  const first = disk.makeFolder(path, 0o700);
  if (first === undefined) return;
  for (let made = resolve(path); ; made = dirname(made)) {
    try {
      syncFolder(dirname(made), disk);
    } catch {
      // A parent that we may not open: the folder is there, and more cannot be done for it.
    }
    if (made === resolve(first) || made === dirname(made)) return;
  }
};
