import {closeSync, readSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {namelessFile} from './nameless-file.ts';

/** Bytes kept in order, to be read again from any place: in memory while they are few, then in a file. */
export interface HeldBytes {
  append(chunk: Uint8Array): void;
  /** Up to `max` bytes from `at`; empty at the end. */
  read(at: number, max: number): Buffer;
  size(): number;
  close(): void;
}

export interface HeldBytesOptions {
  memory?: number;
  folder?: string;
  /** The file could not be made or written (a full disk): the rest stays in memory. */
  onFault?: (what: string) => void;
}

export const holdBytes = ({memory = 1024 * 1024, folder = tmpdir(), onFault}: HeldBytesOptions = {}): HeldBytes => {
  /** In order: what is in the file comes before what is in memory. */
  let inFile = 0;
  let room = Buffer.allocUnsafe(0);
  let inMemory = 0;
  let file: number | undefined;
  let broken = false;

  const makeRoom = (size: number): void => {
    if (size <= room.length) return;
    const larger = Buffer.allocUnsafe(Math.max(size, room.length * 2, 4096));
    room.copy(larger, 0, 0, inMemory);
    room = larger;
  };
  /** All of it or none: bytes behind `inFile` are never read, and are written over. */
  const spill = (): void => {
    try {
      file ??= namelessFile(folder, 'ckpt-run');
      for (let done = 0; done < inMemory; ) done += writeSync(file, room, done, inMemory - done, inFile + done);
      inFile += inMemory;
      inMemory = 0;
    } catch (error) {
      broken = true;
      onFault?.(`cannot keep bytes in ${folder}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return {
    append: (chunk) => {
      makeRoom(inMemory + chunk.length);
      room.set(chunk, inMemory);
      inMemory += chunk.length;
      if (inMemory > memory && !broken) spill();
    },
    read: (at, max) => {
      if (file !== undefined && at < inFile) {
        const into = Buffer.allocUnsafe(Math.min(max, inFile - at));
        return into.subarray(0, readSync(file, into, 0, into.length, at));
      }
      // A copy: the room is used again.
      return Buffer.from(room.subarray(at - inFile, Math.min(at - inFile + max, inMemory)));
    },
    size: () => inFile + inMemory,
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
      inFile = 0;
      room = Buffer.allocUnsafe(0);
      inMemory = 0;
    },
  };
};
