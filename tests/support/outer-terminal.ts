// The person's terminal, played: a pty of ours and a headless screen of which every cell can be compared.

import xterm from '@xterm/headless';
import type {ExitStatus} from '../../src/core/events.ts';
import {openPty, type Pty} from '../../src/io/agent/pty.ts';
import {type TerminalModes, watchModes} from '../real/terminal-modes.ts';
import {cellsOfScreen, rowsOf} from './cells.ts';

export interface OuterOptions {
  env?: Record<string, string>;
  cwd: string;
  cols?: number;
  rows?: number;
}

export interface Outer extends AsyncDisposable {
  pty: Pty;
  type(text: string): void;
  resize(cols: number, rows: number): void;
  /** Every byte that the program printed. */
  raw(): Buffer;
  /** The visible rows as text, right-trimmed. */
  text(): string;
  /** The visible rows with every colour and attribute, and the cursor: equal means that it looks the same. */
  cells(): string[];
  modes(): TerminalModes;
  ended(): ExitStatus | undefined;
  exit: Promise<ExitStatus>;
}

export const openOuter = (words: string[], options: OuterOptions): Outer => {
  const {cols = 80, rows = 24, cwd} = options;
  const [file = '', ...args] = words;
  const env = {PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', HOME: cwd, ...options.env};
  const terminal = new xterm.Terminal({cols, rows, scrollback: 1000, allowProposedApi: true, logLevel: 'off'});
  const modes = watchModes(terminal);
  const chunks: Buffer[] = [];
  let status: ExitStatus | undefined;
  let tellExit: (exit: ExitStatus) => void = () => undefined;
  const exit = new Promise<ExitStatus>((resolve) => {
    tellExit = resolve;
  });
  const opened = openPty(
    {file, args, env, cwd, cols, rows, stty: ''},
    {
      onData: (chunk) => {
        chunks.push(chunk);
        terminal.write(chunk);
      },
      onState: () => undefined,
      onExit: (ended) => {
        status = ended;
        terminal.write('', () => tellExit(ended));
      },
    },
  );
  if (!opened.ok) throw new Error(`Cannot start ${file}: ${JSON.stringify(opened.failure)}`);
  const pty = opened.value;
  // What a real terminal would answer: device attributes, cursor position.
  terminal.onData((answer) => pty.write(Buffer.from(answer)));
  return {
    pty,
    type: (text) => pty.write(Buffer.from(text)),
    resize: (newCols, newRows) => {
      terminal.resize(newCols, newRows);
      pty.resize(newCols, newRows);
    },
    raw: () => Buffer.concat(chunks),
    text: () =>
      rowsOf(terminal, (line) => line.translateToString(true))
        .join('\n')
        .trimEnd(),
    cells: () => cellsOfScreen(terminal),
    modes,
    ended: () => status,
    exit,
    [Symbol.asyncDispose]: async () => {
      pty.signal('SIGKILL', 'process');
      await exit;
      terminal.dispose();
    },
  };
};
