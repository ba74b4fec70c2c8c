// Where the live sockets are: a folder that only this person can enter. Whoever gets in may type into an agent.

import {lstatSync, mkdirSync, readdirSync, unlinkSync} from 'node:fs';
import {createConnection} from 'node:net';
import {tmpdir, userInfo} from 'node:os';
import {isAbsolute, join} from 'node:path';

type Env = Record<string, string | undefined>;

/** sun_path has 108 bytes, the last of them 0; macOS has 104. */
const LONGEST = process.platform === 'darwin' ? 103 : 107;

/** A place for the socket of that name; throws with the reason when there is none. */
export const socketPlace = (env: Env, name: string): string => {
  const reasons: string[] = [];
  for (const folder of folders(env)) {
    const path = join(folder, name);
    const why = Buffer.byteLength(path) > LONGEST ? `longer than ${LONGEST} bytes` : unfit(folder);
    if (why === undefined) return path;
    reasons.push(`${path}: ${why}`);
  }
  throw new Error(reasons.join('; '));
};

/** The person's own runtime folder, else a folder of theirs among the temporary files. */
const folders = ({XDG_RUNTIME_DIR: runtime = ''}: Env): string[] => [
  ...(isAbsolute(runtime) ? [join(runtime, 'ckpt-run')] : []),
  ...new Set([tmpdir(), '/tmp'].map((folder) => join(folder, `ckpt-run-${userInfo().uid}`))),
];

/** Made by us or found: it must be a folder of ours into which nobody else may look. */
const unfit = (folder: string): string | undefined => {
  try {
    mkdirSync(folder, {mode: 0o700});
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') return message;
  }
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) return 'not a folder';
  if (stat.uid !== userInfo().uid) return `it belongs to user ${stat.uid}`;
  return (stat.mode & 0o077) === 0 ? undefined : 'others may enter it';
};

/** One that was just made may not listen yet. */
const YOUNG_MS = 10_000;

/** Sockets of runs that were killed: nobody answers there. Never throws. */
export const sweepSockets = async (folder: string, now: number): Promise<void> => {
  const names = namesIn(folder).filter((name) => name.endsWith('.sock'));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      try {
        if (now - lstatSync(path).mtimeMs > YOUNG_MS && (await isDead(path))) unlinkSync(path);
      } catch {
        // Gone already, or not ours to remove.
      }
    }),
  );
};

const isDead = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
