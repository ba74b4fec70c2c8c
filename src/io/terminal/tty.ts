import {spawnSync} from 'node:child_process';
import {closeSync, constants, openSync, readSync} from 'node:fs';
import {fdWriter} from '../bytes/fd-writer.ts';
import {openRoomWaiter} from '../bytes/room-waiter.ts';

/** The person's own terminal: our stdin and stdout. */
export interface Tty {
  /** Its line settings as they were found, as `stty -g` prints them; empty when there is no stty. */
  readonly settings: string;
  size(): {cols: number; rows: number};
  /** Every key as bytes, nothing echoed, nothing translated in either direction. */
  raw(): void;
  /** Exactly as it was found. */
  cooked(): void;
  /** Keys are read from now on. Before that, and after deaf(), they wait in the kernel for whoever reads next. */
  listen(): void;
  deaf(): void;
  /** What was typed and not read is gone. */
  dropTyped(): void;
  /** At once if the terminal takes it, else as soon as it does; in order. */
  write(bytes: Uint8Array): void;
  pending(): number;
  /** Calls back when all is written, or so much later. */
  whenWritten(maxMs: number, then: () => void): void;
  /** The terminal back as it was found; no listener stays. */
  close(): void;
}

export interface TtyEars {
  onKeys(bytes: Buffer): void;
  onResize(): void;
  /** Output that had waited was taken. */
  onProgress(pending: number): void;
}

export const openTty = (ears: TtyEars): Tty => {
  const {stdin, stdout} = process;
  const out = ownDescriptor(1, constants.O_WRONLY);
  const writer = fdWriter({
    fd: out ?? 1,
    ...(out !== undefined && {openWaiter: () => openRoomWaiter(out, 'terminal')}),
    onProgress: ears.onProgress,
  });
  let open = true;

  const raw = (): void => {
    stdin.setRawMode(true);
    // Node leaves the output translation on: an agent's bare line feed would become a new line.
    spawnSync('stty', ['raw', '-echo'], {stdio: [0, 'ignore', 'ignore']});
  };
  const cooked = (): void => {
    stdin.setRawMode(false);
  };
  // A terminal that is closed (EIO) is told by SIGHUP; here it must only not be an uncaught error.
  stdin.on('error', ignore);
  stdin.on('data', ears.onKeys);
  stdin.pause();
  stdout.on('resize', ears.onResize);

  return {
    settings: foundSettings(),
    size: () => ({cols: stdout.columns, rows: stdout.rows}),
    raw,
    cooked,
    listen: () => void stdin.resume(),
    deaf: () => void stdin.pause(),
    dropTyped,
    write: writer.write,
    pending: writer.pending,
    whenWritten: (maxMs, then) => {
      const until = Date.now() + maxMs;
      const look = (): void => {
        if (writer.pending() === 0 || Date.now() > until) then();
        else setTimeout(look, LOOK_MS);
      };
      look();
    },
    close: () => {
      if (!open) return;
      open = false;
      writer.end(CLOSE_MS);
      if (out !== undefined) tolerate(() => closeSync(out));
      cooked();
      stdin.off('data', ears.onKeys);
      stdout.off('resize', ears.onResize);
      stdin.pause();
    },
  };
};

const CLOSE_MS = 1000;
const LOOK_MS = 5;

/** Where the terminal could not be opened anew the waiter has closed it already. */
const tolerate = (act: () => void): void => {
  try {
    act();
  } catch {
    // EBADF
  }
};

const ignore = (): void => undefined;

/**
 * The terminal once more, under a descriptor of our own: non-blocking is a property of the open file, and fd 1 is the
 * same open file as the shell's. Undefined where it may not be opened (after su): then writes to fd 1 block.
 */
const ownDescriptor = (fd: 0 | 1, mode: number): number | undefined => {
  try {
    const path = process.platform === 'linux' ? `/proc/self/fd/${fd}` : nameOfTerminal(fd);
    return openSync(path, mode | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
};

/** `tty` names the terminal of its stdin. */
const nameOfTerminal = (fd: 0 | 1): string =>
  spawnSync('tty', {stdio: [fd, 'pipe', 'ignore'], encoding: 'utf8'}).stdout.trim();

const dropTyped = (): void => {
  const own = ownDescriptor(0, constants.O_RDONLY);
  if (own === undefined) return;
  try {
    const into = Buffer.alloc(4096);
    while (readSync(own, into) > 0);
  } catch {
    // EAGAIN: nothing is left.
  }
  closeSync(own);
};

const foundSettings = (): string => {
  const {stdout} = spawnSync('stty', ['-g'], {stdio: [0, 'pipe', 'ignore'], encoding: 'utf8'});
  return stdout?.trim() ?? '';
};
