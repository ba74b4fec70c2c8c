// Several git processes at once, started by one shell: to start a process costs Node 4 ms each, and a shell a tenth of
// that. Their output goes into files without a name: nothing is left behind when we are killed, and a sandbox that
// refuses sockets does not mind.

import {type ChildProcess, spawn} from 'node:child_process';
import {closeSync, fstatSync, openSync, unlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {bytesOf} from './read-range.ts';

export interface PlainCall {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
}

export interface GitAnswer {
  /** Undefined: it could not be started, or was killed. */
  code: number | undefined;
  /** One character per byte. */
  out: string;
  err: string;
  timedOut: boolean;
}

/** A shell knows the numbers up to 9: one file for each output, the last for how all of them ended. */
export const mostAtOnce = 6;

export const gitTogether = async (calls: PlainCall[]): Promise<GitAnswer[]> => {
  const files = [...calls, 'ends'].map(namelessFile);
  const ends = files.at(-1) ?? 0;
  try {
    const shared = sharedEnv(calls);
    const script = calls.map((call, at) => lineOf(call, {at, shared, ends: 3 + calls.length}));
    const child = spawn('/bin/sh', ['-c', `${script.join('\n')}\nwait`], {
      ...{cwd: '/', env: shared, detached: true},
      stdio: ['ignore', 'ignore', 'ignore', ...files],
    });
    const {timedOut, fault} = await endOf(child, Math.max(...calls.map(({timeoutMs}) => timeoutMs)));
    const told = new Map(textOf(ends).split('\0').map(readEnd));
    return calls.map((_call, at) => {
      const {code, err} = told.get(at) ?? {code: undefined, err: fault ?? ''};
      return {code, err, out: textOf(files[at] ?? 0), timedOut: code === undefined && timedOut};
    });
  } finally {
    for (const fd of files) closeSync(fd);
  }
};

const namelessFile = (): number => {
  const name = join(tmpdir(), `.ckpt-git-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const fd = openSync(name, 'wx+', 0o600);
  unlinkSync(name);
  return fd;
};

const textOf = (fd: number): string => bytesOf(fd, 0, fstatSync(fd).size).toString('latin1');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What all of them have alike goes to the shell itself; it adds nothing of ours. */
const sharedEnv = ([first, ...others]: PlainCall[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(first?.env ?? {}).filter(([name, value]) => others.every(({env}) => env[name] === value)),
  );

/** `3 128 fatal: …`, ended by NUL: which one, how it ended, what it complained of. */
const lineOf = (
  {args, cwd, env}: PlainCall,
  {at, shared, ends}: {at: number; shared: Record<string, string>; ends: number},
): string => {
  const own = Object.entries(env).filter(([name]) => !(name in shared));
  const words = [...own.map(([name, value]) => `${name}=${quoted(value)}`), 'git', ...args.map(quoted)].join(' ');
  const said = `e=$(cd ${quoted(cwd)} && ${words} 2>&1 >&${3 + at})`;
  return `{ ${said}; printf '%s %s %s\\0' ${at} $? "$e" >&${ends}; } &`;
};

const readEnd = (record: string): [number, {code: number | undefined; err: string}] => {
  const [, at, code, err = ''] = /^(\d+) (\d+) (.*)$/s.exec(record) ?? [];
  // What a shell says when there is no such program, and of one that was killed.
  const isGits = code !== undefined && Number(code) !== 127 && Number(code) !== 126;
  return [Number(at ?? -1), {code: isGits ? Number(code) : undefined, err: err.slice(0, 4000)}];
};

const graceMs = 3000;

const endOf = (child: ChildProcess, timeoutMs: number): Promise<{timedOut: boolean; fault?: string}> =>
  new Promise((done) => {
    let timedOut = false;
    let killer: NodeJS.Timeout | undefined;
    // The whole group: git first gets the chance to take its lock files away.
    const tell = (signal: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // Gone already.
      }
    };
    const timer = setTimeout(
      () => {
        timedOut = true;
        tell('SIGTERM');
        killer = setTimeout(() => tell('SIGKILL'), graceMs);
      },
      Math.max(1, timeoutMs),
    );
    const end = (fault?: string): void => {
      clearTimeout(timer);
      clearTimeout(killer);
      done({timedOut, ...(fault === undefined ? {} : {fault})});
    };
    child.on('error', ({message}) => end(message));
    child.on('exit', () => end());
  });
