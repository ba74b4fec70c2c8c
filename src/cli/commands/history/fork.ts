// `ckpt fork N`: the files of a checkpoint in a worktree of its own, its baton on a track of its own; one fork per prompt.

import {basename, dirname, join, resolve} from 'node:path';
import type {Checkpoint} from '../../../baton/checkpoint.ts';
import {fail, ok, type Result} from '../../../core/failure.ts';
import type {Track} from '../../../core/ids.ts';
import {forkDraft} from '../../../history/drafts.ts';
import {filesOf} from '../../../history/go-back.ts';
import {pick} from '../look.ts';
import {json} from '../text.ts';
import {type Common, done, namedTrack, type Outcome, type World} from '../world.ts';
import {openScene, type Scene} from './scene.ts';
import {planJson, quoted} from './words.ts';

export interface ForkFlags extends Common {
  agent?: string;
  track?: string;
  dir?: string;
  prompt?: string[];
}

export const fork = async (world: World, wanted: string, flags: ForkFlags): Outcome => {
  const scene = await openScene(world, flags);
  if (!scene.ok) return scene;
  const found = pick(scene.value.all, wanted);
  if (!found.ok) return found;
  const plans = forkPlans(scene.value, {from: found.value, flags});
  if (!plans.ok) return plans;
  const made: object[] = [];
  for (const plan of plans.value) {
    const one = await forkOnce(scene.value, found.value, plan);
    // Those that were made before stay: each stands for itself, and has been told.
    if (!one.ok) return one;
    const words = startWords(scene.value, plan, flags.agent ?? found.value.conversation?.agent ?? 'claude');
    if (flags.json) made.push({...one.value, start: words});
    else world.out(`track ${plan.track} in ${plan.dir}\n  ${words}\n`);
  }
  if (flags.json) world.out(json(made));
  return done;
};

interface ForkPlan {
  track: Track;
  dir: string;
  branch: string;
  prompt: string | undefined;
}

/** Everything is checked before the first is made. */
const forkPlans = ({ground, all}: Scene, {from, flags}: {from: Checkpoint; flags: ForkFlags}): Result<ForkPlan[]> => {
  const prompts = flags.prompt ?? [undefined];
  const base = flags.track ?? freeName(all, `fork-${from.number ?? 'it'}`);
  const folder =
    flags.dir === undefined ? join(dirname(ground.root), `${basename(ground.root)}-${slug(base)}`) : resolve(flags.dir);
  const plans: ForkPlan[] = [];
  for (const [at, prompt] of prompts.entries()) {
    const ending = prompts.length === 1 ? '' : `-${at + 1}`;
    const track = namedTrack(`${base}${ending}`);
    if (!track.ok) return track;
    if (all.some((one) => one.track === track.value)) {
      return fail({is: 'bad-usage', what: `track "${track.value}" is there already`, fix: 'name another with --track'});
    }
    plans.push({track: track.value, dir: `${folder}${ending}`, branch: `ckpt-${slug(base)}${ending}`, prompt});
  }
  return ok(plans);
};

const slug = (text: string): string => text.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'fork';

/** `fork-3`, `fork-3b`, …: the second fork of a checkpoint needs no thought either. */
const freeName = (all: Checkpoint[], name: string): string => {
  const taken = (wanted: string): boolean => all.some(({track}) => track === wanted || track.startsWith(`${wanted}-`));
  for (const ending of ['', ...'bcdefghijklmnopqrstuvwxyz']) if (!taken(`${name}${ending}`)) return `${name}${ending}`;
  return name;
};

const forkOnce = async ({trees, store}: Scene, from: Checkpoint, plan: ForkPlan): Promise<Result<object>> => {
  const files = filesOf(from);
  if (!files.ok) return files;
  const {track, dir, branch, prompt} = plan;
  const forked = await trees.fork({track, dir, branch, from: files.value, message: `fork of ${from.id}`});
  if (!forked.ok) return forked;
  const {workspace, head} = forked.value;
  const scene = {track, dir, prompt, workspace, head, branch: forked.value.branch};
  const saved = await store.append(track, () => ok(forkDraft(from, scene)));
  if (!saved.ok) return saved;
  const {id, number} = saved.value;
  return ok({track, dir, branch: forked.value.branch, checkpoint: {id, number}, files: planJson(forked.value.plan)});
};

/** The checkpoints stay in one folder, so that both forks can be looked at side by side. */
const startWords = ({ground}: Scene, {track, dir}: ForkPlan, agent: string): string =>
  `cd ${quoted(dir)} && ckpt-run --checkpoint-dir ${quoted(ground.dir)} --track ${quoted(track)} --no-set-current --continue ${quoted(agent)}`;
