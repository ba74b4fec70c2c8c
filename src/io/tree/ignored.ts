// What is in the private index, or was too young for it, and is ignored by now.

import {ok, type Result} from '../../core/failure.ts';
import {type GitPath, gitPath, records} from '../../history/git-paths.ts';
import type {Settling} from '../files/settled.ts';
import {git, gitFailed, harmless, personsEnv} from './home/git.ts';
import type {PrivateDir} from './private-dir.ts';
import {rulesNow} from './rules.ts';
import {stampOf, type TreeState} from './state.ts';

export interface Hidden {
  inside: GitPath[];
  rules: string | undefined;
  /** Tracked by the person although ignored. */
  forced: GitPath[];
  /** How the person's index stood. */
  persons: string;
}

export interface LookLimits extends Settling {
  timeoutMs: number;
}

/** While the rules stand as they stood, the answer is the one of the last time. */
export const ignoredInside = async (
  place: PrivateDir,
  state: TreeState,
  {timeoutMs, ...settling}: LookLimits,
): Promise<Result<Hidden>> => {
  const index = place.home.persons?.index;
  const persons = (index && stampOf(index)) || 'none';
  const theirs = persons === state.persons ? undefined : personsForced(place, timeoutMs);
  const rules = await rulesNow(place, state.folders, settling);
  const asked =
    rules !== undefined && rules === state.rules ? ok(state.ignored) : await askRules(place, state, timeoutMs);
  if (!asked.ok) return asked;
  const inside = asked.value;
  const known = new Set([...state.forced, ...state.adopted]);
  // What the person tracks belongs to the tree, ignored or not. Their index is asked only when it has moved, or when
  // something is ignored that was not.
  const isNews = theirs === undefined && !inside.every((path) => known.has(path));
  const forced = await (theirs ?? (isNews ? personsForced(place, timeoutMs) : ok(state.forced)));
  return forced.ok ? ok({inside, rules, forced: forced.value, persons}) : forced;
};

const knownIgnored = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];

const askRules = async (
  place: PrivateDir,
  {index, again}: TreeState,
  timeoutMs: number,
): Promise<Result<GitPath[]>> => {
  const input = Buffer.from(again.map(([path]) => `${path}\0`).join(''), 'latin1');
  const [ignored, hidden] = await Promise.all([
    place.ask(index, {args: knownIgnored, timeoutMs}),
    // Too young for the index the last time, so that it cannot tell.
    again.length > 0 ? place.ask(index, {args: ['check-ignore', '-z', '--stdin'], input, timeoutMs}) : undefined,
  ]);
  if (ignored.code !== 0) return gitFailed('look for ignored files', ignored);
  if (hidden !== undefined && hidden.code !== 0 && hidden.code !== 1)
    return gitFailed('look for ignored files', hidden);
  return ok([...new Set([...records(ignored.out), ...records(hidden?.out ?? '')].map(gitPath))]);
};

const personsForced = async ({home}: PrivateDir, timeoutMs: number): Promise<Result<GitPath[]>> => {
  if (home.persons === undefined) return ok([]);
  const env = {...personsEnv(), GIT_DIR: home.persons.gitDir, GIT_WORK_TREE: home.root};
  const theirs = await git({args: [...harmless, ...knownIgnored], cwd: home.root, env, timeoutMs});
  if (theirs.code !== 0) return gitFailed('look for files that are tracked although ignored', theirs);
  return ok(records(theirs.out).map(gitPath));
};
