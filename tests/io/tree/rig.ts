// Folders and repositories to be saved and brought back, with git as nobody has configured it.

import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll} from 'vitest';
import type {WorkspaceSnapshot} from '../../../src/baton/checkpoint.ts';
import {ok} from '../../../src/core/failure.ts';
import type {Track} from '../../../src/core/ids.ts';
import {gitPathOf} from '../../../src/history/git-paths.ts';
import {restoreTree} from '../../../src/io/tree/restore.ts';
import {openTreeSnapshots, type TreeOptions} from '../../../src/io/tree/snapshots.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

export const main = 'main' as Track;

/** For a whole test file: no setting of this machine is seen. */
export const withoutSettings = (): void => {
  const saved = {...process.env};
  let home: string | undefined;
  beforeAll(() => {
    for (const name of Object.keys(process.env)) if (/^(?:GIT_|XDG_|CKPT_)/.test(name)) delete process.env[name];
    home = mkdtempSync(join(tmpdir(), 'ckpt-home-'));
    process.env.HOME = home;
    process.env.GIT_CONFIG_NOSYSTEM = '1';
  });
  afterAll(() => {
    process.env = saved;
    if (home !== undefined) rmSync(home, {recursive: true, force: true});
  });
};

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', '-c', 'gc.auto=0', ...args],
    {cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']},
  ).trim();

export const folder = (): string => realpathSync(tempFolder());

export const repository = (): string => {
  const dir = folder();
  git(dir, 'init', '-q', '-b', 'main');
  return dir;
};

export const commit = (root: string, files: Files): string => {
  write(root, files);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'x');
  return git(root, 'rev-parse', 'HEAD');
};

/** Content; null: gone; {link}: a symbolic link; {run}: an executable file. */
export type Files = Record<string, string | Buffer | null | {link: string} | {run: string}>;

export const write = (root: string, files: Files): void => {
  for (const [name, what] of Object.entries(files)) {
    const path = join(root, name);
    if (what === null) {
      rmSync(path, {recursive: true, force: true});
      continue;
    }
    mkdirSync(dirname(path), {recursive: true});
    if (typeof what === 'string' || Buffer.isBuffer(what)) writeFileSync(path, what);
    else if ('link' in what) symlinkSync(what.link, path);
    else {
      writeFileSync(path, what.run);
      chmodSync(path, 0o755);
    }
  }
};

export const checkpointsOf = (root: string): string => join(root, 'runtime', 'checkpoints');

export const snapshots = (root: string, options: Partial<TreeOptions> = {}) => {
  const trees = openTreeSnapshots({root, checkpointDir: checkpointsOf(root), ...options});
  const take = async (message = 'a test') => {
    const taken = await trees.take({track: main, message});
    if (!taken.ok) throw new Error(JSON.stringify(taken.failure));
    return taken.value;
  };
  return {trees, take};
};

/** Brings a snapshot back; gives what was kept, and the snapshot of the moment before. */
export const restore = async (
  root: string,
  to: WorkspaceSnapshot,
  {paths = [], dry = false, ...options}: Partial<TreeOptions> & {paths?: string[]; dry?: boolean} = {},
) => {
  const order = {
    track: main,
    to,
    paths: paths.map(gitPathOf),
    dry,
    message: 'restore',
    saved: async () => ok(undefined),
  };
  const done = await restoreTree({root, checkpointDir: checkpointsOf(root), ...options}, order);
  if (!done.ok) throw new Error(JSON.stringify(done.failure));
  const {plan, before, after} = done.value;
  const names = (changes: {path: string}[]) => changes.map(({path}) => path).sort();
  return {write: names(plan.write), remove: names(plan.remove), kept: plan.kept, before, after};
};

/** Where the objects are: the repository itself, or the shadow one. */
export const objectsOf = (root: string): string[] => {
  try {
    return ['--git-dir', git(root, 'rev-parse', '--absolute-git-dir')];
  } catch {
    return ['--git-dir', join(checkpointsOf(root), 'workspace', 'shadow')];
  }
};

/** Every path of a tree with its mode and content. */
export const contentOf = (root: string, tree: string): Record<string, string> => {
  const run = (args: string[], input = '') =>
    execFileSync('git', [...objectsOf(root), ...args], {cwd: root, encoding: 'latin1', input, maxBuffer: 1e9});
  const entries = run(['ls-tree', '-r', '-z', tree])
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', object = '', path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
      return path === undefined ? [] : [{mode, object, path}];
    });
  const blobs = entries.filter(({mode}) => mode !== '160000');
  const told = run(['cat-file', '--batch'], blobs.map(({object}) => `${object}\n`).join(''));
  const contents = new Map<string, string>();
  for (let at = 0; at < told.length; ) {
    const [head = '', object = '', size = ''] = /(\w+) blob (\d+)\n/y.exec(told.slice(at, at + 100)) ?? [];
    contents.set(object, told.slice(at + head.length, at + head.length + Number(size)));
    at += head.length + Number(size) + 1;
  }
  return Object.fromEntries(entries.map(({mode, object, path}) => [path, `${mode} ${contents.get(object) ?? object}`]));
};

/** Every file below, as git would see it: mode, content, link target; folders only by what is in them. */
export const onDisk = (root: string, leaveOut: (path: string) => boolean = () => false): Record<string, string> => {
  const found: Record<string, string> = {};
  const top = Buffer.from(root).toString('latin1');
  const walk = (at: string): void => {
    for (const name of readdirSync(Buffer.from(`${top}/${at}`, 'latin1'), {encoding: 'buffer'})) {
      const path = `${at}${name.toString('latin1')}`;
      const full = Buffer.from(`${top}/${path}`, 'latin1');
      if (leaveOut(path)) continue;
      const stat = lstatSync(full);
      if (stat.isDirectory()) walk(`${path}/`);
      else if (stat.isSymbolicLink())
        found[path] = `120000 ${readlinkSync(full, {encoding: 'buffer'}).toString('latin1')}`;
      else found[path] = `${stat.mode & 0o100 ? '100755' : '100644'} ${readFileSync(full, 'latin1')}`;
    }
  };
  walk('');
  return found;
};

export const notOurs = (path: string): boolean => path === '.git' || path === 'runtime/checkpoints';
