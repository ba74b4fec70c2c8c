// `ckpt restore N`, `ckpt rollback`: files and baton as they were, always behind a checkpoint of the moment before.

import type {Checkpoint} from '../../../baton/checkpoint.ts';
import {type Failure, fail} from '../../../core/failure.ts';
import {rollbackTarget} from '../../../history/drafts.ts';
import {type BackWish, goBack} from '../../../history/go-back.ts';
import {pick} from '../look.ts';
import {json} from '../text.ts';
import {type Common, chooseTrack, done, noCheckpoint, type Outcome, type World} from '../world.ts';
import {askRun, liveRun, ownRun} from './ask-run.ts';
import {openScene, type Scene, whileNobodyRuns} from './scene.ts';
import {goOnWords, restoredJson, restoredText} from './words.ts';

export interface RestoreFlags extends Common {
  files?: boolean;
  baton?: boolean;
  conversation?: boolean;
  path?: string[];
  dryRun?: boolean;
  force?: boolean;
  stop?: boolean;
}

export const restore = async (world: World, wanted: string, flags: RestoreFlags): Outcome => {
  const scene = await openScene(world, flags);
  if (!scene.ok) return scene;
  const found = pick(scene.value.all, wanted);
  return found.ok ? wentBack(world, scene.value, {target: found.value, flags}) : found;
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
  return wentBack(world, scene.value, {target, flags});
};

interface Wish {
  target: Checkpoint;
  flags: RestoreFlags;
}

const wentBack = async (world: World, scene: Scene, {target, flags}: Wish): Outcome => {
  const parts = partsOf(flags);
  const wrong = whatIsWrong(flags, parts);
  if (wrong !== undefined) return fail(wrong);
  const {files, baton} = parts;
  const dry = flags.dryRun === true;
  const wish = {target, files, baton, paths: flags.path ?? [], dry};
  if (!dry && (files || baton)) {
    const asked = await throughRun(world, scene.ground, {...wish, flags});
    if (asked !== undefined) return asked;
  }
  const {ground, store, trees, all} = scene;
  const went = await whileNobodyRuns(scene, {force: flags.force === true, dry}, () =>
    goBack({git: ground.git, append: store.append, trees, all}, wish),
  );
  if (!went.ok) return went;
  const words = parts.conversation ? goOnWords(target, scene.trees.fileSize) : undefined;
  world.out(flags.json ? json(restoredJson(went.value, words)) : restoredText(went.value, words));
  return done;
};

/** Asked for inside a run, or with a live one that may be stopped: the run does it, between two legs. */
const throughRun = async (
  world: World,
  ground: Scene['ground'],
  wish: BackWish & {flags: RestoreFlags},
): Promise<Awaited<Outcome> | undefined> => {
  const run = ownRun(world, ground);
  if (run !== undefined) return askRun(world, ground, {...wish, run});
  if (wish.flags.stop !== true) return undefined;
  const live = await liveRun(world, ground);
  if (!live.ok) return live;
  return live.value && askRun(world, ground, {...wish, run: live.value.run, before: live.value});
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
