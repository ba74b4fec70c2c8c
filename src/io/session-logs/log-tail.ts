import {closeSync, type FSWatcher, fstatSync, openSync, readSync, watch} from 'node:fs';
import {dirname} from 'node:path';
import type {LogTail} from '../../ports.ts';

/**
 * Follows session logs by byte offset. A log may be 1 GB when an old conversation is resumed: each look reads a bounded
 * piece and gives way, so that the person's bytes never wait for it.
 */
export const openLogTail = (): LogTail => ({
  follow: (path, onLine) => {
    const reader = newReader(path, onLine);
    let ended = false;
    let more: NodeJS.Immediate | undefined;

    const look = (): void => {
      if (ended || more !== undefined) return;
      if (reader.step() !== 'more') return;
      more = setImmediate(() => {
        more = undefined;
        look();
      });
    };

    const poll = setInterval(look, POLL_MS);
    const watcher = watchFolder(dirname(path), look);
    look();

    return {
      flush: async () => {
        // The end is fixed first: an agent that writes without pause must not hold us here for ever.
        const end = sizeOf(path);
        while (!ended && reader.step() === 'more' && reader.at() < end) await breath();
      },
      offset: reader.given,
      close: () => {
        ended = true;
        clearInterval(poll);
        clearImmediate(more);
        watcher?.close();
      },
    };
  },
});

const POLL_MS = 200;
const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

type Step = 'more' | 'end';

interface Reader {
  step(): Step;
  /** Bytes read so far. */
  at(): number;
  /** Bytes up to the end of the last whole line: a place where reading may begin again. */
  given(): number;
}

/** Reads on from where it stood; a torn last line waits for its end. Bytes are joined before they are decoded. */
const newReader = (path: string, onLine: (line: string) => void): Reader => {
  let file = '';
  let at = 0;
  let given = 0;
  let rest: Buffer[] = [];

  const readOn = (): {chunk: Buffer; size: number} | undefined => {
    const fd = tolerate(() => openSync(path, 'r'));
    if (fd === undefined) return undefined;
    try {
      const stat = fstatSync(fd, {bigint: true});
      const name = `${stat.dev}:${stat.ino}`;
      const size = Number(stat.size);
      // Another file under this name, or the same one cut short: what it holds now is new.
      if (name !== file || size < at) [file, at, given, rest] = [name, 0, 0, []];
      // Only as much as is there: a torn line keeps its pieces, and they must not each hold a whole chunk.
      const chunk = Buffer.allocUnsafe(Math.min(size - at, CHUNK_BYTES));
      return {chunk: chunk.subarray(0, readSync(fd, chunk, 0, chunk.length, at)), size};
    } catch {
      return undefined;
    } finally {
      closeSync(fd);
    }
  };

  const step = (): Step => {
    const read = readOn();
    if (read === undefined || read.chunk.length === 0) return 'end';
    const start = at;
    at += read.chunk.length;
    let from = 0;
    for (let to = read.chunk.indexOf(LINE_FEED); to >= 0; to = read.chunk.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...rest, read.chunk.subarray(from, to)]).toString('utf8');
      rest = [];
      from = to + 1;
      given = start + from;
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text !== '') onLine(text);
    }
    if (from < read.chunk.length) rest.push(read.chunk.subarray(from));
    return at < read.size ? 'more' : 'end';
  };

  return {step, at: () => at, given: () => given};
};

/** The folder, not the file: the file may not exist yet, and a replaced one would be lost. The poll is the net. */
const watchFolder = (dir: string, look: () => void): FSWatcher | undefined =>
  tolerate(() => {
    const watcher = watch(dir, look);
    watcher.on('error', () => watcher.close());
    return watcher;
  });

const sizeOf = (path: string): number => {
  const fd = tolerate(() => openSync(path, 'r'));
  if (fd === undefined) return 0;
  try {
    return fstatSync(fd).size;
  } finally {
    closeSync(fd);
  }
};

const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const tolerate = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch {
    return undefined;
  }
};
