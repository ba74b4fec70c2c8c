// The baton against reality: what has moved since it was written? One sentence, or 'none'. The gravest first, so that
// what is cut off a long sentence matters least.

import type {Checkpoint} from './checkpoint.ts';
import {oneLine} from './clean.ts';
import type {GitState} from './compose-input.ts';
import {tasksDoneBy} from './task-proof.ts';

type Written = Pick<Checkpoint, 'branch' | 'head' | 'dirty_files' | 'tasks' | 'worktree'>;

export const reconcile = (checkpoint: Written, now: GitState): string => {
  const differences = [
    worktree(checkpoint, now),
    branch(checkpoint, now),
    head(checkpoint, now),
    ...tasks(checkpoint, now),
    files('changed since', now.dirty, checkpoint.dirty_files),
    files('no longer changed (committed or undone)', checkpoint.dirty_files, now.dirty),
  ].filter((one) => one !== undefined);
  return differences.length === 0 ? 'none' : differences.join('; ');
};

export const shortHead = (commit: string | undefined): string | undefined => commit?.slice(0, 12);

const short = (commit: string | undefined): string => oneLine(shortHead(commit) ?? 'none');

const worktree = ({worktree: was}: Written, {root, since}: GitState): string | undefined => {
  if (was === undefined || root === undefined || was === root) return undefined;
  const gone = since?.worktreeGone ? ', which is gone' : '';
  return `it was written in ${oneLine(was)}${gone}, this is ${oneLine(root)}`;
};

const branch = ({branch: was}: Written, {branch: is, since}: GitState): string | undefined => {
  if (was === is) return undefined;
  const moved = `branch was ${oneLine(was ?? nothing)}, is now ${oneLine(is ?? nothing)}`;
  if (was === undefined || since === undefined) return moved;
  const where = since.branchGone ? 'is gone' : 'is still there';
  const merged = since.merged ? `and merged into ${oneLine(is ?? 'the present head')}` : 'and not merged here';
  return `${moved}; ${oneLine(was)} ${where} ${merged}${since.merged ? ': its work may be done' : ''}`;
};

const nothing = 'none (detached, or no git)';

const head = ({head: was}: Written, {head: is, since}: GitState): string | undefined => {
  if (was === is) return undefined;
  const moved = `head was ${short(was)}, is now ${short(is)}`;
  if (was === undefined || since === undefined) return moved;
  if (since.headIs === 'gone') return `${moved}; the old one no longer exists (history was rewritten)`;
  if (since.headIs === 'elsewhere') return `${moved}; the old one is not part of it`;
  const {commits} = since;
  if (commits.length === 0) return moved;
  const named = commits.slice(0, 3).map(({id, subject}) => `${short(id)} "${oneLine(subject)}"`);
  const more = commits.length > named.length ? ` and ${commits.length - named.length} more` : '';
  return `${moved}, with ${commits.length} new commit${commits.length === 1 ? '' : 's'}: ${named.join(', ')}${more}`;
};

/** A task whose proof is already there must not be done again. */
const tasks = ({tasks: open}: Written, {since}: GitState): string[] =>
  tasksDoneBy(open, since?.commits ?? [])
    .slice(0, maxNamed)
    .map(({title, commit}) => `task "${oneLine(title)}" seems done by ${short(commit.id)}, look before you do it`);

const maxNamed = 5;

const files = (what: string, some: string[], without: string[]): string | undefined => {
  const known = new Set(without);
  const found = some.filter((path) => !known.has(path));
  if (found.length === 0) return undefined;
  const named = found.slice(0, maxNamed).map(oneLine).join(', ');
  const more = found.length > maxNamed ? ` and ${found.length - maxNamed} more` : '';
  return `${what}: ${named}${more}`;
};
