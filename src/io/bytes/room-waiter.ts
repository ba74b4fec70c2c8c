import {Socket} from 'node:net';
import {WriteStream} from 'node:tty';

/** Hands a few bytes to the event loop, which writes them as soon as the reader has made room. One piece at a time. */
export interface RoomWaiter {
  write(bytes: Uint8Array, done: (worked: boolean) => void): void;
  /** How much of the piece has not been written yet. */
  left(): number;
  /** What is left will not be written. `done` may still be called. */
  close(): void;
}

/** Undefined where Node does not let us: the caller then looks again and again. */
export const openRoomWaiter = (fd: number, kind: 'terminal' | 'pipe'): RoomWaiter | undefined => {
  try {
    const stream = kind === 'terminal' ? new WriteStream(fd) : new Socket({fd, readable: false, writable: true});
    const handle = handleOf(stream);
    if (handle === undefined) return undefined;
    // Node makes terminals blocking, so that a program may end right after its last line. We flush ourselves.
    handle.setBlocking(false);
    stream.on('error', () => undefined);
    return {
      write: (bytes, done) => {
        stream.write(bytes, (error) => done(error === null || error === undefined));
      },
      left: () => handle.writeQueueSize,
      close: () => void stream.destroy(),
    };
  } catch {
    return undefined;
  }
};

interface Handle {
  setBlocking(blocking: boolean): unknown;
  readonly writeQueueSize: number;
}

/** Node's own handle: not documented, but what it has here has been there since Node 0.12. Pinned by a test. */
const handleOf = (stream: object): Handle | undefined => {
  const {_handle: handle} = stream as {_handle?: Partial<Handle>};
  const fits = typeof handle?.setBlocking === 'function' && typeof handle.writeQueueSize === 'number';
  return fits ? (handle as Handle) : undefined;
};
