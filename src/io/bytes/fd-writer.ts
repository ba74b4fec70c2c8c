import {writeSync} from 'node:fs';
import {performance} from 'node:perf_hooks';
import type {RoomWaiter} from './room-waiter.ts';

/**
 * Writes to a terminal or pipe that may be slow, in order and to the last byte. The descriptor is non-blocking, so a
 * reader that stands still never stops our event loop. What there is room for is written before write() returns.
 */
export interface FdWriter {
  write(bytes: Uint8Array): void;
  /** Bytes that are not known to be taken by the kernel. */
  pending(): number;
  /** False after close(), and when the other side has gone. */
  isOpen(): boolean;
  /** The last act, also where there is no event loop any more: waits at most so long for room, drops the rest. */
  end(maxMs: number): void;
  /** Drops what is pending. Nothing is written after this: the descriptor's number may soon be somebody else's. */
  close(): void;
}

export interface FdWriterOptions {
  fd: number;
  /** Writes through the event loop, which tries at once and waits where there is no room. Without it we look again. */
  openWaiter?: () => RoomWaiter | undefined;
  /** Called after every step that made `pending` smaller. */
  onProgress?: (pending: number) => void;
  /** The other side has gone: what was pending is dropped. */
  onBroken?: () => void;
}

export const fdWriter = ({fd, openWaiter, onProgress, onBroken}: FdWriterOptions): FdWriter => {
  const queue = byteQueue();
  let open = true;
  let movedAt = 0;
  let waiter: RoomWaiter | undefined;
  let waiting: {piece: Uint8Array} | {cancel(): void} | undefined;

  const breakOff = (): void => {
    open = false;
    queue.clear();
    onBroken?.();
  };
  /** Gives the kernel what it takes now. */
  const push = (): void => {
    for (let first = queue.first(); first !== undefined; first = queue.first()) {
      const took = tryWrite(fd, first);
      if (took === 'broken') breakOff();
      if (took === 'broken' || took === 0) return;
      movedAt = performance.now();
      queue.drop(took);
    }
  };
  /** On with what is queued: through the event loop, or else what the kernel takes now and the rest later. */
  const pump = (): void => {
    waiting = undefined;
    const before = queue.size();
    waiter ??= open && before > 0 ? openWaiter?.() : undefined;
    if (waiter === undefined) {
      push();
      if (queue.size() > 0) waiting = later(performance.now() - movedAt, pump);
    } else handOver(waiter);
    if (queue.size() < before) onProgress?.(queue.size());
  };
  const handOver = (to: RoomWaiter): void => {
    const piece = queue.joined(PIECE);
    if (piece === undefined) return;
    waiting = {piece};
    to.write(piece, (worked) => {
      // Closed in between.
      if (waiting === undefined || !('piece' in waiting) || waiting.piece !== piece) return;
      waiting = undefined;
      if (!worked) {
        breakOff();
        return;
      }
      queue.drop(piece.length);
      if (queue.size() > 0) handOver(to);
      onProgress?.(queue.size());
    });
  };
  const close = (): void => {
    open = false;
    queue.clear();
    if (waiting !== undefined && 'cancel' in waiting) waiting.cancel();
    waiting = undefined;
    waiter?.close();
    waiter = undefined;
  };
  return {
    write: (bytes) => {
      if (!open || bytes.length === 0) return;
      queue.add(bytes);
      if (waiting === undefined) pump();
    },
    pending: queue.size,
    isOpen: () => open,
    end: (maxMs) => {
      // The event loop stands still meanwhile: what it has not written of its piece it will not write any more.
      if (waiting !== undefined && 'piece' in waiting && waiter !== undefined) {
        queue.drop(waiting.piece.length - waiter.left());
      }
      const until = performance.now() + maxMs;
      for (push(); open && queue.size() > 0 && performance.now() < until; push()) sleepSync(LOOK_MS);
      close();
    },
    close,
  };
};

const byteQueue = () => {
  let chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add: (bytes: Uint8Array): void => {
      chunks.push(bytes);
      size += bytes.length;
    },
    first: (): Uint8Array | undefined => chunks[0],
    /** As much as is there, up to about `size`, as one chunk; from now on the first. */
    joined: (wanted: number): Uint8Array | undefined => {
      let count = 0;
      for (let sum = 0; count < chunks.length && sum < wanted; count += 1) sum += chunks[count]?.length ?? 0;
      if (count > 1) chunks.splice(0, count, Buffer.concat(chunks.slice(0, count)));
      return chunks[0];
    },
    /** From the front; not more than the first chunk has. */
    drop: (count: number): void => {
      const first = chunks[0];
      if (first === undefined) return;
      size -= count;
      if (count === first.length) chunks.shift();
      else chunks[0] = first.subarray(count);
    },
    size: (): number => size,
    clear: (): void => {
      chunks = [];
      size = 0;
    },
  };
};

/** What waits is handed over in pieces: each costs a turn of the event loop. */
const PIECE = 64 * 1024;
const LOOK_MS = 2;
/** A reader that reads at all makes room within microseconds: look again at once for so long, and only then sleep. */
const BUSY_MS = 2;
const SLOW_MS = 50;

const later = (stuckMs: number, act: () => void): {cancel(): void} => {
  if (stuckMs < BUSY_MS) {
    const soon = setImmediate(act);
    return {cancel: () => clearImmediate(soon)};
  }
  const timer = setTimeout(act, stuckMs < SLOW_MS ? 1 : 10);
  return {cancel: () => clearTimeout(timer)};
};

/** 0: no room now. 'broken': the other side is gone, nothing will ever be taken again. */
const tryWrite = (fd: number, bytes: Uint8Array): number | 'broken' => {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    return code === 'EAGAIN' || code === 'EINTR' ? 0 : 'broken';
  }
};

const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
