// `ckpt-run --detach`: the same words once more, in a process with a session of its own and no terminal.

import {spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {closeSync, openSync, readSync, unlinkSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Readable} from 'node:stream';

type Env = Record<string, string | undefined>;

/** What the new process tells as soon as it runs. */
export interface Started {
  run: string;
  pid: number;
  /** The checkpoint folder. */
  dir: string;
}

export interface DetachedSpec {
  /** The program of `ckpt-run`. */
  program: string;
  words: string[];
  env: Env;
  size: {cols: number; rows: number};
}

/** Or why not: its last words and its exit code. */
export type Detaching = {started: Started; over: boolean} | {code: number; said: string};

const MARK = 'CKPT_DETACHED';
/** Of the pipe on which it tells. */
const TELL_FD = 3;
/** An agent that does not start at all says so within this time; later ends are told by `ckpt status`. */
const EARLY_MS = 1000;

export const startDetached = async ({program, words, env, size}: DetachedSpec): Promise<Detaching> => {
  const log = namelessLog();
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
    env: {...env, [MARK]: `${size.cols}x${size.rows}`},
  });
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(71));
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 71 : 70)));
  });
  const pipe = child.stdio[TELL_FD] as Readable;
  const told = await Promise.race([firstLine(pipe), ended]);
  const started = typeof told === 'string' ? readStarted(told) : undefined;
  const early = started === undefined ? await ended : await Promise.race([ended, after(EARLY_MS)]);
  pipe.destroy();
  child.unref();
  const said = readAll(log);
  closeSync(log);
  if (started !== undefined && (early === undefined || early === 0)) return {started, over: early === 0};
  return {code: early ?? 0, said};
};

const after = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, ms, undefined));

const firstLine = (from: Readable): Promise<string | undefined> =>
  new Promise((resolve) => {
    let text = '';
    from.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
    });
    from.on('error', () => resolve(undefined));
    from.on('close', () => resolve(undefined));
  });

const readStarted = (line: string): Started | undefined => {
  try {
    return JSON.parse(line) as Started;
  } catch {
    return undefined;
  }
};

/** What it prints is read if it ends early; afterwards nobody can, and it goes with the process. */
const namelessLog = (): number => {
  const path = join(tmpdir(), `ckpt-run-${randomUUID()}`);
  const fd = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return fd;
};

const readAll = (fd: number): string => {
  const into = Buffer.alloc(MOST);
  return into.toString('utf8', 0, readSync(fd, into, 0, MOST, 0));
};

const MOST = 64 * 1024;

/** Are we that process? Its mark is taken off: what we start is not. */
export const takeDetachedMark = (env: Env): {cols: number; rows: number} | undefined => {
  const [, cols, rows] = /^(\d+)x(\d+)$/.exec(env[MARK] ?? '') ?? [];
  delete env[MARK];
  if (cols === undefined || rows === undefined) return undefined;
  return {cols: Number(cols) || 80, rows: Number(rows) || 24};
};

/** Whoever started us may go now. They may be gone already. */
export const tellStarted = (started: Started): void => {
  try {
    writeSync(TELL_FD, `${JSON.stringify(started)}\n`);
    closeSync(TELL_FD);
  } catch {
    // EPIPE
  }
};
