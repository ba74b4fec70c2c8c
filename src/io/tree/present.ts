// The working tree of this moment as a git tree: what has changed since the last time is read, the rest is known.

import {join} from 'node:path';
import {ok, type Result} from '../../core/failure.ts';
import type {GitPath} from '../../history/git-paths.ts';
import type {Omission} from '../../history/left-out.ts';
import {gitlinkMode} from '../../history/raw-diff.ts';
import {build, type Taken} from './build.ts';
import {fleeting} from './home/git.ts';
import {look, type Seen} from './look.ts';
import type {PrivateDir} from './private-dir.ts';
import {type FileStamp, inTurn, isStill, measure, type ReadLimits} from './read-files.ts';
import {lookUp} from './refs.ts';
import {withFolders} from './rules.ts';
import {seed} from './seed.ts';
import {copyIndex, forgetState, loadState, newIndex, packsOf, saveState, type TreeState} from './state.ts';

export interface PresentOrder {
  message: string;
  /** HEAD of this moment, where the caller asks git for it anyway. */
  head?: Promise<string | undefined> | undefined;
  limits: ReadLimits & {maxTotalBytes: number};
}

export interface Present {
  tree: string;
  commit: string;
  omissions: Omission[];
  /** How many files were read. */
  read: number;
  state: TreeState;
}

/** To be called under the lock of the private folder. */
export const presentTree = async (place: PrivateDir, order: PresentOrder): Promise<Result<Present>> => {
  const known = loadState(place);
  if (known !== undefined) {
    const made = await advance(place, known, order);
    // The index or the objects behind it may be broken or collected: once more from the beginning.
    if (made.ok || timeLeft(order) <= 0) return made;
  }
  const packs = packsOf(place);
  return advance(place, {...(await seed(place, timeLeft(order))), packs}, order);
};

const timeLeft = ({limits}: PresentOrder): number => limits.deadline - limits.now();
/** What reading has begun may be written to its end. */
const finishMs = 30_000;

const advance = async (place: PrivateDir, state: TreeState, order: PresentOrder): Promise<Result<Present>> => {
  const {last} = state;
  const [seen, found] = await Promise.all([
    look(place, state, {...order.limits, timeoutMs: timeLeft(order)}),
    Promise.resolve(order.head).then((head) => lookUp(place.home, last ?? {}, head)),
  ]);
  if (!found.ok) return found;
  if (!seen.ok) return seen;
  const {changed, unwanted} = seen.value;
  const notes = notesOf(seen.value);
  const {head: parent, isThere} = found.value;
  const same = changed.size === 0 && unwanted.length === 0 && last?.tree === state.tree && last?.parent === parent;
  if (same && isThere && last !== undefined) {
    const next = {...state, ...about(seen.value)};
    if (JSON.stringify(next) !== JSON.stringify(state)) await saveState(place, next);
    return ok({tree: last.tree, commit: last.commit, omissions: notes, read: 0, state: next});
  }
  let vouched: Vouched | undefined;
  const built = await build(place, {
    ...{...order, parent, unwanted, base: state.tree, candidates: await measure(place, changed)},
    timeoutMs: Math.max(0, timeLeft(order)) + finishMs,
    meanwhile: async (taken) => {
      vouched = await vouch(place, state, {...seen.value, ...taken});
    },
  });
  if (!built.ok) return built;
  const {tree, commit, pack, omissions} = built.value;
  const next: TreeState = {
    ...{...state, ...about(seen.value), ...vouched, tree},
    packs: pack === undefined ? state.packs : [...state.packs, pack],
    last: {commit, tree, parent, pack},
  };
  if (vouched === undefined) forgetState(place);
  else await saveState(place, next);
  const missing = omissions.filter(({path}) => !seen.value.nested.includes(path));
  return ok({tree, commit, omissions: [...missing, ...notes], read: changed.size, state: next});
};

/** Nothing of these is missing in the tree as git understands trees; but somebody should know. */
const notesOf = ({nested, unkept}: Seen): Omission[] => [
  ...nested.map((path) => ({path, why: 'a repository of its own: only its commit is kept', noted: true})),
  ...unkept.map((path) => ({path, why: 'never kept outside git', noted: true})),
];

const about = ({forced, nested, persons, rules, ignored}: Seen) => ({forced, nested, persons, rules, ignored});

type Vouched = Pick<TreeState, 'index' | 'again' | 'adopted' | 'folders'>;

/**
 * Lets a new index vouch for what was read. It reads each file itself: if that file has moved since we read it, the two
 * may differ, and it is read again the next time. Undefined: it took nothing up; then there is nothing to go on from.
 */
const vouch = async (
  place: PrivateDir,
  state: TreeState,
  {settled, gone, unsettled, omissions, repositories, unwanted, nested, changed, forced}: Taken & Seen,
): Promise<Vouched | undefined> => {
  // Left out although the index has an entry for it, or although it cannot be found by looking for new files.
  const tracked = new Set(forced);
  const doubtful = omissions.filter(({path}) => changed.get(path)?.mode !== undefined || tracked.has(path));
  const again: TreeState['again'] = [...unsettled, ...doubtful.map(({path}) => path)].map((path) => [path, undefined]);
  for (const path of repositories) again.push([path, nested.includes(path) ? undefined : gitlinkMode]);
  const removed = [...gone, ...unwanted];
  const leaving = new Set(gone);
  const adopted = state.adopted.filter((path) => !leaving.has(path));
  const folders = withFolders(state.folders, settled.keys());
  if (removed.length + settled.size === 0) return {index: state.index, again, adopted, folders};
  const index = newIndex();
  await copyIndex(join(place.dir, state.index), join(place.dir, index));
  const done =
    (await updateIndex(place, index, {args: ['--force-remove'], paths: removed})) &&
    (await updateIndex(place, index, {args: ['--info-only', '--add', '--replace'], paths: [...settled.keys()]}));
  if (!done) return undefined;
  await inTurn([...settled], async ([path, stamp]: [GitPath, FileStamp]) => {
    if (!(await isStill(place, path, stamp))) again.push([path, undefined]);
  });
  return {index, again, adopted, folders};
};

const updateIndex = async (
  place: PrivateDir,
  index: string,
  {args, paths}: {args: string[]; paths: GitPath[]},
): Promise<boolean> => {
  if (paths.length === 0) return true;
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
  const told = await place.ask(index, {
    args: [...fleeting, 'update-index', ...args, '-z', '--stdin'],
    input,
    timeoutMs: finishMs,
  });
  return told.code === 0;
};
