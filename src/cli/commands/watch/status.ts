// `ckpt status`: the live runs of this folder and the last ones. `ckpt runs`: those of all repositories.

import type {LatestEntry} from '../../../baton/latest.ts';
import {fail, ok, type Result} from '../../../core/failure.ts';
import {parseTrack, type RunId} from '../../../core/ids.ts';
import type {RunShelf, WatchPort} from '../../../watch/ports.ts';
import {type RunStatus, runStatus, standingOf} from '../../../watch/status.ts';
import {runLine, statusText} from '../../../watch/status-words.ts';
import {json} from '../text.ts';
import {type Common, done, type Ground, type Outcome, type World} from '../world.ts';
import {noRun} from './choose-run.ts';
import {watchLoop} from './watch-loop.ts';

export interface StatusFlags extends Common {
  watch?: boolean;
  last?: number;
}

export const status = async (world: World, flags: StatusFlags): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const ground = opened.value;
  const watch = await world.watch();
  const shelf = watch.shelf(ground.dir);
  const look = (): Promise<Look> => lookAt({watch, shelf, ground, last: flags.last ?? LAST, own: world.env.CKPT_RUN});
  if (flags.watch) {
    return watchLoop(world, watch, {
      compact: flags.json === true,
      show: async (width) => {
        const {runs, broken} = await look();
        if (flags.json) return `${JSON.stringify({dir: ground.dir, runs})}\n`;
        const text = statusText(runs, {now: watch.now(), width});
        return `${text === '' ? `no run has been here (${ground.dir})\n` : text}${broken.join('')}`;
      },
    });
  }
  const {runs, broken} = await look();
  for (const line of broken) world.err(line);
  if (flags.json) world.out(json({dir: ground.dir, runs}));
  else if (runs.length === 0) return fail(noRun(ground.dir));
  else world.out(statusText(runs, {now: watch.now(), width: watch.screen.columns()}));
  return done;
};

const LAST = 3;
/** Older ones cannot be alive: a run has its hours. */
const MOST = 1000;

interface Look {
  runs: RunStatus[];
  broken: string[];
}

interface Place {
  watch: WatchPort;
  shelf: RunShelf;
  ground: Ground;
  last: number;
  own: string | undefined;
}

const lookAt = async ({watch, shelf, ground, last, own}: Place): Promise<Look> => {
  const index = await (await ground.store()).index();
  const newest = (track: string): LatestEntry | undefined => {
    const name = parseTrack(track);
    return index.ok && name !== undefined ? index.value.tracks.get(name) : undefined;
  };
  const look: Look = {runs: [], broken: []};
  let ended = 0;
  for (const run of shelf.ids().slice(0, MOST)) {
    const found = await statusOf({watch, shelf, run, newest, own});
    if (found === undefined) continue;
    if (!found.ok) look.broken.push(found.failure);
    else if (found.value.standing === 'live') look.runs.push(found.value);
    else if (ended < last) {
      ended += 1;
      look.runs.push(found.value);
    }
  }
  // The live ones first, each group newest first as it came.
  look.runs.sort((a, b) => Number(b.standing === 'live') - Number(a.standing === 'live'));
  return look;
};

interface One {
  watch: WatchPort;
  shelf: RunShelf;
  run: RunId;
  newest(track: string): LatestEntry | undefined;
  own: string | undefined;
}

const statusOf = async ({watch, shelf, run, newest, own}: One): Promise<Result<RunStatus, string> | undefined> => {
  const record = shelf.record(run);
  if (record === undefined) return undefined;
  if ('broken' in record) return fail(`ckpt: run.json of ${run} cannot be read: ${record.broken}\n`);
  // Called by the run's own agent in a sandbox, we see other pids; that it is alive is certain all the same.
  const alive = run === own || (await watch.isAlive(record));
  const detailed = standingOf(record, alive) === 'live' || record.leg < MANY_LEGS;
  const deaths = detailed ? shelf.deaths(run) : [];
  const handoff = detailed ? shelf.handoffs(run).at(-1) : undefined;
  return ok(runStatus({record, alive, deaths, handoff, newest: newest(record.track)}));
};

const MANY_LEGS = 500;

export const runs = async (world: World, flags: Common & {all?: boolean}): Outcome => {
  const watch = await world.watch();
  watch.registry.prune(watch.now());
  const found: {status: RunStatus; root: string}[] = [];
  for (const {run, dir, root} of watch.registry.list()) {
    const shelf = watch.shelf(dir);
    const status = await statusOf({watch, shelf, run, newest: () => undefined, own: world.env.CKPT_RUN});
    if (status?.ok) found.push({status: status.value, root});
  }
  const live = found.filter(({status}) => status.standing === 'live');
  const shown = flags.all ? found : [...live, ...found.filter((one) => !live.includes(one)).slice(0, ENDED_SHOWN)];
  const at = {now: watch.now(), width: watch.screen.columns()};
  if (flags.json) world.out(json(shown.map(({status, root}) => ({...status, root}))));
  else if (shown.length === 0) world.err('no run is known; each is listed from its start on\n');
  else world.out(shown.map(({status, root}) => `${runLine(status, root, at)}\n`).join(''));
  return done;
};

const ENDED_SHOWN = 10;
