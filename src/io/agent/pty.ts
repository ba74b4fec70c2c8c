import {closeSync, constants, openSync, readSync} from 'node:fs';
import {type IPty, spawn} from 'node-pty';
import type {ExitStatus} from '../../core/events.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import type {LaunchSpec} from '../../ports.ts';
import {fdWriter} from '../bytes/fd-writer.ts';
import {type ChildState, watchChild} from './child-state.ts';
import {checkLaunch, withLauncher} from './launcher.ts';

export interface PtySpec extends LaunchSpec {
  cols: number;
  rows: number;
  /** The person's own line settings, as `stty -g` prints them; empty: those of the library. */
  stty: string;
}

export interface PtyEars {
  onData(chunk: Buffer): void;
  /**
   * Stopped by Ctrl-Z or SIGSTOP (what was printed before has been handed on), or running again. Gone: it takes no more
   * keys, its last words and onExit follow.
   */
  onState(state: ChildState): void;
  /** Once; after the last byte. */
  onExit(exit: ExitStatus): void;
}

export interface Pty {
  readonly pid: number;
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** No more onData until resume(); the agent waits when the kernel's buffer is full. Ends by itself at its death. */
  pause(): void;
  resume(): void;
  /** To the process, or to its whole group. A dead one is no error. */
  signal(name: NodeJS.Signals, to: 'process' | 'group'): void;
}

/** A program on a terminal of its own. Bytes, not text: nothing is decoded, split or joined in either direction. */
export const openPty = (spec: PtySpec, ears: PtyEars): Result<Pty> => {
  const there = checkLaunch(spec);
  if (!there.ok) return there;
  const forked = fork(spec);
  if (!forked.ok) return forked;
  const {terminal, fd, slave} = forked.value;
  const keys = fdWriter({fd});
  let life: 'alive' | 'dying' | 'gone' = 'alive';
  let mayPause = true;

  // The types know text only; without an encoding it is a Buffer.
  const hearing = terminal.onData((chunk: unknown) => ears.onData(chunk as Buffer));
  /** Everything printed so far is handed on, then `next`. First what the paused stream may hold, to keep the order. */
  const handAllOn = (next: () => void): void => {
    mayPause = false;
    terminal.resume();
    setImmediate(() => {
      if (life !== 'gone') drain(fd, ears.onData);
      mayPause = life === 'alive';
      next();
    });
  };
  const unwatch = watchChild(terminal.pid, (state) => {
    if (state === 'running') ears.onState(state);
    else if (state === 'stopped') handAllOn(() => ears.onState(state));
    else {
      // Here, and not at onExit: the library may soon close the descriptor, and its number goes to somebody else.
      life = 'dying';
      keys.close();
      ears.onState(state);
      handAllOn(slave.release);
    }
  });
  terminal.onExit(({exitCode, signal}) => {
    life = 'gone';
    unwatch();
    keys.close();
    slave.release();
    hearing.dispose();
    ears.onExit({code: exitCode, signal: signal === 0 ? undefined : signal});
  });

  return ok({
    pid: terminal.pid,
    write: keys.write,
    resize: (cols, rows) => {
      if (life === 'alive' && cols > 0 && rows > 0) tolerate(() => terminal.resize(cols, rows));
    },
    pause: () => {
      if (mayPause) terminal.pause();
    },
    resume: () => terminal.resume(),
    signal: (name, to) => {
      if (life === 'alive') tolerate(() => process.kill(to === 'group' ? -terminal.pid : terminal.pid, name));
    },
  });
};

interface Forked {
  terminal: IPty;
  /** The master's descriptor; non-blocking, closed by the library. */
  fd: number;
  slave: {release(): void};
}

const fork = (spec: PtySpec): Result<Forked> => {
  const {file, args, env, cwd} = withLauncher(spec, spec.stty);
  const size = {cols: spec.cols > 0 ? spec.cols : 80, rows: spec.rows > 0 ? spec.rows : 24};
  try {
    const terminal = spawn(file, args, {encoding: null, cwd, env, ...size});
    // Not in the library's types, but public in its class; pinned by tests/io/agent/pty.test.ts.
    const {fd, ptsName} = terminal as unknown as {fd?: unknown; ptsName?: unknown};
    if (typeof fd !== 'number' || typeof ptsName !== 'string') {
      throw new Error('Internal error: this version of node-pty does not name its terminal.');
    }
    return ok({terminal, fd, slave: holdSlave(ptsName)});
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Internal error')) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return fail({is: 'system', doing: `start ${spec.file} on a terminal`, code: 'EPTY', message});
  }
};

/**
 * While we hold the agent's side open, its death is no hang-up. The event library takes a hang-up for the end and throws
 * away what is still in the kernel: 6 to 70 % of all last words are lost without this (microsoft/node-pty#72).
 */
const holdSlave = (path: string): {release(): void} => {
  let held: number | undefined;
  tolerate(() => {
    held = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  });
  return {
    release: () => {
      const fd = held;
      held = undefined;
      if (fd !== undefined) tolerate(() => closeSync(fd));
    },
  };
};

/** Bounded: somebody else may hold the terminal open and write for ever. */
const DRAIN_LIMIT = 4096;

/** Reading until the kernel says "nothing now" is exact: it first waits for what is still on its way inside. */
const drain = (fd: number, take: (chunk: Buffer) => void): void => {
  for (let round = 0; round < DRAIN_LIMIT; round += 1) {
    const into = Buffer.allocUnsafe(KERNEL_READ);
    const size = readNow(fd, into);
    if (size === 0) return;
    take(into.subarray(0, size));
  }
};

/** The kernel gives out at most 4,095 bytes per read. */
const KERNEL_READ = 4096;

/** 0 for EAGAIN: nothing now. And for EIO: the agent's side is closed. */
const readNow = (fd: number, into: Buffer): number => {
  try {
    return readSync(fd, into);
  } catch {
    return 0;
  }
};

const tolerate = (act: () => void): void => {
  try {
    act();
  } catch {
    // The agent went away in between; its exit says so.
  }
};
