// `ckpt attach`: the person's terminal joined with a run's live socket. However it ends, the terminal is given back.

import {createConnection, type Socket} from 'node:net';
import {type Chord, detachChord} from '../../live/chord.ts';
import {type Frame, frame, frameReader, sizeFrame} from '../../live/frames.ts';
import type {ViewerLeft as Left} from '../../watch/ports.ts';
import {onWayOut} from '../self/ways-out.ts';
import {openTty, type Tty} from '../terminal/tty.ts';

export interface ViewerModes {
  feed(chunk: Uint8Array): void;
  resets(all: boolean): string;
  clear(): void;
}

export const viewRun = async (path: string, modes: ViewerModes): Promise<Left> => {
  const joined = await connect(path);
  if (!('socket' in joined)) return {is: 'refused', code: joined.code};
  return new Promise((resolve) => join(joined.socket, modes, resolve));
};

const connect = (path: string): Promise<{socket: Socket} | {code: string}> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve({socket}));
    socket.once('error', ({code = 'unknown'}: NodeJS.ErrnoException) => resolve({code}));
  });

/** Beyond the high mark we do not read on; the run then leaves us behind and shows us later how things stand. */
const HIGH_WATER = 256 * 1024;
const LOW_WATER = 64 * 1024;
/** What the terminal sends behind the chord (the release of its keys) must not end up in the shell. */
const QUIET_MS = 60;

const join = (socket: Socket, modes: ViewerModes, leave: (left: Left) => void): void => {
  let left: Left | undefined;
  const keys = keyboard({
    chord: detachChord(),
    send: (bytes) => socket.write(frame('keys', bytes)),
    detach: () => end({is: 'detached'}),
  });
  const tty = openTty({
    onKeys: (bytes) => {
      if (left === undefined) keys.type(bytes);
    },
    onResize: () => socket.write(sizeFrame('size', tty.size())),
    onProgress: (pending) => {
      if (pending <= LOW_WATER) socket.resume();
    },
  });
  const show = picturer(tty, modes);
  const read = frameReader();
  const restore = (): void => {
    wayOutOff();
    keys.close();
    tty.write(Buffer.from(show.farewell()));
    tty.close();
  };
  const wayOutOff = onWayOut(restore);
  const end = (how: Left): void => {
    if (left !== undefined) return;
    left = how;
    socket.end();
    tty.write(Buffer.from(show.farewell()));
    setTimeout(() => {
      tty.dropTyped();
      restore();
      leave(how);
    }, QUIET_MS);
  };
  socket.on('data', (chunk) => {
    const frames = read(chunk);
    if (frames === 'broken') return end({is: 'closed'});
    for (const one of frames) show.take(one);
    if (tty.pending() > HIGH_WATER) socket.pause();
  });
  socket.on('error', () => end({is: 'closed'}));
  socket.on('close', () => end({is: 'closed'}));
  tty.raw();
  tty.listen();
  socket.write(sizeFrame('hello', tty.size()));
};

const picturer = (tty: Tty, modes: ViewerModes) => {
  let begun = false;
  return {
    take: ({kind, body}: Frame): void => {
      if (kind === 'picture') {
        tty.write(Buffer.from(modes.resets(true)));
        modes.clear();
        // What stood there before stays to be scrolled back to.
        if (!begun) tty.write(Buffer.from(`\x1b[${tty.size().rows};1H${'\n'.repeat(tty.size().rows)}`));
        begun = true;
      } else if (kind !== 'bytes') return;
      tty.write(body);
      modes.feed(body);
    },
    /** Once: modes off, and below everything that was shown. */
    farewell: (): string => {
      const said = begun ? `${modes.resets(true)}\x1b[${tty.size().rows};1H\r\n` : '';
      modes.clear();
      begun = false;
      return said;
    },
  };
};

interface Keyboard {
  type(bytes: Uint8Array): void;
  close(): void;
}

const keyboard = ({chord, send, detach}: {chord: Chord; send(bytes: Uint8Array): void; detach(): void}): Keyboard => {
  let timer: NodeJS.Timeout | undefined;
  const pass = (bytes: Uint8Array): void => {
    if (bytes.length > 0) send(bytes);
  };
  return {
    type: (bytes) => {
      clearTimeout(timer);
      const typed = chord.type(bytes);
      pass(typed.pass);
      if (typed.detach) detach();
      else if (typed.waitMs !== undefined) timer = setTimeout(() => pass(chord.flush()), typed.waitMs);
    },
    close: () => clearTimeout(timer),
  };
};
