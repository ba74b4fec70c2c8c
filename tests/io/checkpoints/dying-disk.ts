// Disks that fail, die or lose power. Each wraps the real one.

import {basename} from 'node:path';
import {type Disk, realDisk} from '../../../src/io/files/atomic-file.ts';

export type Moment = 'before' | 'halfway' | 'after';

export interface Dying {
  disk: Disk;
  /** How many calls that change the disk were asked for. */
  calls(): number;
  died(): boolean;
}

/** Dies at the n-th call that changes the disk: nothing after it reaches the disk, not even the tidying up. */
export const dyingDisk = (at: number, moment: Moment): Dying => {
  let calls = 0;
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Error('killed');
  };
  const mortal = <T>(act: () => T, half: () => void = () => undefined): T => {
    if (dead) die();
    calls += 1;
    if (calls !== at) return act();
    if (moment === 'halfway') half();
    if (moment === 'after') act();
    return die();
  };
  const disk: Disk = {
    open: (path, flags, mode) =>
      // To open for reading changes nothing, but the dead open nothing either.
      flags === 'r' ? (dead ? die() : realDisk.open(path, flags)) : mortal(() => realDisk.open(path, flags, mode)),
    write: (fd, bytes, from) =>
      mortal(
        () => realDisk.write(fd, bytes, from),
        () => realDisk.write(fd, bytes.subarray(0, Math.floor(bytes.length / 2)), 0),
      ),
    sync: (fd) => mortal(() => realDisk.sync(fd)),
    // The kernel closes what a dead process had open.
    close: realDisk.close,
    rename: (from, to) => mortal(() => realDisk.rename(from, to)),
    remove: (path) => mortal(() => realDisk.remove(path)),
    makeFolder: (path, mode) => mortal(() => realDisk.makeFolder(path, mode)),
  };
  return {disk, calls: () => calls, died: () => dead};
};

/** The n-th call fails with that code; the process lives on. */
export const failingDisk = (at: number, code: string): {disk: Disk; calls: () => number} => {
  let calls = 0;
  const may = <T>(act: () => T): T => {
    calls += 1;
    if (calls === at) throw Object.assign(new Error(`${code}: made up`), {code});
    return act();
  };
  const disk: Disk = {
    open: (path, flags, mode) => may(() => realDisk.open(path, flags, mode)),
    write: (fd, bytes, from) => may(() => realDisk.write(fd, bytes, from)),
    sync: (fd) => may(() => realDisk.sync(fd)),
    close: realDisk.close,
    rename: (from, to) => may(() => realDisk.rename(from, to)),
    remove: (path) => may(() => realDisk.remove(path)),
    makeFolder: (path, mode) => may(() => realDisk.makeFolder(path, mode)),
  };
  return {disk, calls: () => calls};
};

export const mostStates = 100;

interface Inode {
  data: Buffer;
  synced: Buffer;
}

/** What may be found after a power cut: file name → content. */
export type DiskState = Map<string, Buffer>;

/**
 * Remembers what has reached the platter and what has not. Until its folder is synced, each change of a name may or may
 * not be there, in any order; until it is synced itself, of a file's bytes none, half or all may be there.
 */
export class PowerCutDisk {
  readonly #live = new Map<string, Inode>();
  #durable = new Map<string, Inode>();
  readonly #open = new Map<number, Inode | 'folder'>();
  readonly #whenChanged: (states: DiskState[]) => void;
  /** To show that the test can fail: what if we forgot one of the two? */
  readonly #forget: 'nothing' | 'file-sync' | 'folder-sync';

  constructor(whenChanged: (states: DiskState[]) => void, forget: 'nothing' | 'file-sync' | 'folder-sync' = 'nothing') {
    this.#whenChanged = whenChanged;
    this.#forget = forget;
  }

  readonly disk: Disk = {
    ...realDisk,
    open: (path, flags, mode) => {
      const fd = realDisk.open(path, flags, mode);
      const fresh: Inode = {data: Buffer.alloc(0), synced: Buffer.alloc(0)};
      if (flags !== 'r') this.#live.set(basename(path), fresh);
      this.#open.set(fd, flags === 'r' ? 'folder' : fresh);
      return this.#changed(fd);
    },
    write: (fd, bytes, from) => {
      const file = this.#open.get(fd);
      const written = realDisk.write(fd, bytes, from);
      if (file !== undefined && file !== 'folder')
        file.data = Buffer.concat([file.data, bytes.subarray(from, from + written)]);
      return this.#changed(written);
    },
    sync: (fd) => {
      const file = this.#open.get(fd);
      if (file === 'folder' && this.#forget !== 'folder-sync') this.#durable = new Map(this.#live);
      if (file !== undefined && file !== 'folder' && this.#forget !== 'file-sync') file.synced = file.data;
      this.#changed(undefined);
    },
    rename: (from, to) => {
      realDisk.rename(from, to);
      const file = this.#live.get(basename(from));
      this.#live.delete(basename(from));
      if (file !== undefined) this.#live.set(basename(to), file);
      this.#changed(undefined);
    },
    remove: (path) => {
      realDisk.remove(path);
      this.#live.delete(basename(path));
      this.#changed(undefined);
    },
  };

  #changed<T>(value: T): T {
    this.#whenChanged(this.states());
    return value;
  }

  /** Every state that a power cut now may leave. */
  states(): DiskState[] {
    const names = [...new Set([...this.#live.keys(), ...this.#durable.keys()])];
    let states: DiskState[] = [new Map()];
    for (const name of names) {
      const possible = [...new Set([this.#durable.get(name), this.#live.get(name)])];
      const contents = possible.flatMap((file) => (file === undefined ? [undefined] : contentsOf(file)));
      // Few are possible when all is synced in time; without, the first ones are enough to see a loss.
      states = states
        .flatMap((state) =>
          contents.map((content) => (content === undefined ? state : new Map(state).set(name, content))),
        )
        .slice(0, mostStates);
    }
    return states;
  }
}

const contentsOf = ({data, synced}: Inode): Buffer[] =>
  synced.equals(data) ? [data] : [synced, data.subarray(0, Math.ceil(data.length / 2)), data];
