// Files as they are on disk, read whole and raw. Asynchronous throughout: the run hands the agent's bytes on meanwhile.

import {constants} from 'node:fs';
import {lstat, open, readlink} from 'node:fs/promises';
import {foldersOf, type GitPath} from '../../history/git-paths.ts';
import type {FileMode} from '../../history/import-stream.ts';
import {gitlinkMode} from '../../history/raw-diff.ts';
import {isObjectName} from '../../history/ref-names.ts';
import {isSettled, type Settling} from '../files/settled.ts';
import {git, harmless, personsEnv} from './home/git.ts';
import {onDisk, type PrivateDir} from './private-dir.ts';

export type Found =
  | {is: 'file'; path: GitPath; mode: FileMode; content: Buffer; stamp: FileStamp | undefined}
  /** A repository of its own: its commit is all that is kept. */
  | {is: 'repository'; path: GitPath; commit: string}
  | {is: 'gone'; path: GitPath}
  | {is: 'same'; path: GitPath}
  | {is: 'left-out'; path: GitPath; why: string};

/** As it was before and after it was read; undefined when it moved meanwhile, or is so young that it may have. */
export type FileStamp = string;

export interface ReadLimits extends Settling {
  maxFileBytes: number;
  /** Milliseconds since 1970; nothing is begun after it. */
  deadline: number;
  folders: Folders;
}

/** Which folders are folders, and no links to some; each is looked at once. */
export class Folders {
  readonly #known = new Map<GitPath, Promise<boolean>>();

  async areReal(place: PrivateDir, path: GitPath): Promise<boolean> {
    for (const folder of foldersOf(path)) {
      const known =
        this.#known.get(folder) ?? statOf(onDisk(place, folder)).then((stat) => stat?.isDirectory() === true);
      this.#known.set(folder, known);
      if (!(await known)) return false;
    }
    return true;
  }
}

export interface Candidate {
  path: GitPath;
  /** The mode known so far. */
  mode: string | undefined;
  /** On disk, in bytes; undefined when it is no regular file. */
  size: number | undefined;
}

/** Sizes first: small files are saved before large ones, should room or time run out. */
export const measure = async (
  place: PrivateDir,
  changed: Iterable<[GitPath, {mode: string | undefined}]>,
): Promise<Candidate[]> => {
  const measured: Candidate[] = [];
  await inTurn([...changed], async ([path, {mode}]) => {
    const stat = await statOf(onDisk(place, path));
    measured.push({path, mode, size: stat?.isFile() ? Number(stat.size) : undefined});
  });
  const large = measured.filter(({size}) => (size ?? 0) > smallBytes).sort((a, b) => (a.size ?? 0) - (b.size ?? 0));
  // Repositories first: files in their place come by their own names, and after them.
  const small = measured.filter(({size}) => (size ?? 0) <= smallBytes);
  return [
    ...small.filter(({mode}) => mode === gitlinkMode),
    ...small.filter(({mode}) => mode !== gitlinkMode),
    ...large,
  ];
};

/** Below this the order does not matter; to sort half a million of them would hold everything else up. */
const smallBytes = 64_000;

const atOnce = 8;

/** A few at a time: the thread pool of Node has four threads, and others need it too. */
export const inTurn = async <T>(items: T[], work: (item: T) => Promise<void>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next]; item !== undefined; item = items[next]) {
      next += 1;
      await work(item);
    }
  };
  await Promise.all(Array.from({length: Math.min(atOnce, items.length)}, worker));
};

export const readOne = async (place: PrivateDir, {path, mode}: Candidate, limits: ReadLimits): Promise<Found> => {
  if (limits.now() > limits.deadline) return {is: 'left-out', path, why: 'time ran out'};
  const name = onDisk(place, path);
  try {
    // Beyond a link lies something else, wherever it leads.
    if (!(await limits.folders.areReal(place, path))) return {is: 'gone', path};
    const stat = await lstat(name, {bigint: true});
    if (stat.isSymbolicLink()) {
      const content = await readlink(name, {encoding: 'buffer'});
      const stamp = settled(stat, await lstat(name, {bigint: true}), limits);
      return {is: 'file', path, mode: '120000', content, stamp};
    }
    if (stat.isDirectory()) return await readRepository(place, path, mode);
    if (!stat.isFile()) return {is: 'left-out', path, why: 'neither a file nor a link'};
    if (stat.size > limits.maxFileBytes) return {is: 'left-out', path, why: tooLarge(stat.size, limits.maxFileBytes)};
    return await readFile(place, {path, mode}, limits);
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {is: 'gone', path};
    return {is: 'left-out', path, why: `cannot be read: ${message.replace(/, .*$/, '')}`};
  }
};

const tooLarge = (size: bigint, max: number): string =>
  `${(Number(size) / 1e6).toFixed(1)} MB, larger than ${(max / 1e6).toFixed(0)} MB`;

const tries = 3;

const readFile = async (
  place: PrivateDir,
  {path, mode}: Pick<Candidate, 'path' | 'mode'>,
  limits: ReadLimits,
): Promise<Found> => {
  // No link is followed, and no pipe waited on, should one have come in its place.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(onDisk(place, path), flags);
  try {
    for (let left = tries; ; left -= 1) {
      const before = await file.stat({bigint: true});
      const content = Buffer.alloc(Number(before.size));
      const {bytesRead} = await file.read(content, 0, content.length, 0);
      const after = await file.stat({bigint: true});
      const whole = bytesRead === content.length && stampOf(before) === stampOf(after);
      if (!whole && left > 1) continue;
      const found = {is: 'file' as const, path, mode: fileMode(place, Number(after.mode), mode)};
      const stamp = whole ? settled(before, after, limits) : undefined;
      return {...found, content: content.subarray(0, bytesRead), stamp};
    }
  } finally {
    await file.close();
  }
};

/** Where the file system knows no such bit, what git knew stays. */
const fileMode = ({home}: PrivateDir, bits: number, known: string | undefined): FileMode => {
  if (home.config.get('core.filemode') === 'false') return known === '100755' ? '100755' : '100644';
  return (bits & 0o100) === 0 ? '100644' : '100755';
};

const readRepository = async (place: PrivateDir, path: GitPath, mode: string | undefined): Promise<Found> => {
  const inner = await statOf(onDisk(place, path, '.git'));
  // A folder where a file was: its files come by their own names. An empty submodule stays what it is.
  if (inner === undefined) return {is: mode === gitlinkMode ? 'same' : 'gone', path};
  const head = await git({
    args: [...harmless, 'rev-parse', '--verify', '-q', 'HEAD'],
    cwd: onDisk(place, path).toString('utf8'),
    env: personsEnv(),
    timeoutMs: 5000,
  });
  const commit = head.out.trim();
  if (head.code !== 0 || !isObjectName(commit)) {
    return {is: 'left-out', path, why: 'a repository of its own without a commit'};
  }
  return {is: 'repository', path, commit};
};

type Stat = NonNullable<Awaited<ReturnType<typeof statOf>>>;

export const statOf = async (name: Buffer) => {
  try {
    return await lstat(name, {bigint: true});
  } catch {
    return undefined;
  }
};

const stampOf = ({mtimeNs, ctimeNs, size, ino, mode}: Stat): FileStamp =>
  `${mtimeNs}.${ctimeNs}.${size}.${ino}.${mode}`;

const settled = (before: Stat, after: Stat, limits: ReadLimits): FileStamp | undefined =>
  stampOf(before) === stampOf(after) && isSettled(after, limits) ? stampOf(after) : undefined;

/** Is it still as it was when it was read? */
export const isStill = async (place: PrivateDir, path: GitPath, stamp: FileStamp): Promise<boolean> => {
  const stat = await statOf(onDisk(place, path));
  return stat !== undefined && stampOf(stat) === stamp;
};
