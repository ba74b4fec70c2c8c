// What became of a baton's branch and head, asked of git and never touching it: no optional locks, no hooks, bounded time.

import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import type {Commit, GitSince} from '../../baton/compose-input.ts';

export interface Written {
  branch: string | undefined;
  head: string | undefined;
  worktree?: string;
}

const TIMEOUT_MS = 5000;
const MAX_COMMITS = 20;
const MAX_FILES = 500;

/** Undefined outside git, and for a baton that was written outside git. */
export const gitSince = async (root: string, {branch, head, worktree}: Written): Promise<GitSince | undefined> => {
  if (head === undefined || !/^[0-9a-f]{40,64}$/.test(head)) return undefined;
  const git = gitIn(root);
  if ((await git('rev-parse', '--verify', '-q', 'HEAD')) === undefined) return undefined;
  const there = (ref: string): Promise<boolean> => told(git('rev-parse', '--verify', '-q', `${ref}^{commit}`));
  const isPart = (ref: string): Promise<boolean> => told(git('merge-base', '--is-ancestor', ref, 'HEAD'));
  const tip = branch === undefined ? undefined : `refs/heads/${branch}`;
  const [branchThere, headThere] = await Promise.all([tip === undefined ? false : there(tip), there(head)]);
  const [merged, headIsPart] = await Promise.all([
    branchThere && tip !== undefined ? isPart(tip) : headThere && isPart(head),
    headThere && isPart(head),
  ]);
  const last = branchThere && tip !== undefined ? tip : head;
  return {
    worktreeGone: worktree !== undefined && !existsSync(worktree),
    branchGone: branch !== undefined && !branchThere,
    merged: merged || (headThere && (await isInside(git, last))),
    headIs: headThere ? (headIsPart ? 'part' : 'elsewhere') : 'gone',
    commits: headIsPart ? await commitsFrom(git, head) : [],
  };
};

type Git = (...args: string[]) => Promise<string | undefined>;

const told = async (answer: Promise<string | undefined>): Promise<boolean> => (await answer) !== undefined;

/** A squash or a rebase leaves no trace in the history: but every file that the branch touched is here as it left it. */
const isInside = async (git: Git, tip: string): Promise<boolean> => {
  const base = (await git('merge-base', tip, 'HEAD'))?.trim();
  const names = base && (await git('diff', '--name-only', '--no-renames', '-z', base, tip));
  const files = (names || '').split('\0').filter((name) => name !== '');
  if (files.length === 0 || files.length > MAX_FILES) return false;
  return told(git('--literal-pathspecs', 'diff', '--quiet', '--no-ext-diff', tip, 'HEAD', '--', ...files));
};

const commitsFrom = async (git: Git, head: string): Promise<Commit[]> => {
  const log = await git('log', `--max-count=${MAX_COMMITS}`, '--format=%H %s', `${head}..HEAD`);
  return (log ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({id: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1)}));
};

/** What git says; undefined when it says no. */
const gitIn =
  (cwd: string): Git =>
  (...args) =>
    new Promise((resolve) => {
      const env = {...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C'};
      const all = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false', ...args];
      execFile('git', all, {cwd, env, timeout: TIMEOUT_MS, maxBuffer: 1_000_000}, (error, stdout) =>
        resolve(error === null ? stdout : undefined),
      );
    });
