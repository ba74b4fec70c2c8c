// Going back while a run is alive is the run's business: it saves the present, stops its agent, goes back, and starts a
// fresh one there. Asked for by a plain file in its spool, which works from inside a sandbox too.

import {isAbsolute, relative} from 'node:path';
import {type Failure, fail, ok, type Result} from '../../../core/failure.ts';
import type {RunId} from '../../../core/ids.ts';
import {type BackWish, filesOf} from '../../../history/go-back.ts';
import type {RunRecord} from '../../../watch/run-record.ts';
import {json} from '../text.ts';
import {type Common, done, type Ground, type Outcome, runOf, type World} from '../world.ts';

/** The run that we are called from, if it is one of this folder. */
export const ownRun = (world: World, {dir}: Ground): RunId | undefined => {
  const {run} = runOf(world);
  return world.env.CKPT_DIR === dir ? run : undefined;
};

/** The one live run of this folder, if there is one. */
export const liveRun = async (world: World, {dir, root}: Ground): Promise<Result<RunRecord | undefined>> => {
  const watch = await world.watch();
  const shelf = watch.shelf(dir);
  const live: RunRecord[] = [];
  for (const run of shelf.ids()) {
    const record = shelf.record(run);
    if (record === undefined || 'broken' in record || record.state === 'over') continue;
    // A fork works in a folder of its own, and its checkpoints lie here.
    if (record.cwd !== undefined && isOutside(root, record.cwd)) continue;
    if (await watch.isAlive(record)) live.push(record);
  }
  return live.length > 1 ? fail(several(live)) : ok(live[0]);
};

const isOutside = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way === '..' || way.startsWith('../') || isAbsolute(way);
};

const several = (live: RunRecord[]): Failure => ({
  is: 'bad-usage',
  what: `${live.length} runs are alive here: ${live.map(({run}) => run).join(', ')}`,
  fix: 'end all but one with: ckpt stop <run>',
});

export interface AskedBack extends BackWish {
  flags: Common;
  run: RunId;
}

/** `before`: we are not its agent, and can wait and see what comes of it. */
export const askRun = async (
  world: World,
  {dir}: Ground,
  {target, files, baton, paths, flags, run, before}: AskedBack & {before?: RunRecord | undefined},
): Outcome => {
  const held = files ? filesOf(target) : ok(undefined);
  if (!held.ok) return held;
  const wish = {to: target.id, files, baton, paths};
  const asked = world.request(`${dir}/runs/${run}/spool`, 'restore', wish);
  if (!asked.ok) return asked;
  const came = before === undefined ? undefined : await nextLeg(world, dir, before);
  if (flags.json) world.out(json({run, request: 'restore', ...wish, file: asked.value, leg: came}));
  else world.out(`${words(run, target.number ?? target.id, {before, came})}\n`);
  return done;
};

const LOOK_MS = 200;
/** An agent has up to 12 s to end; files and the checkpoint before take their time. */
const WAIT_MS = 90_000;

/** The number of the leg that begins there; undefined when it has not come yet, or never will. */
const nextLeg = async (world: World, dir: string, before: RunRecord): Promise<number | undefined> => {
  const watch = await world.watch();
  const shelf = watch.shelf(dir);
  for (const until = watch.now() + WAIT_MS; watch.now() < until; ) {
    const record = shelf.record(before.run);
    if (record !== undefined && !('broken' in record)) {
      if (record.leg > before.leg) return record.leg;
      if (record.state === 'over') return undefined;
    }
    if (!(await watch.pause(LOOK_MS))) return undefined;
  }
  return undefined;
};

interface Came {
  before: RunRecord | undefined;
  came: number | undefined;
}

const words = (run: RunId, target: number | string, {before, came}: Came): string => {
  const asked = `run ${run} was asked to go back to checkpoint ${target}`;
  if (before === undefined) return `${asked}: it saves the present, ends this agent and starts a fresh one there`;
  if (came === undefined) return `${asked}, and has not done it yet: look with ckpt status and ckpt log`;
  return `${asked}: leg ${before.leg} was ended, leg ${came} begins there; ckpt log tells how it went`;
};
