// `ckpt stop [run]`: asks the run through its spool; one that does not listen gets SIGTERM, which means the same.

import {type Failure, fail, ok, type Result} from '../../../core/failure.ts';
import {outcomeWords} from '../../../report/messages.ts';
import type {RunShelf, WatchPort} from '../../../watch/ports.ts';
import type {RunRecord} from '../../../watch/run-record.ts';
import {json} from '../text.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {type Chosen, chooseRun, noRun} from './choose-run.ts';

export interface StopFlags extends Common {
  all?: boolean;
  note?: string;
  /** Seconds. */
  wait?: number;
}

export const stop = async (world: World, wanted: string | undefined, flags: StopFlags): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const watch = await world.watch();
  const chosen = await choose(world, watch, {dir: opened.value.dir, wanted, all: flags.all === true});
  if (!chosen.ok) return chosen;
  const ends: Ended[] = [];
  for (const one of chosen.value) {
    const ended = await stopOne(world, watch, {...one, flags});
    if (!ended.ok) return ended;
    ends.push(ended.value);
    if (!flags.json) world.out(`${words(ended.value)}\n`);
  }
  if (flags.json) world.out(json(ends));
  return done;
};

interface Ended {
  run: string;
  /** `asked`: by the run's own agent, who would not live to see the end. */
  how: 'was over' | 'asked' | 'by request' | 'by SIGTERM';
  outcome: string | undefined;
  checkpoint: string | undefined;
}

interface Place {
  dir: string;
  wanted: string | undefined;
  all: boolean;
}

/** Without a name: the run that we are in, else the one that is alive here. */
export const choose = async (world: World, watch: WatchPort, {dir, wanted, all}: Place): Promise<Result<Chosen[]>> => {
  const own = world.env.CKPT_RUN;
  if (wanted !== undefined || own !== undefined) {
    const chosen = await chooseRun(watch, {dir, wanted: wanted ?? own, own});
    return chosen.ok ? ok([chosen.value]) : chosen;
  }
  const shelf = watch.shelf(dir);
  const live: Chosen[] = [];
  for (const run of shelf.ids()) {
    const record = shelf.record(run);
    if (record === undefined || 'broken' in record || record.state === 'over') continue;
    if (await watch.isAlive(record)) live.push({shelf, record, alive: true});
  }
  if (live.length === 0) return fail(shelf.ids().length === 0 ? noRun(dir) : nothingLive(dir));
  return live.length > 1 && !all ? fail(several(live)) : ok(live);
};

const nothingLive = (dir: string): Failure => ({
  is: 'not-found',
  what: `no run is alive here (${dir})`,
  fix: 'ckpt runs lists the runs of all repositories',
});

const several = (live: Chosen[]): Failure => ({
  is: 'bad-usage',
  what: `${live.length} runs are alive here: ${live.map(({record}) => record.run).join(', ')}`,
  fix: 'name one of them, or stop them --all',
});

/** So long a run may take to hear a request before it is told by a signal. */
const HEARD_MS = 3000;
const LOOK_MS = 100;
/** An agent has up to 12 s to end, and the last checkpoint takes its time. */
const WAIT_S = 60;

const stopOne = async (
  world: World,
  watch: WatchPort,
  {shelf, record, alive, flags}: Chosen & {flags: StopFlags},
): Promise<Result<Ended>> => {
  const {run} = record;
  const own = world.env.CKPT_RUN === run;
  if (record.state === 'over' || (!alive && !own)) return ok(ended(record, 'was over'));
  shelf.markStopped(run, watch.now());
  const asked = world.request(`${shelf.folder(run)}/spool`, 'stop', {note: flags.note ?? ''});
  if (own) return asked.ok ? ok(ended(record, 'asked')) : asked;
  const end = {shelf, record, until: watch.now() + HEARD_MS};
  const heard = asked.ok && (await waitFor(watch, end, ({state}) => state === 'finishing' || state === 'over'));
  const signalled = !heard && (await watch.askToEnd(record));
  const until = watch.now() + (flags.wait ?? WAIT_S) * 1000;
  if (!(await waitFor(watch, {shelf, record, until}, () => false))) return fail(stillThere(record, flags));
  return ok(ended(now(shelf, record), signalled ? 'by SIGTERM' : 'by request'));
};

interface Waiting {
  shelf: RunShelf;
  record: RunRecord;
  until: number;
}

/** True when its process is gone, or its record says what was waited for. */
const waitFor = async (
  watch: WatchPort,
  {shelf, record, until}: Waiting,
  is: (record: RunRecord) => boolean,
): Promise<boolean> => {
  for (;;) {
    if (is(now(shelf, record)) || !(await watch.isAlive(record))) return true;
    if (watch.now() >= until || !(await watch.pause(LOOK_MS))) return false;
  }
};

const now = (shelf: RunShelf, before: RunRecord): RunRecord => {
  const read = shelf.record(before.run);
  return read === undefined || 'broken' in read ? before : read;
};

const ended = ({run, outcome, checkpoint, state}: RunRecord, how: Ended['how']): Ended => ({
  run,
  how,
  outcome:
    outcome === undefined ? (how === 'asked' ? undefined : `it was ${state} to the last`) : outcomeWords(outcome),
  checkpoint,
});

const words = ({run, how, outcome, checkpoint}: Ended): string => {
  if (how === 'asked') return `run ${run} was asked to end`;
  const said = how === 'was over' ? 'is not alive' : `was stopped ${how}`;
  const saved = checkpoint === undefined ? '' : `; last checkpoint ${checkpoint}`;
  return `run ${run} ${said}: ${outcome ?? 'no outcome was written'}${saved}`;
};

const stillThere = ({run, pid, state}: RunRecord, {wait = WAIT_S}: StopFlags): Failure => ({
  is: 'system',
  doing: `stop run ${run}`,
  code: 'ETIMEDOUT',
  message: `it was asked, but its process ${pid ?? ''} still lives after ${wait} s (it was ${state}); look with ckpt status`,
});
