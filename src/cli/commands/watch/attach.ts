// `ckpt attach [run]`: a run that was started with --detach, in this terminal, until Ctrl-] d.

import {type Failure, fail, ok, type Result} from '../../../core/failure.ts';
import {outcomeWords} from '../../../report/messages.ts';
import type {WatchPort} from '../../../watch/ports.ts';
import {goOnWords} from '../../../watch/status-words.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';
import {type Chosen, chooseRun} from './choose-run.ts';
import {choose} from './stop.ts';

export const attach = async (world: World, wanted: string | undefined, flags: Common): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const watch = await world.watch();
  if (!watch.screen.terminal || !watch.keyboard) return fail(noTerminal);
  const chosen = await chooseDetached(world, watch, {dir: opened.value.dir, wanted});
  if (!chosen.ok) return chosen;
  const socket = socketOf(chosen.value, world.env.CKPT_RUN);
  if (!socket.ok) return socket;
  const {record, shelf} = chosen.value;
  const left = await watch.view(socket.value);
  if (left.is === 'refused') return fail(unreachable(record.run, `${socket.value}: ${left.code}`));
  if (left.is === 'detached') {
    world.out(`ckpt: run ${record.run} goes on without this terminal; ckpt attach ${record.run} shows it again\n`);
    return done;
  }
  return told(world, await ending(watch, {shelf, record}));
};

interface Place {
  dir: string;
  wanted: string | undefined;
}

/** Without a name: the one detached run that is alive here. */
const chooseDetached = async (world: World, watch: WatchPort, {dir, wanted}: Place): Promise<Result<Chosen>> => {
  if (wanted !== undefined) return chooseRun(watch, {dir, wanted, own: undefined});
  const live = await choose(world, watch, {dir, wanted, all: true});
  if (!live.ok) {
    // The one that was meant may be lost: then that is what is to be told.
    const newest = await chooseRun(watch, {dir, wanted, own: undefined});
    return newest.ok && newest.value.record.state !== 'over' ? newest : live;
  }
  const detached = live.value.filter(({record}) => record.detached !== undefined);
  const [first, ...others] = detached.length > 0 ? detached : live.value;
  if (first === undefined) throw new Error('Internal error: no live run among the live ones.');
  return others.length === 0 ? ok(first) : fail(several([first, ...others]));
};

const socketOf = ({record, alive}: Chosen, own: string | undefined): Result<string> => {
  const {run, state, outcome, pid, detached} = record;
  if (run === own) return fail(inside(run));
  if (state === 'over') return fail(isOver(run, outcome === undefined ? 'over' : outcomeWords(outcome)));
  if (!alive) return fail(lost(run));
  if (detached === undefined) return fail(inTerminal(run, pid));
  return detached.socket === undefined ? fail(unreachable(run, 'it could not open its socket')) : ok(detached.socket);
};

/** So long a run may take from closing its socket to writing how it ended. */
const ENDING_MS = 20_000;
const LOOK_MS = 100;

type Ending = {is: 'over'; words: string; run: string} | {is: 'lost'; run: string} | {is: 'alive'; run: string};

const ending = async (watch: WatchPort, {shelf, record}: Omit<Chosen, 'alive'>): Promise<Ending> => {
  const {run} = record;
  const until = watch.now() + ENDING_MS;
  for (;;) {
    const alive = await watch.isAlive(record);
    const now = shelf.record(run);
    if (now !== undefined && !('broken' in now) && now.state === 'over') {
      return {is: 'over', run, words: now.outcome === undefined ? 'over' : outcomeWords(now.outcome)};
    }
    if (!alive) return {is: 'lost', run};
    if (watch.now() >= until || !(await watch.pause(LOOK_MS))) return {is: 'alive', run};
  }
};

const told = (world: World, end: Ending): Result<undefined> => {
  if (end.is === 'lost') return fail(lost(end.run));
  if (end.is === 'alive') return fail(unreachable(end.run, 'it has closed the connection'));
  world.out(`ckpt: run ${end.run} is over: ${end.words}\n`);
  return done;
};

const noTerminal: Failure = {
  is: 'bad-usage',
  what: 'ckpt attach needs a terminal for its input and its output',
  fix: 'ckpt status and ckpt log -f tell about a run without one',
};

const several = (live: Chosen[]): Failure => ({
  is: 'bad-usage',
  what: `${live.length} runs are alive here: ${live.map(({record}) => record.run).join(', ')}`,
  fix: 'name one of them',
});

const inside = (run: string): Failure => ({
  is: 'bad-usage',
  what: `this terminal is inside run ${run}: it would show itself to itself`,
  fix: 'attach from another terminal',
});

const isOver = (run: string, words: string): Failure => ({
  is: 'not-found',
  what: `run ${run} is over: ${words}`,
  fix: `ckpt why ${run} and ckpt replay ${run} tell about it; if it was parked, go on with ${goOnWords(run)}`,
});

const lost = (run: string): Failure => ({
  is: 'not-found',
  what: `run ${run} has lost its ckpt-run (it was killed, or the machine went down); its checkpoints are all there`,
  fix: `go on with: ${goOnWords(run)}`,
});

const inTerminal = (run: string, pid: number | undefined): Failure => ({
  is: 'bad-usage',
  what: `run ${run} was not started with --detach: it is in the terminal of process ${pid ?? '?'}`,
  fix: `look there, or at ckpt log -f ${run}`,
});

const unreachable = (run: string, why: string): Failure => ({
  is: 'system',
  doing: `attach to run ${run}`,
  code: 'ENOTCONN',
  message: `${why}. It goes on; ckpt status shows it, ckpt stop ${run} ends it`,
});
