// What `git status` tells, whoever runs it: workspace.ts with execa, quick-git.ts for commands that must be cheap.

import {relative, sep} from 'node:path';

export interface GitStatus {
  branch: string | undefined;
  head: string | undefined;
  /** Paths that differ from HEAD, untracked ones included, each with git's own words for how. */
  entries: {state: string; path: string}[];
}

export interface GitCall {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  maxBuffer: number;
}

/** `too-much`: out of time, or more output than we hold. */
export type RunGit = (call: GitCall) => Promise<{is: 'told'; stdout: string} | {is: 'too-much'} | {is: 'refused'}>;

export interface StatusOptions {
  root: string;
  /** The checkpoint folder, absolute: left out. */
  checkpointDir: string;
  timeoutMs?: number;
}

export const maxListed = 200;
const maxOutput = 4_000_000;

/** Looked at and never touched: no optional locks, no hooks, no file-system monitor, bounded time. Undefined outside git. */
export const gitStatus = async (options: StatusOptions, run: RunGit): Promise<GitStatus | undefined> => {
  const {root, checkpointDir, timeoutMs = 5000} = options;
  const status = ['status', '--porcelain=v2', '-z', '--branch', '--no-renames'];
  const look = (untracked: 'all' | 'normal') =>
    run({
      args: [
        ...['--no-optional-locks', '-c', 'core.fsmonitor=false'],
        ...[...status, `--untracked-files=${untracked}`, '--', '.', ...leftOut(root, checkpointDir)],
      ],
      cwd: root,
      env: {GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C'},
      timeoutMs,
      maxBuffer: maxOutput,
    });
  let found = await look('all');
  // A huge untracked folder: better its name alone than nothing.
  if (found.is === 'too-much') found = await look('normal');
  return found.is === 'told' ? readStatus(found.stdout) : undefined;
};

/** Pathspec magic off the beaten track: `literal` keeps stars and brackets in a folder's name what they are. */
const leftOut = (root: string, checkpointDir: string): string[] => {
  const way = relative(root, checkpointDir);
  return way === '' || way.startsWith('..') ? [] : [`:(exclude,literal)${way.split(sep).join('/')}`];
};

/** Porcelain v2, records ended by NUL: https://git-scm.com/docs/git-status#_porcelain_format_version_2 */
const readStatus = (output: string): GitStatus => {
  const status: GitStatus = {branch: undefined, head: undefined, entries: []};
  for (const record of output.split('\0')) {
    if (record.startsWith('# branch.oid ')) status.head = unless(record.slice(13), '(initial)');
    else if (record.startsWith('# branch.head ')) status.branch = unless(record.slice(14), '(detached)');
    else {
      const entry = readEntry(record);
      if (entry !== undefined) status.entries.push(entry);
    }
  }
  return status;
};

const unless = (text: string, nothing: string): string | undefined => (text === nothing ? undefined : text);

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`. Renames are switched off. */
const readEntry = (record: string): {state: string; path: string} | undefined => {
  if (record.startsWith('? ')) return {state: '?', path: record.slice(2)};
  const fields = record.startsWith('1 ') ? 8 : record.startsWith('u ') ? 10 : undefined;
  if (fields === undefined) return undefined;
  const parts = record.split(' ');
  return {state: parts.slice(0, fields).join(' '), path: parts.slice(fields).join(' ')};
};
