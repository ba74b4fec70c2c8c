// What lies on disk where a restore would write, and what the rules of another tree say.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {foldersOf, type GitPath, gitPath, nameOf, records} from '../../history/git-paths.ts';
import type {RestoreFacts} from '../../history/restore-plan.ts';
import {makeFolder} from '../files/atomic-file.ts';
import {git} from './home/git.ts';
import {onDisk, type PrivateDir} from './private-dir.ts';
import {statOf} from './read-files.ts';

/** `tree`: the one that is wanted. `adopted`: what a restore has brought, which is known not to have been there. */
export const diskFacts = (
  place: PrivateDir,
  tree: string,
  adopted: readonly GitPath[],
): Omit<RestoreFacts, 'changes' | 'paths' | 'complete'> => ({
  ignoredThere: (paths) => {
    const brought = new Set(adopted);
    return ignoredThere(
      place,
      tree,
      paths.filter((path) => !brought.has(path)),
    );
  },
  notOnDisk: async (path) => (await statOf(onDisk(place, path))) === undefined,
  inTheWay: async (path, leaving) => {
    for (const folder of foldersOf(path)) {
      const stat = await statOf(onDisk(place, folder));
      if (stat === undefined) return undefined;
      if (!stat.isDirectory()) return leaving.has(folder) ? undefined : folder;
    }
    const stat = await statOf(onDisk(place, path));
    if (stat === undefined) return undefined;
    return stat.isDirectory() ? staying(place, path, leaving) : path;
  },
});

/** Something under a folder that would not go with the rest. */
const staying = async (
  place: PrivateDir,
  folder: GitPath,
  leaving: ReadonlySet<GitPath>,
): Promise<GitPath | undefined> => {
  for (const entry of await readdir(onDisk(place, folder), {encoding: 'buffer', withFileTypes: true})) {
    // The types of Node do not know that names are bytes here.
    const path = gitPath(`${folder}/${(entry.name as unknown as Buffer).toString('latin1')}`);
    const found = entry.isDirectory() ? await staying(place, path, leaving) : leaving.has(path) ? undefined : path;
    if (found !== undefined) return found;
  }
  return undefined;
};

const timeoutMs = 60_000;

/** Git reads the rules from files: so those of that tree, and nothing else of it, are laid out in a folder. */
const ignoredThere = async (place: PrivateDir, tree: string, paths: GitPath[]): Promise<Set<GitPath>> => {
  if (paths.length === 0) return new Set();
  const folder = mkdtempSync(join(place.dir, 'rules-'));
  try {
    await layOutRules(place, tree, folder);
    return await ignored(place, folder, paths);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
};

/** Those that the rules on disk ignore. */
export const ignoredNow = async (place: PrivateDir, paths: GitPath[]): Promise<Set<GitPath>> =>
  paths.length === 0 ? new Set() : ignored(place, place.home.root, paths);

const ignored = async (place: PrivateDir, folder: string, paths: GitPath[]): Promise<Set<GitPath>> => {
  const told = await git({
    args: ['check-ignore', '--no-index', '-z', '--stdin'],
    cwd: folder,
    env: {...place.env, GIT_WORK_TREE: folder},
    input: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
    timeoutMs,
  });
  // Better too much kept than too little, should git not answer.
  return new Set(told.code === 0 || told.code === 1 ? records(told.out).map(gitPath) : paths);
};

const layOutRules = async (place: PrivateDir, tree: string, folder: string): Promise<void> => {
  const listed = await place.ask('none', {args: ['ls-tree', '-r', '-z', tree], timeoutMs});
  for (const record of records(listed.out)) {
    const [, object, path] = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(record) ?? [];
    if (object === undefined || path === undefined || nameOf(gitPath(path)) !== '.gitignore') continue;
    // A tree that was tampered with must not lead out of the folder.
    if (path.split('/').includes('..')) continue;
    const {out} = await place.ask('none', {args: ['cat-file', 'blob', object], timeoutMs});
    const file = Buffer.from(`${Buffer.from(folder).toString('latin1')}/${path}`, 'latin1').toString('utf8');
    makeFolder(dirname(file));
    writeFileSync(file, Buffer.from(out, 'latin1'), {mode: 0o600});
  }
};
