// Git as it is now, looked at and never touched: no optional locks, no hooks, no file-system monitor, bounded time.

import {createHash} from 'node:crypto';
import {lstatSync, readdirSync} from 'node:fs';
import {join, relative} from 'node:path';
import {execa} from 'execa';
import type {GitFacts, Workspace} from '../../ports.ts';
import {gitStatus, maxListed, type RunGit, type StatusOptions} from './git-status.ts';

export type WorkspaceOptions = StatusOptions;

export const openWorkspace = (options: WorkspaceOptions): Workspace => ({
  facts: async () => (await gitFacts(options)) ?? folderFacts(options),
  head: async () => {
    const told = await withExeca({...headCall, cwd: options.root});
    return told.is === 'told' ? told.stdout.trim() : undefined;
  },
});

/** Looked at and never touched, as with the status. */
const headCall = {
  args: ['--no-optional-locks', 'rev-parse', '--verify', '--quiet', 'HEAD'],
  env: {GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C'},
  timeoutMs: 5000,
  maxBuffer: 10_000,
};

const maxTimed = 2000;

const gitFacts = async (options: WorkspaceOptions): Promise<GitFacts | undefined> => {
  const status = await gitStatus(options, withExeca);
  if (status === undefined) return undefined;
  const {root} = options;
  const {branch, head, entries} = status;
  const hash = createHash('sha256').update(`${head ?? ''}\0${branch ?? ''}\0`);
  for (const [index, {state, path}] of entries.entries()) {
    hash.update(`${state}\0${path}\0${index < maxTimed ? stampOf(join(root, path)) : ''}\0`);
  }
  const dirty = entries.slice(0, maxListed).map(({path}) => path);
  return {root, branch, head, dirty, more: entries.length - dirty.length, fingerprint: short(hash.digest('hex'))};
};

const withExeca: RunGit = async ({args, cwd, env, timeoutMs, maxBuffer}) => {
  const options = {cwd, env, maxBuffer, timeout: timeoutMs, reject: false, stripFinalNewline: false} as const;
  const ran = await execa('git', args, {...options, stdin: 'ignore'});
  if (ran.timedOut || ran.isMaxBuffer) return {is: 'too-much'};
  return ran.exitCode === 0 ? {is: 'told', stdout: ran.stdout} : {is: 'refused'};
};

const stampOf = (path: string): string => {
  try {
    const {mtimeMs, size, mode} = lstatSync(path);
    return `${mtimeMs} ${size} ${mode}`;
  } catch {
    return 'gone';
  }
};

const short = (hex: string): string => hex.slice(0, 32);

const maxWalked = 5000;
const maxDepth = 8;
const neverWalked = new Set(['.git', 'node_modules', '.hg', '.svn', '__pycache__', '.venv']);

/** Outside git: a bounded look at names, times and sizes, enough to see that something has moved. */
const folderFacts = ({root, checkpointDir}: WorkspaceOptions): GitFacts => {
  const hash = createHash('sha256');
  let left = maxWalked;
  const walk = (folder: string, depth: number): void => {
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      if (left <= 0 || path === checkpointDir || neverWalked.has(name)) continue;
      left -= 1;
      const folderInside = isFolder(path);
      // A folder's own time moves when our checkpoint folder is made inside it; what it holds is hashed anyway.
      hash.update(`${relative(root, path)}\0${folderInside ? 'folder' : stampOf(path)}\0`);
      if (folderInside && depth < maxDepth) walk(path, depth + 1);
    }
  };
  walk(root, 1);
  return {
    root: undefined,
    branch: undefined,
    head: undefined,
    dirty: [],
    more: 0,
    fingerprint: short(hash.digest('hex')),
  };
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

const isFolder = (path: string): boolean => {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
};
