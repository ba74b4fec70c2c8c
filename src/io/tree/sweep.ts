// Snapshots that no checkpoint names any more, dropped; and those that a checkpoint names and git does not, named again.

import type {Checkpoint, WorkspaceSnapshot} from '../../baton/checkpoint.ts';
import {ok, type Result} from '../../core/failure.ts';
import type {Swept} from '../../history/ports.ts';
import {isSnapshotRef, refTime} from '../../history/ref-names.ts';
import {findHome, type Home} from './home/home.ts';
import {createRef, deleteRefs, hasCommit, inHome, listRefs} from './refs.ts';
import type {TreeOptions} from './snapshots.ts';

type Named = Pick<Checkpoint, 'workspace'>;

/** For whoever prunes: only the refs of those that went, and only if nobody else names them. */
export const dropRefs = async (
  options: TreeOptions,
  gone: readonly Named[],
  staying: readonly Named[],
): Promise<Result<number>> => {
  const kept = refsOf(staying);
  const going = [...refsOf(gone)].filter((ref) => !kept.has(ref));
  if (going.length === 0) return ok(0);
  const home = await findHome(options.root, options.checkpointDir);
  return home.ok ? deleteRefs(home.value, going) : home;
};

const hour = 3_600_000;

export const sweepRefs = async (
  options: TreeOptions,
  staying: readonly Named[],
  dry: boolean,
): Promise<Result<Swept>> => {
  const home = await findHome(options.root, options.checkpointDir);
  if (!home.ok) return home;
  const listed = await listRefs(home.value);
  if (!listed.ok) return listed;
  const now = options.now?.() ?? Date.now();
  const named = refsOf(staying);
  const orphans = listed.value.map(({ref}) => ref).filter((ref) => !named.has(ref));
  const old = orphans.filter((ref) => now - refTime(ref) > hour);
  const swept = {dropped: old.length, kept: listed.value.length - orphans.length, young: orphans.length - old.length};
  if (dry) return ok(swept);
  const dropped = await deleteRefs(home.value, old);
  if (!dropped.ok) return dropped;
  await collect(home.value);
  return ok({...swept, dropped: dropped.value});
};

/** The person's own repository is collected by git, when git thinks it is time; the shadow one is ours alone. */
const collect = async (home: Home): Promise<void> => {
  if (home.kind === 'shadow') await inHome(home, ['gc', '--quiet', '--prune=1.hour.ago']);
};

/** A rewritten or cloned repository has lost our refs, perhaps not yet the commits. */
export const pinAgain = async (
  options: TreeOptions,
  checkpoints: readonly Checkpoint[],
): Promise<Result<{pinned: number; gone: Checkpoint[]}>> => {
  const home = await findHome(options.root, options.checkpointDir);
  if (!home.ok) return home;
  const listed = await listRefs(home.value);
  if (!listed.ok) return listed;
  const there = new Set(listed.value.map(({ref}) => ref));
  const gone: Checkpoint[] = [];
  let pinned = 0;
  for (const checkpoint of checkpoints) {
    const tree = checkpoint.workspace;
    if (tree === undefined || (there.has(tree.ref) && (await hasCommit(home.value, tree.commit)))) continue;
    if (!(await pin(home.value, tree))) gone.push(checkpoint);
    else pinned += 1;
  }
  return ok({pinned, gone});
};

const pin = async (home: Home, {ref, commit}: WorkspaceSnapshot): Promise<boolean> =>
  isSnapshotRef(ref) && (await hasCommit(home, commit)) && (await createRef(home, ref, commit)).ok;

const refsOf = (checkpoints: readonly Named[]): Set<string> =>
  new Set(checkpoints.flatMap(({workspace}) => (workspace === undefined ? [] : [workspace.ref])));
