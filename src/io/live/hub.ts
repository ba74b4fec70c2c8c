// The viewers of a run, behind its live socket. None of them can hold the agent up: one that is slow is shown, as soon as
// it reads again, how the screen stands by then.

import {chmodSync, unlinkSync} from 'node:fs';
import {createServer, type Server, type Socket} from 'node:net';
import {dirname} from 'node:path';
import {type Frame, frame, frameReader, readSize, type ViewerSize} from '../../live/frames.ts';
import {smallest} from '../../live/smallest.ts';
import {wholeOutput} from '../../live/whole-output.ts';
import {sweepSockets} from './socket-place.ts';

export interface HubWorld {
  /** What draws the screen as it is, after all that was printed before. */
  picture(): Promise<string>;
  size(): ViewerSize;
  /** A viewer typed. */
  onKeys(bytes: Uint8Array): void;
  /** The viewers' terminals together leave this much room. */
  onSize(size: ViewerSize): void;
  /** Something is wrong with the socket; the agent goes on. */
  onFault(what: string): void;
}

export interface Hub {
  listen(path: string): Promise<void>;
  /** The agent printed. */
  output(chunk: Uint8Array): void;
  /** The screen has another size: everybody is shown it anew. */
  resized(): void;
  /** Viewers are let go; the socket is removed. */
  close(): void;
}

export const openHub = (world: HubWorld): Hub => {
  const viewers = new Set<Viewer>();
  const whole = wholeOutput();
  let server: Server | undefined;
  let path: string | undefined;
  const guarded = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      world.onFault(error instanceof Error ? error.message : String(error));
    }
  };
  const resize = (): void => {
    const wanted = smallest([...viewers].flatMap((viewer) => viewer.size() ?? []));
    const now = world.size();
    if (wanted !== undefined && (wanted.cols !== now.cols || wanted.rows !== now.rows)) world.onSize(wanted);
  };
  const receive = (socket: Socket): void => {
    const viewer = openViewer(socket, world, {
      resize: () => guarded(resize),
      gone: () => {
        viewers.delete(viewer);
        guarded(resize);
      },
    });
    viewers.add(viewer);
  };
  return {
    listen: async (at) => {
      await sweepSockets(dirname(at), Date.now());
      const opened = createServer((socket) => guarded(() => receive(socket)));
      opened.on('error', ({message}) => world.onFault(message));
      await new Promise<void>((resolve, reject) => {
        opened.once('error', reject);
        opened.listen(at, resolve);
      });
      chmodSync(at, 0o600);
      // It lives as long as the run does; it must not make the run live.
      opened.unref();
      server = opened;
      path = at;
    },
    output: (chunk) =>
      guarded(() => {
        const bytes = whole(chunk);
        for (const viewer of viewers) viewer.output(bytes);
      }),
    resized: () =>
      guarded(() => {
        for (const viewer of viewers) viewer.showAnew();
      }),
    close: () => {
      for (const viewer of viewers) viewer.close();
      server?.close();
      if (path !== undefined) tolerate(() => unlinkSync(path ?? ''));
      path = undefined;
    },
  };
};

interface Viewer {
  size(): ViewerSize | undefined;
  output(bytes: Uint8Array): void;
  showAnew(): void;
  close(): void;
}

/** So much may wait for a viewer before it is left behind; Node and the kernel hold it. */
const MOST_WAITING = 1024 * 1024;
/** A terminal of another size is not given the bytes, which mean something else there, but pictures: so often. */
const PICTURE_MS = 50;
/** A viewer that does not read its last bytes is cut off. */
const LAST_MS = 500;

/** new: has not told its size. drawing: what is printed meanwhile waits for the picture. behind: it does not read. */
type Stand = 'new' | 'drawing' | 'bytes' | 'pictures' | 'behind';

const openViewer = (socket: Socket, world: HubWorld, tell: {resize(): void; gone(): void}): Viewer => {
  const read = frameReader();
  let stand: Stand = 'new';
  let size: ViewerSize | undefined;
  let meanwhile: Uint8Array[] = [];
  let timer: NodeJS.Timeout | undefined;
  let drawing = 0;
  const send = (kind: 'bytes' | 'picture', bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    socket.write(frame(kind, bytes));
    if (socket.writableLength <= MOST_WAITING) return;
    stand = 'behind';
    meanwhile = [];
  };
  const draw = async (): Promise<void> => {
    drawing += 1;
    const number = drawing;
    stand = 'drawing';
    meanwhile = [];
    const picture = await world.picture();
    if (number !== drawing || stand !== 'drawing') return;
    const now = world.size();
    stand = size?.cols === now.cols && size.rows === now.rows ? 'bytes' : 'pictures';
    const waiting = meanwhile;
    meanwhile = [];
    send('picture', Buffer.from(picture));
    if (stand === 'pictures' && waiting.length > 0) showSoon();
    else for (const bytes of waiting) if (stand === 'bytes') send('bytes', bytes);
  };
  const showAnew = (): void => {
    if (stand !== 'new' && stand !== 'behind') draw().catch(() => socket.destroy());
  };
  const showSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (stand === 'pictures') showAnew();
    }, PICTURE_MS);
  };
  const hear = ({kind, body}: Frame): void => {
    if (kind === 'keys' && stand !== 'new') world.onKeys(body);
    if (kind !== 'hello' && kind !== 'size') return;
    size = readSize(body) ?? size;
    if (size === undefined) return;
    if (stand === 'new') stand = 'drawing';
    tell.resize();
    showAnew();
  };
  socket.on('data', (chunk) => {
    const frames = read(chunk);
    if (frames === 'broken') socket.destroy();
    else for (const one of frames) hear(one);
  });
  socket.on('drain', () => {
    if (stand !== 'behind') return;
    stand = 'drawing';
    showAnew();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearTimeout(timer);
    stand = 'new';
    tell.gone();
  });
  return {
    size: () => size,
    output: (bytes) => {
      if (stand === 'bytes') send('bytes', bytes);
      else if (stand === 'pictures') showSoon();
      else if (stand === 'drawing') {
        meanwhile.push(bytes);
        if (sizeOf(meanwhile) > MOST_WAITING) showAnew();
      }
    },
    showAnew,
    close: () => {
      socket.end();
      setTimeout(() => socket.destroy(), LAST_MS).unref();
    },
  };
};

const sizeOf = (chunks: Uint8Array[]): number => chunks.reduce((sum, {length}) => sum + length, 0);

const tolerate = (act: () => void): void => {
  try {
    act();
  } catch {
    // Somebody has removed it already.
  }
};
