import {constants, fstatSync, openSync} from 'node:fs';
import type {Readable} from 'node:stream';
import {type HeldBytes, holdBytes} from '../files/held-bytes.ts';
import {fdWriter} from './fd-writer.ts';
import {openRoomWaiter} from './room-waiter.ts';

/** The legs' stdout on its way to ours. */
export interface PipedOutput {
  /** Takes a leg's stdout. `take` gets a copy; `done` once, when the last byte was taken. Returns "the leg has exited". */
  join(from: Readable, hear: {take(chunk: Buffer): void; done(): void}): () => void;
  /** What was held back is written out, or dropped. */
  keep(keep: boolean): Promise<void>;
  close(): void;
}

export interface PipedOutputOptions {
  /** Passed on at once, leg after leg; else held back until keep(). */
  streams: boolean;
  onFault?: (what: string) => void;
}

export const openPipedOutput = ({streams, onFault}: PipedOutputOptions): PipedOutput => {
  const held: HeldBytes | undefined = streams ? undefined : holdBytes({...(onFault && {onFault})});
  const own = ownDescriptor();
  let from: Readable | undefined;
  let mayPause = true;
  let drained: (() => void) | undefined;
  const out = fdWriter({
    fd: own ?? 1,
    ...(own !== undefined && {openWaiter: () => openRoomWaiter(own, 'pipe')}),
    onProgress: (pending) => {
      if (pending <= LOW_WATER) from?.resume();
      if (pending === 0) drained?.();
    },
    // `| head -1`: the agent's next write must fail as if it wrote to the reader itself.
    onBroken: () => {
      from?.destroy();
      drained?.();
    },
  });
  const taken = async (): Promise<void> => {
    if (out.pending() === 0) return;
    await new Promise<void>((resolve) => {
      drained = resolve;
    });
  };
  const pass = (chunk: Buffer): void => {
    if (held !== undefined) held.append(chunk);
    else {
      out.write(chunk);
      if (out.pending() > HIGH_WATER && mayPause) from?.pause();
    }
  };
  return {
    join: (stream, {take, done}) => {
      from = stream;
      mayPause = true;
      const finish = once(() => {
        clearTimeout(late);
        if (from === stream) from = undefined;
        // Still open in the hands of a process left behind: it would keep us alive.
        stream.destroy();
        done();
      });
      let late: NodeJS.Timeout | undefined;
      stream.on('data', (chunk: Buffer) => {
        pass(chunk);
        take(chunk);
        late?.refresh();
      });
      stream.on('error', finish);
      stream.on('close', finish);
      stream.on('end', finish);
      return () => {
        // What the kernel still holds is little: it must not wait for a slow reader.
        mayPause = false;
        stream.resume();
        // A process that the agent left behind may hold its stdout open for ever.
        late = setTimeout(finish, LEFT_OPEN_MS);
      };
    },
    keep: async (keep) => {
      const size = held?.size() ?? 0;
      for (let at = 0; keep && held !== undefined && at < size && out.isOpen(); ) {
        const chunk = held.read(at, CHUNK);
        at += chunk.length;
        out.write(chunk);
        if (out.pending() > HIGH_WATER) await taken();
      }
      held?.close();
      await taken();
    },
    close: () => {
      out.end(CLOSE_MS);
      drained?.();
      held?.close();
    },
  };
};

const HIGH_WATER = 256 * 1024;
const LOW_WATER = 64 * 1024;
const CHUNK = 64 * 1024;
const LEFT_OPEN_MS = 200;
const CLOSE_MS = 1000;

const once = (act: () => void): (() => void) => {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
};

/**
 * A pipe once more, under a descriptor of our own: non-blocking is a property of the open file, and the agent's stderr
 * may be the same open file (`2>&1 |`). Files never block and sockets cannot be opened anew: those are fd 1 itself.
 */
const ownDescriptor = (): number | undefined => {
  try {
    if (process.platform !== 'linux' || !fstatSync(1).isFIFO()) return undefined;
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
};
