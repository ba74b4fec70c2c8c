// One git process: bytes in, bytes out, bounded in time. The environment is made from scratch, since a GIT_DIR or a
// GIT_INDEX_FILE that we inherit (inside a hook, a rebase) would lead git elsewhere.

import {type ChildProcess, spawn} from 'node:child_process';
import {closeSync, fstatSync, writeSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {type Failure, fail} from '../../../core/failure.ts';
import {namelessFile} from '../../files/nameless-file.ts';
import {bytesOf} from '../../files/read-range.ts';

export interface GitAnswer {
  /** Undefined: it could not be started, or was killed. */
  code: number | undefined;
  /** One character per byte. */
  out: string;
  err: string;
  timedOut: boolean;
}

export interface GitCall {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  input?: string | Buffer;
  /** Takes stdout piece by piece, one character per byte; `out` is then empty. */
  onPiece?: (piece: string) => void;
  /** In a session of its own: the Ctrl-C of a person must not stop it halfway. */
  apart?: boolean;
  /** A folder for nameless files that take the answer: the streams of pipes cost Node milliseconds. */
  scratch?: string;
}

export const git = (call: GitCall): Promise<GitAnswer> => {
  if (call.scratch !== undefined) return throughFiles(call, call.scratch);
  const child = startGit(call);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(call.input ?? '');
  return answerOf(child, call);
};

/** What was left of them by somebody who was killed in between begins like this. */
export const scratchName = 'answer';

const throughFiles = async ({input = '', ...call}: GitCall, scratch: string): Promise<GitAnswer> => {
  const [from, out, err] = [0, 1, 2].map(() => namelessFile(scratch, scratchName)) as [number, number, number];
  const everything = (fd: number): Buffer => bytesOf(fd, 0, fstatSync(fd).size);
  try {
    // At a place, so that git begins to read at the first byte.
    for (let done = 0, bytes = Buffer.from(input); done < bytes.length; )
      done += writeSync(from, bytes, done, bytes.length - done, done);
    const {args, cwd, env, apart} = call;
    const child = spawn('git', args, {cwd, env, stdio: [from, out, err], detached: apart === true});
    const ended = await endOf(child, 'exit', call.timeoutMs);
    return {...ended, out: everything(out).toString('latin1'), err: ended.err || everything(err).toString('utf8')};
  } finally {
    for (const fd of [from, out, err]) closeSync(fd);
  }
};

/** For a stream: the caller writes to its stdin. */
export const startGit = ({args, cwd, env, apart}: Omit<GitCall, 'input' | 'timeoutMs'>): ChildProcess =>
  spawn('git', args, {cwd, env, stdio: 'pipe', detached: apart === true});

const graceMs = 3000;
const maxOut = 1_000_000_000;

export const answerOf = async (
  child: ChildProcess,
  {timeoutMs, onPiece}: Pick<GitCall, 'timeoutMs' | 'onPiece'>,
): Promise<GitAnswer> => {
  const out: Buffer[] = [];
  let size = 0;
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    if (onPiece !== undefined) return onPiece(chunk.toString('latin1'));
    out.push(chunk);
    size += chunk.length;
    if (size > maxOut) child.kill('SIGTERM');
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    if (err.length < 4000) err += chunk.toString('utf8');
  });
  return endOf(child, 'close', timeoutMs).then((ended) => ({
    ...ended,
    out: Buffer.concat(out).toString('latin1'),
    err: ended.err || err,
  }));
};

const endOf = (
  child: ChildProcess,
  last: 'exit' | 'close',
  timeoutMs: number,
): Promise<Pick<GitAnswer, 'code' | 'err' | 'timedOut'>> =>
  new Promise((resolve) => {
    let timedOut = false;
    let killer: NodeJS.Timeout | undefined;
    // Asked first: a git that is killed outright leaves its lock files behind.
    const timer = setTimeout(
      () => {
        timedOut = true;
        child.kill('SIGTERM');
        killer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      },
      Math.max(1, timeoutMs),
    );
    const end = (code: number | undefined, err: string): void => {
      clearTimeout(timer);
      clearTimeout(killer);
      resolve({code, err, timedOut});
    };
    child.on('error', (error) => end(undefined, error.message));
    child.on(last, (code: number | null) => end(code ?? undefined, ''));
  });

export const gitFailed = (doing: string, {code, err, timedOut}: GitAnswer): {ok: false; failure: Failure} => {
  const said = err
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.replace(/^(?:fatal|error): /, '');
  return fail({
    is: 'system',
    doing,
    code: timedOut ? 'ETIMEDOUT' : code === undefined ? 'no git' : `git ${code}`,
    message: timedOut ? 'git took too long' : (said ?? 'git said nothing'),
  });
};

/** Each is asked for by its name: to list a whole environment takes Node a millisecond, and every git would pay it. */
const kept = [
  ...['PATH', 'HOME', 'TMPDIR', 'XDG_CONFIG_HOME', 'GIT_EXEC_PATH', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'],
  ...['GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_COUNT'],
];

/** Git as the person has it configured, but never waiting for them, and running nothing of theirs. */
export const personsEnv = (): Record<string, string> => {
  const {env} = process;
  const count = Math.min(Number(env.GIT_CONFIG_COUNT) || 0, 1000);
  const pairs = Array.from({length: count}, (_, at) => [`GIT_CONFIG_KEY_${at}`, `GIT_CONFIG_VALUE_${at}`]).flat();
  const found: Record<string, string> = {};
  for (const name of [...kept, ...pairs]) {
    const value = env[name];
    if (value !== undefined) found[name] = value;
  }
  return {...found, ...quiet};
};

/** Git with no configuration but that of its own folder. */
export const privateEnv = (gitDir: string): Record<string, string> => {
  const {PATH = '', HOME = '', TMPDIR, XDG_CONFIG_HOME} = process.env;
  return {
    ...{PATH, HOME},
    ...(TMPDIR === undefined ? {} : {TMPDIR}),
    ...(XDG_CONFIG_HOME === undefined ? {} : {XDG_CONFIG_HOME}),
    ...quiet,
    GIT_DIR: gitDir,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
  };
};

const quiet = {GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_REPLACE_OBJECTS: '1', LC_ALL: 'C'};

/** In front of whatever we ask of the person's own repository. */
export const harmless = [
  ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.logAllRefUpdates=false'],
  ...['-c', 'commit.gpgSign=false', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'],
];

/** Objects and refs must be on disk before a checkpoint names them: git itself syncs nothing of them by default. */
export const durable = ['-c', 'core.fsync=all'];
/** Our index is made anew when it is broken. */
export const fleeting = ['-c', 'core.fsync=none'];

/** A file's name lives in its folder, and git syncs files only. Never on our own thread: the disk may take its time. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
