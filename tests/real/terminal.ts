// The person's terminal, played: a command line under a pty of ours, with a headless screen that answers like a real one.

import {closeSync, constants, openSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import xterm from '@xterm/headless';
import {type IPty, spawn} from 'node-pty';
import {type TerminalModes, watchModes} from './terminal-modes.ts';

export interface TerminalOptions {
  env: Record<string, string>;
  cwd: string;
  cols?: number;
  rows?: number;
}

export interface Ended {
  /** undefined when a signal ended it. */
  code: number | undefined;
  signal: number | undefined;
}

export type Wanted = RegExp | ((screen: string) => boolean | Promise<boolean>);

export interface OuterTerminal extends AsyncDisposable {
  pid: number;
  /** The visible rows, right-trimmed, as far as they are drawn. */
  screen(): string;
  /** Everything that was written, escapes and all. */
  raw(): string;
  modes(): TerminalModes;
  type(text: string): void;
  resize(cols: number, rows: number): void;
  /** Until the screen matches; throws with the screen in its words when time is up or the process has ended. */
  waitFor(wanted: Wanted, ms?: number): Promise<void>;
  /** After the last byte was drawn. */
  exit: Promise<Ended>;
  kill(signal?: NodeJS.Signals): void;
}

export const startTerminal = (argv: readonly string[], options: TerminalOptions): OuterTerminal => {
  const {cols = 120, rows = 40, env, cwd} = options;
  const [file = '', ...args] = argv;
  const terminal = new xterm.Terminal({cols, rows, scrollback: 5000, allowProposedApi: true});
  const modes = watchModes(terminal);
  const pty = spawn(file, args, {name: env.TERM ?? 'xterm-256color', cols, rows, cwd, env, encoding: null});
  const {exit, ended, raw} = join(pty, terminal);
  const screen = (): string => visible(terminal);
  const kill = (signal: NodeJS.Signals = 'SIGKILL'): void => {
    if (ended() === undefined) process.kill(pty.pid, signal);
  };
  return {
    pid: pty.pid,
    screen,
    raw,
    modes,
    type: (text) => pty.write(text),
    resize: (newCols, newRows) => {
      pty.resize(newCols, newRows);
      terminal.resize(newCols, newRows);
    },
    // Mode 2026: half a frame, which a real terminal would not show.
    waitFor: (wanted, ms = 30_000) =>
      watch({wanted, ms, screen, exit, ended, isHalf: () => modes().changed.includes(2026)}),
    exit,
    kill,
    [Symbol.asyncDispose]: async () => {
      kill();
      await exit;
      terminal.dispose();
    },
  };
};

/** Bytes from the pty to the screen, the screen's answers back, and the end of both. */
const join = (pty: IPty, terminal: xterm.Terminal) => {
  const release = holdSlave(pty);
  const chunks: Buffer[] = [];
  let status: Ended | undefined;
  pty.onData((data) => {
    // node-pty's types know strings only; without an encoding it hands out bytes.
    const bytes = Buffer.from(data);
    chunks.push(bytes);
    terminal.write(bytes);
  });
  // What a real terminal would say: device attributes, cursor position.
  terminal.onData((answer) => {
    if (status === undefined) pty.write(answer);
  });
  const exit = new Promise<Ended>((resolve) => {
    pty.onExit(({exitCode, signal}) => {
      release();
      const ended = signal ? {code: undefined, signal} : {code: exitCode, signal: undefined};
      status = ended;
      terminal.write('', () => resolve(ended));
    });
  });
  return {exit, ended: () => status, raw: () => Buffer.concat(chunks).toString('utf8')};
};

/** node-pty loses the last bytes of a dying child unless somebody else still holds the slave. */
const holdSlave = (pty: IPty): (() => void) => {
  const path = (pty as IPty & {_pty?: string})._pty;
  if (path === undefined) throw new Error('Internal error: node-pty does not tell the name of its slave any more');
  const slave = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  return () => closeSync(slave);
};

interface Watch {
  wanted: Wanted;
  ms: number;
  screen(): string;
  isHalf(): boolean;
  exit: Promise<Ended>;
  ended(): Ended | undefined;
}

const watch = async ({wanted, ms, screen, isHalf, exit, ended}: Watch): Promise<void> => {
  const until = Date.now() + ms;
  for (;;) {
    // The last words count too, so they must be drawn before they are judged.
    if (ended() !== undefined) await exit;
    const over = ended() !== undefined || Date.now() > until;
    const shown = screen();
    if ((over || !isHalf()) && (wanted instanceof RegExp ? wanted.test(shown) : await wanted(shown))) return;
    if (over) {
      const why = ended() === undefined ? `not within ${ms} ms` : `it ended with ${JSON.stringify(ended())}`;
      throw new Error(`Waited in vain for ${wanted}: ${why}. The screen:\n${shown}`);
    }
    await wait(25);
  }
};

const visible = (terminal: xterm.Terminal): string => {
  const buffer = terminal.buffer.active;
  const lines: string[] = [];
  for (let row = 0; row < terminal.rows; row += 1) {
    lines.push(buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '');
  }
  return lines.join('\n').trimEnd();
};
