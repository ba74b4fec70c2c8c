// Files and baton as they were, always behind a checkpoint of the moment before. Everything of the machine is handed in:
// `ckpt restore` does it when nobody runs, a run does it between two legs.

import type {Checkpoint, CheckpointDraft, WorkspaceSnapshot} from '../baton/checkpoint.ts';
import type {GitState} from '../baton/compose-input.ts';
import {fail, ok, type Result} from '../core/failure.ts';
import type {CheckpointId, LegNumber, RunId, Track} from '../core/ids.ts';
import {type CannotUndo, outsideCalls} from './cannot-undo.ts';
import {afterRestore, beforeRestore, withoutItsFiles} from './drafts.ts';
import {gitPathOf} from './git-paths.ts';
import type {TreesPort} from './ports.ts';
import type {RestorePlan} from './restore-plan.ts';

export interface BackWorld {
  git(): Promise<GitState>;
  append(
    track: Track,
    make: (previous: Checkpoint | undefined) => Result<CheckpointDraft>,
  ): Promise<Result<Checkpoint>>;
  trees: Pick<TreesPort, 'restore' | 'commitsSince' | 'isOutside'>;
  /** Oldest first. */
  all: readonly Checkpoint[];
}

export interface BackWish {
  target: Checkpoint;
  files: boolean;
  baton: boolean;
  paths: string[];
  dry: boolean;
  /** A run that goes on from there: its own track gets the baton. Otherwise the checkpoint's own. */
  by?: {track: Track; run: RunId; leg: LegNumber; setCurrent: boolean};
}

/** What has been done, for those who tell it. */
export interface WentBack {
  target: Checkpoint;
  dry: boolean;
  /** Undefined: no files were asked for. */
  plan: RestorePlan | undefined;
  /** The checkpoint of the moment before. */
  undo: Checkpoint | undefined;
  /** The old baton, written again. */
  baton: Checkpoint | undefined;
  cannot: CannotUndo;
}

export const goBack = async (world: BackWorld, wish: BackWish): Promise<Result<WentBack>> => {
  const {target, dry, by} = wish;
  const track = by?.track ?? target.track;
  const nothing = {target, dry, cannot: await cannotUndo(world, target)};
  const none: WentBack = {...nothing, plan: undefined, undo: undefined, baton: undefined};
  if (!wish.files && !wish.baton) return ok(none);
  const git = await world.git();
  let undo: Checkpoint | undefined;
  const saved = async (before: WorkspaceSnapshot | undefined): Promise<Result<void>> => {
    const written = await world.append(track, (previous) =>
      ok({...beforeRestore(previous, target, {git, workspace: before}), track, ...owner(by)}),
    );
    if (written.ok) undo = written.value;
    return written.ok ? ok(undefined) : written;
  };
  const restored = await restoreFiles(world, {...wish, track}, saved);
  if (!restored.ok) return restored;
  const {plan, after} = restored.value;
  if (dry || (!wish.baton && by === undefined)) return ok({...none, plan, undo});
  const now = {git: await world.git(), workspace: after ?? undo?.workspace, undo: undo?.id};
  const baton = await world.append(track, (previous) => {
    const draft = wish.baton ? afterRestore(target, now) : withoutItsFiles(previous ?? target, target, now);
    return ok({...draft, track, ...owner(by)});
  });
  return baton.ok ? ok({...none, plan, undo, baton: baton.value}) : baton;
};

/** What a run writes is the run's, or its next leg would take it for a stranger's. */
const owner = (by: BackWish['by']): Partial<CheckpointDraft> =>
  by === undefined ? {} : {run: by.run, leg: by.leg, set_current: by.setCurrent};

const cannotUndo = async ({trees, all}: BackWorld, target: Checkpoint): Promise<CannotUndo> => ({
  calls: outsideCalls(
    all.filter(({id}) => id > target.id),
    new Set(target.recent_calls),
    trees.isOutside,
  ),
  commits: target.head === undefined ? [] : await trees.commitsSince(target.head),
});

interface FilesBack {
  plan: RestorePlan | undefined;
  after: WorkspaceSnapshot | undefined;
}

const restoreFiles = async (
  {trees}: BackWorld,
  {target, files, paths, dry, track}: BackWish & {track: Track},
  saved: (before: WorkspaceSnapshot | undefined) => Promise<Result<void>>,
): Promise<Result<FilesBack>> => {
  const only: FilesBack = {plan: undefined, after: undefined};
  if (!files) {
    const written = dry ? ok(undefined) : await saved(undefined);
    return written.ok ? ok(only) : written;
  }
  const to = filesOf(target);
  if (!to.ok) return to;
  const restored = await trees.restore({
    ...{track, to: to.value, saved, dry, paths: paths.map(gitPathOf)},
    message: `before going back to ${target.id satisfies CheckpointId}`,
  });
  return restored.ok ? ok({plan: restored.value.plan, after: restored.value.after}) : restored;
};

/** The files of a checkpoint, or why there are none. */
export const filesOf = (checkpoint: Checkpoint): Result<NonNullable<Checkpoint['workspace']>> => {
  const {workspace, extra, number, id} = checkpoint;
  if (workspace !== undefined) return ok(workspace);
  return fail({
    is: 'not-found',
    what: `checkpoint ${number ?? id} holds no files${extra.workspace === undefined ? '' : ` (${extra.workspace})`}`,
    fix: 'ckpt restore --baton brings its baton back alone; ckpt list shows the others',
  });
};
