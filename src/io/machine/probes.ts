// Trying things out, for the doctor: each probe does the real thing once and says what was wrong. None throws.

import {execFile, spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {
  accessSync,
  constants,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {DoctorFacts, Problem} from '../../doctor/facts.ts';
import {writeWhole} from '../files/atomic-file.ts';
import {lockLatest, lockName} from '../files/latest-lock.ts';

const PATIENCE_MS = 15_000;

/** In a process of its own: a native module that does not fit may take its process with it. */
export const ptyProblem = (packageRoot: string): Promise<Problem> =>
  new Promise((resolve) => {
    const args = ['--input-type=module', '-e', PTY_SCRIPT];
    execFile(process.execPath, args, {cwd: packageRoot, timeout: PATIENCE_MS}, (error, stdout, stderr) => {
      if (error === null && stdout.trim() === 'fine') resolve(undefined);
      else resolve(lastLine(stderr) ?? error?.message ?? 'it gave no answer');
    });
  });

const PTY_SCRIPT = `
const {spawn} = await import('node-pty');
const child = spawn('/bin/sh', ['-c', 'exit 7'], {cols: 80, rows: 24});
child.onExit(({exitCode}) => { process.stdout.write(exitCode === 7 ? 'fine' : 'exit ' + exitCode); process.exit(); });
`;

/** The error itself stands in the last line that begins with its name; below it is the stack. */
const lastLine = (text: string): string | undefined =>
  text.split('\n').find((line) => /^\w*Error\b/.test(line)) ?? text.trim().split('\n').at(-1)?.slice(0, 300);

/** Runs the hook command on a spool of its own, as an agent would. */
export const relayProblem = (relay: string): Promise<Problem> =>
  new Promise((resolve) => {
    const spool = mkdtempSync(join(tmpdir(), 'ckpt-doctor-'));
    const end = (problem: Problem): void => {
      rmSync(spool, {recursive: true, force: true});
      resolve(problem);
    };
    const child = spawn(relay, [spool, 'Doctor'], {stdio: ['pipe', 'ignore', 'ignore'], timeout: PATIENCE_MS});
    child.on('error', (error) => end(error.message));
    child.stdin.on('error', () => undefined).end('{}');
    child.on('close', (code) => {
      // One that never came up closes too, after its error.
      const dropped = namesIn(spool).some((name) => name.endsWith('.Doctor.json'));
      end(dropped && code === 0 ? undefined : `it left with ${code ?? 'a signal'} and dropped nothing`);
    });
  });

export const folderFact = (path: string): DoctorFacts['folder'] => {
  const at = nearest(path);
  const exists = at === path;
  return {path, exists, problem: exists ? writeProblem(path) : makeProblem(at), freeBytes: freeBytes(at)};
};

/** What is there of a path that need not be there yet. */
const nearest = (path: string): string => {
  for (let at = path; ; at = dirname(at)) if (isThere(at) || dirname(at) === at) return at;
};

const writeProblem = (dir: string): Problem =>
  problemOf(() => {
    const file = join(dir, `.doctor-${randomBytes(6).toString('hex')}`);
    writeWhole(file, 'x');
    unlinkSync(file);
  });

/** A folder to be made inside; nothing is made for the question alone. */
export const makeProblem = (at: string): Problem =>
  problemOf(() => {
    if (!statSync(at).isDirectory()) throw new Error(`${at} is no folder`);
    accessSync(at, constants.W_OK | constants.X_OK);
  });

const freeBytes = (path: string): number | undefined => {
  try {
    const {bavail, bsize} = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
};

/** Takes the lock, and tries to take it a second time: that must be refused. */
export const lockKind = async (dir: string): Promise<DoctorFacts['lock']> => {
  if (!isThere(dir)) return 'untried';
  let probe: string | undefined;
  try {
    probe = mkdtempSync(join(dir, '.doctor-'));
    const first = await lockLatest(probe, 0);
    if (first === undefined) return {problem: 'a lock that nobody holds was refused'};
    const second = await lockLatest(probe, 0);
    const kind = isThere(join(probe, `${lockName}.held`)) ? 'link' : 'kernel';
    second?.release();
    first.release();
    return second === undefined ? kind : {problem: 'the same lock was given twice'};
  } catch (error) {
    return {problem: error instanceof Error ? error.message : String(error)};
  } finally {
    if (probe !== undefined) rmSync(probe, {recursive: true, force: true});
  }
};

const STRAY_AGE_MS = 3_600_000;
const HELD_AGE_MS = 60_000;

export const straysIn = (dir: string, now: number): string[] =>
  namesIn(dir)
    .filter((name) => name.startsWith('.') && (name.endsWith('.tmp') || name.startsWith('.doctor-')))
    .map((name) => join(dir, name))
    .filter((path) => ageOf(path, now) > STRAY_AGE_MS);

export const staleLockIn = (dir: string, now: number): string | undefined => {
  const held = join(dir, `${lockName}.held`);
  return isThere(held) && ageOf(held, now) > HELD_AGE_MS ? held : undefined;
};

const ageOf = (path: string, now: number): number => {
  try {
    return now - lstatSync(path).mtimeMs;
  } catch {
    return 0;
  }
};

const namesIn = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
};

const isThere = (path: string): boolean => {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
};

const problemOf = (act: () => void): Problem => {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
