// `ckpt restore N`, `ckpt rollback`: files and baton as they were, always behind a checkpoint of the moment before.

import type {Checkpoint, WorkspaceSnapshot} from '../../../baton/checkpoint.ts';
import {type Failure, fail, ok, type Result} from '../../../core/failure.ts';
import type {CheckpointId} from '../../../core/ids.ts';
import {outsideCalls} from '../../../history/cannot-undo.ts';
import {afterRestore, beforeRestore, rollbackTarget} from '../../../history/drafts.ts';
import {gitPathOf} from '../../../history/git-paths.ts';
import type {RestorePlan} from '../../../history/restore-plan.ts';
import {pick} from '../look.ts';
import {json} from '../text.ts';
import {type Common, chooseTrack, done, noCheckpoint, type Outcome, type World} from '../world.ts';
import {filesOf, openScene, type Scene, whileNobodyRuns} from './scene.ts';
import type {WentBack} from './went-back.ts';
import {goOnWords, restoredJson, restoredText} from './words.ts';

export interface RestoreFlags extends Common {
  files?: boolean;
  baton?: boolean;
  conversation?: boolean;
  path?: string[];
  dryRun?: boolean;
  force?: boolean;
}

export const restore = async (world: World, wanted: string, flags: RestoreFlags): Outcome => {
  const scene = await openScene(world, flags);
  if (!scene.ok) return scene;
  const found = pick(scene.value.all, wanted);
  return found.ok ? goBack(world, scene.value, {target: found.value, flags}) : found;
};

/** To the moment before the last restore, else to the last checkpoint. */
export const rollback = async (world: World, flags: RestoreFlags & {track?: string}): Outcome => {
  const scene = await openScene(world, flags);
  if (!scene.ok) return scene;
  const {ground, all} = scene.value;
  const track = await chooseTrack(world, ground, flags.track);
  if (!track.ok) return track;
  const target = rollbackTarget(all.filter((one) => one.track === track.value));
  if (target === undefined) return fail(noCheckpoint(ground));
  return goBack(world, scene.value, {target, flags});
};

interface Wish {
  target: Checkpoint;
  flags: RestoreFlags;
}

const goBack = async (world: World, scene: Scene, {target, flags}: Wish): Outcome => {
  const parts = partsOf(flags);
  const wrong = whatIsWrong(flags, parts);
  if (wrong !== undefined) return fail(wrong);
  const dry = flags.dryRun === true;
  const went = await whileNobodyRuns(scene, {force: flags.force === true, dry}, () =>
    restoreParts(scene, {target, flags}, parts),
  );
  if (!went.ok) return went;
  const words = parts.conversation ? goOnWords(target, scene.trees.fileSize) : undefined;
  world.out(flags.json ? json(restoredJson(went.value, words)) : restoredText(went.value, words));
  return done;
};

type Parts = Record<'files' | 'baton' | 'conversation', boolean>;

/** None named: all of them. */
const partsOf = ({files, baton, conversation}: RestoreFlags): Parts => {
  const some = files === true || baton === true || conversation === true;
  return some
    ? {files: files === true, baton: baton === true, conversation: conversation === true}
    : {files: true, baton: true, conversation: true};
};

const whatIsWrong = ({path}: RestoreFlags, {files}: Parts): Failure | undefined =>
  path !== undefined && !files
    ? {is: 'bad-usage', what: '--path is about files', fix: 'add --files, or leave --path out'}
    : undefined;

const restoreParts = async (scene: Scene, {target, flags}: Wish, parts: Parts): Promise<Result<WentBack>> => {
  const {ground, store, trees, all} = scene;
  const dry = flags.dryRun === true;
  const later = all.filter(({id}) => id > target.id);
  const cannot = {
    calls: outsideCalls(later, new Set(target.recent_calls), trees.isOutside),
    commits: target.head === undefined ? [] : await trees.commitsSince(target.head),
  };
  const nothing: WentBack = {target, dry, cannot, plan: undefined, undo: undefined, baton: undefined};
  if (!parts.files && !parts.baton) return ok(nothing);
  const git = await ground.git();
  let undo: Checkpoint | undefined;
  const saved = async (before: WorkspaceSnapshot | undefined): Promise<Result<void>> => {
    const written = await store.append(target.track, (previous) =>
      ok(beforeRestore(previous, target, {git, workspace: before})),
    );
    if (written.ok) undo = written.value;
    return written.ok ? ok(undefined) : written;
  };
  const restored = parts.files
    ? await restoreFiles(scene, {target, flags}, saved)
    : dry
      ? ok(none)
      : await onlyBaton(saved);
  if (!restored.ok) return restored;
  const {plan, after} = restored.value;
  if (dry || !parts.baton) return ok({...nothing, plan, undo});
  const now = {git: await ground.git(), workspace: after ?? undo?.workspace, undo: undo?.id};
  const baton = await store.append(target.track, () => ok(afterRestore(target, now)));
  return baton.ok ? ok({...nothing, plan, undo, baton: baton.value}) : baton;
};

type FilesBack = {plan: RestorePlan | undefined; after: WorkspaceSnapshot | undefined};
const none: FilesBack = {plan: undefined, after: undefined};

const onlyBaton = async (saved: (before: undefined) => Promise<Result<void>>): Promise<Result<FilesBack>> => {
  const written = await saved(undefined);
  return written.ok ? ok(none) : written;
};

const restoreFiles = async (
  {trees}: Scene,
  {target, flags}: Wish,
  saved: (before: WorkspaceSnapshot) => Promise<Result<void>>,
): Promise<Result<FilesBack>> => {
  const to = filesOf(target);
  if (!to.ok) return to;
  const restored = await trees.restore({
    ...{track: target.track, to: to.value, saved, dry: flags.dryRun === true},
    paths: (flags.path ?? []).map(gitPathOf),
    message: `before going back to ${target.id satisfies CheckpointId}`,
  });
  return restored.ok ? ok({plan: restored.value.plan, after: restored.value.after}) : restored;
};
