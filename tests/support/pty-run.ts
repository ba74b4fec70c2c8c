import type {ExitStatus} from '../../src/core/events.ts';
import {openPty, type Pty} from '../../src/io/agent/pty.ts';

export interface PtyRun {
  pty: Pty;
  /** All that was printed so far. */
  output(): Buffer;
  exit: Promise<ExitStatus>;
  states: string[];
}

export interface PtyRunOptions {
  env?: Record<string, string>;
  cols?: number;
  rows?: number;
  onData?: (chunk: Buffer) => void;
}

/** A program on a pty, with an environment from scratch. */
export const runOnPty = (words: string[], options: PtyRunOptions = {}): PtyRun => {
  const [file = '', ...args] = words;
  const chunks: Buffer[] = [];
  const states: string[] = [];
  let ended: (exit: ExitStatus) => void = () => undefined;
  const exit = new Promise<ExitStatus>((resolve) => {
    ended = resolve;
  });
  const env = {PATH: process.env.PATH ?? '/usr/bin:/bin', TERM: 'xterm-256color', ...options.env};
  const spec = {file, args, env, cwd: process.cwd(), cols: options.cols ?? 80, rows: options.rows ?? 24, stty: ''};
  const opened = openPty(spec, {
    onData: (chunk) => {
      chunks.push(chunk);
      options.onData?.(chunk);
    },
    onState: (state) => states.push(state),
    onExit: (status) => ended(status),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return {pty: opened.value, output: () => Buffer.concat(chunks), exit, states};
};
