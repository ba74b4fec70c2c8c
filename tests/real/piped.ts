// A command line whose streams are pipes, as in `claude -p … | jq`.

import {spawn} from 'node:child_process';

export interface PipedOptions {
  env: Record<string, string>;
  cwd: string;
  /** Nothing, not even an open pipe, when left out. */
  stdin?: string;
  /** It may be killed, and its children hold the pipes: then its own end is enough. */
  outlived?: boolean;
}

export interface PipedResult {
  /** null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Piped extends AsyncDisposable {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** After both streams have ended, unless `outlived`. */
  exit: Promise<PipedResult>;
  kill(signal?: NodeJS.Signals): void;
}

export const runPiped = (argv: readonly string[], options: PipedOptions): Promise<PipedResult> =>
  startPiped(argv, options).exit;

export const startPiped = (argv: readonly string[], {env, cwd, stdin, outlived = false}: PipedOptions): Piped => {
  const [file = '', ...args] = argv;
  const child = spawn(file, args, {env, cwd, stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']});
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  // Who ends without having read all of it breaks the pipe: its exit tells the tale.
  child.stdin?.on('error', () => undefined).end(stdin);
  const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8');
  const exit = new Promise<PipedResult>((resolve, reject) => {
    child.on('error', reject);
    child.on(outlived ? 'exit' : 'close', (code, signal) =>
      resolve({code, signal, stdout: text(out), stderr: text(err)}),
    );
  });
  const kill = (signal: NodeJS.Signals = 'SIGKILL'): void => {
    child.kill(signal);
  };
  return {
    pid: child.pid ?? 0,
    stdout: () => text(out),
    stderr: () => text(err),
    exit,
    kill,
    [Symbol.asyncDispose]: async () => {
      kill();
      // A child of its that lives on may hold the pipes: what it says does not matter any more.
      child.stdout?.destroy();
      child.stderr?.destroy();
      await exit;
    },
  };
};
