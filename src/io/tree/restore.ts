// The files of a snapshot, brought back exactly: what was made since is removed, what is ignored stays. First the present
// is saved, and whoever asked may write that down before anything is touched.

import {chmod} from 'node:fs/promises';
import {type Failure, fail, ok, type Result} from '../../core/failure.ts';
import type {GitPath} from '../../history/git-paths.ts';
import type {Restored, RestoreOrder} from '../../history/ports.ts';
import {absentMode, gitlinkMode, type RawChange, readRawDiff} from '../../history/raw-diff.ts';
import {isObjectName} from '../../history/ref-names.ts';
import {planRestore, type RestorePlan} from '../../history/restore-plan.ts';
import {durable, fleeting, gitFailed} from './home/git.ts';
import {checkIndex, matchIndex} from './match-index.ts';
import type {Present} from './present.ts';
import {asTheirs, onDisk, type PrivateDir} from './private-dir.ts';
import {statOf} from './read-files.ts';
import {inHome} from './refs.ts';
import {diskFacts, ignoredNow} from './restore-facts.ts';
import {withFolders} from './rules.ts';
import {type Ground, inPrivate, snapshotOf, type TreeOptions} from './snapshots.ts';
import {newIndex, saveState} from './state.ts';

export const restoreTree = (options: TreeOptions, order: RestoreOrder): Promise<Result<Restored>> =>
  inPrivate<Restored>(options, async (ground) => {
    const {place} = ground;
    const there = await isThere(ground, order.to);
    if (!there.ok) return there;
    const present = await ground.present(order.message);
    if (!present.ok) return present;
    const changes = await diffTrees(place, present.value.tree, order.to.tree);
    if (!changes.ok) return changes;
    const {paths, to} = order;
    const plan = await planRestore({
      changes: changes.value,
      paths,
      complete: to.complete,
      ...diskFacts(place, to.tree, present.value.state.adopted),
    });
    if (order.dry) return ok({plan, before: undefined, after: undefined});
    const index = newIndex();
    const matched = await matchIndex(place, present.value, index);
    if (!matched.ok) return matched;
    const ref = await ground.name(present.value.commit, order.track);
    if (!ref.ok) return ref;
    const before = snapshotOf(present.value, ref.value);
    const saved = await order.saved(before);
    if (!saved.ok) return saved;
    const done = await apply(place, {plan, index, present: present.value});
    if (!done.ok) return done;
    const after = await ground.present(order.message);
    if (!after.ok) return after;
    const named = await ground.name(after.value.commit, order.track);
    return named.ok ? ok({plan, before, after: snapshotOf(after.value, named.value)}) : named;
  });

const minutes = 60_000;

const isThere = async ({place}: Ground, {tree, commit}: RestoreOrder['to']): Promise<Result<void>> => {
  const named = isObjectName(tree) && isObjectName(commit);
  const told = named ? await inHome(place.home, ['rev-parse', '--verify', '-q', `${commit}^{tree}`]) : undefined;
  if (told?.code === 0 && told.out.trim() === tree) return ok(undefined);
  return fail({
    is: 'not-found',
    what: `the files of that checkpoint (${named ? commit.slice(0, 12) : 'no commit'}) are no longer in ${place.home.gitDir}`,
    fix: 'ckpt list shows the others; their files may still be there',
  });
};

export const diffTrees = async (place: PrivateDir, from: string, to: string): Promise<Result<RawChange[]>> => {
  const told = await place.ask('none', {
    args: ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, to],
    timeoutMs: minutes,
  });
  return told.code === 0 ? ok(readRawDiff(told.out)) : gitFailed('compare the trees', told);
};

interface Work {
  plan: RestorePlan;
  index: string;
  present: Present;
}

/** Git looks at every file once more before it touches the first. */
const apply = async (place: PrivateDir, {plan, index, present}: Work): Promise<Result<void>> => {
  const {write, remove} = plan;
  if (write.length + remove.length === 0) return ok(undefined);
  const target = await targetTree(place, plan, present.tree);
  if (!target.ok) return target;
  const modes = await modesOf(place, write);
  const told = await place.ask(index, {
    args: [...fleeting, '-c', 'core.sparseCheckout=false', 'read-tree', '-m', '-u', present.tree, target.value],
    timeoutMs: 30 * minutes,
    apart: true,
  });
  if (told.code !== 0) return fail(notRestored(told.err.split('\n')[0] ?? ''));
  for (const [path, mode] of modes) await setMode(onDisk(place, path), mode);
  const checked = await checkIndex(place, index);
  if (!checked.ok) return checked;
  const {state} = present;
  // The index vouches for every file now; of repositories inside it knows too little.
  const again = state.again.filter(([path, mode]) => mode === gitlinkMode || state.nested.includes(path));
  const brought = write.filter(({oldMode}) => oldMode === absentMode).map(({path}) => path);
  // By the rules on disk: a file of rules that ignores itself was not replaced by the tree's.
  const hidden = await ignoredNow(place, brought);
  const adopted = [...new Set([...state.adopted, ...hidden])];
  const folders = withFolders(
    state.folders,
    write.map(({path}) => path),
  );
  const known = {index, again, adopted, folders, rules: undefined, tree: target.value, last: undefined};
  await saveState(place, {...state, ...known});
  return ok(undefined);
};

const setMode = async (name: Buffer, mode: number): Promise<void> => {
  const stat = await statOf(name);
  if (stat?.isFile() && (Number(stat.mode) & 0o777) !== mode) await chmod(name, mode).catch(() => undefined);
};

const notRestored = (said: string): Failure => ({
  ...{is: 'system', doing: 'restore the files', code: 'EBUSY'},
  message: `files changed meanwhile; nothing was restored (${said.replace(/^(?:error|fatal): /, '')})`,
});

const targetTree = async (place: PrivateDir, {write, remove}: RestorePlan, from: string): Promise<Result<string>> => {
  const index = newIndex();
  const read = await place.ask(index, {args: [...fleeting, 'read-tree', from], timeoutMs: minutes});
  if (read.code !== 0) return gitFailed('prepare the tree', read);
  const lines = [
    ...remove.map(({path, oldObject}) => `0 ${'0'.repeat(oldObject.length)}\t${path}\0`),
    ...write.map(({path, newMode, newObject}) => `${newMode} ${newObject}\t${path}\0`),
  ];
  const input = Buffer.from(lines.join(''), 'latin1');
  const set = await place.ask(index, {
    args: [...fleeting, 'update-index', '-z', '--add', '--replace', '--index-info'],
    input,
    timeoutMs: minutes,
  });
  if (set.code !== 0) return gitFailed('prepare the tree', set);
  const made = await place.ask(index, {
    args: [...durable, ...asTheirs(place.home), 'write-tree', '--missing-ok'],
    timeoutMs: minutes,
  });
  return made.code === 0 ? ok(made.out.trim()) : gitFailed('prepare the tree', made);
};

/** Git writes a file anew and knows only one bit of its mode: a private file must not become a public one by that. */
const modesOf = async (place: PrivateDir, write: RawChange[]): Promise<[GitPath, number][]> => {
  const found: [GitPath, number][] = [];
  for (const {path, oldMode, newMode} of write) {
    if (oldMode === absentMode || !newMode.startsWith('100')) continue;
    const stat = await statOf(onDisk(place, path));
    if (!stat?.isFile()) continue;
    const bits = Number(stat.mode) & 0o777;
    // Whoever may read may also run, if it is to be run at all.
    found.push([path, newMode === '100755' ? bits | ((bits & 0o444) >> 2) : bits & ~0o111]);
  }
  return found;
};
