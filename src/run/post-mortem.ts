// The checkpoint of a leg whose supervisor died with it. The pty was closed by the kernel, the agent got SIGHUP, its log
// is on disk: facts are read from there and from the hooks that nobody took out of the spool any more.

import {openCall} from '../baton/facts.ts';
import {fail, ok, type Result} from '../core/failure.ts';
import type {CheckpointId} from '../core/ids.ts';
import type {Dead, Death} from '../core/state.ts';
import type {Remains} from '../core/transition.ts';
import type {RunRemains} from '../watch/run-remains.ts';
import {type Captured, capture} from './capture.ts';
import {logOfDead} from './find-log.ts';
import type {LegWatch} from './leg/leg-watch.ts';
import {type LeftOf, leftBehind, leftNotes} from './lookout/tool-processes.ts';
import type {Ports, RunPlan} from './plan.ts';

/** What the core needs to let the run go on. A checkpoint that tells all that the leg has done is not made again. */
export const takeOver = async (plan: RunPlan, ports: Ports, left: RunRemains): Promise<Result<Remains>> => {
  const {leg, ledger, state} = left;
  return withRemains({plan, ports, left}, async (dead): Promise<Result<Remains>> => {
    const isOver = state === 'over';
    if (!isOver) await endLeg(plan, ports, dead);
    if (await isTold(ports, {plan, left, dead})) {
      return ok({leg, ledger, dead: isOver ? undefined : {death: supervisorGone(ports), progress: false}});
    }
    const found = await postMortem(plan, ports, dead);
    if (!found.ok) return fail(found.failure);
    return ok({leg, ledger: {...ledger, checkpoint: found.captured.id}, dead: isOver ? undefined : found.dead});
  });
};

/** In these states the leg's end has its checkpoint, unless the disk was full just then, or the agent went on behind it. */
const checkpointed = ['stopping', 'restoring', 'resting', 'over'];

const isTold = async (
  {store}: Ports,
  {plan, left, dead}: {plan: RunPlan; left: RunRemains; dead: DeadLeg},
): Promise<boolean> => {
  if (!checkpointed.includes(left.state)) return false;
  await dead.watch.settle();
  const log = dead.watch.log();
  // Nothing is known of it that could be told.
  if (log === undefined) return true;
  const {checkpoint: id} = left.ledger;
  const read = id === undefined ? undefined : await store.read(id);
  if (!read?.ok) return false;
  const {run, leg, conversation} = read.value;
  return run === plan.run && leg === left.leg && (conversation?.log_offset ?? 0) >= log.offset;
};

const supervisorGone = (ports: Ports): Death => ({
  cause: 'killed',
  at: ports.clock.now(),
  evidence: [{channel: 'process', detail: 'the supervisor of the run is gone'}],
  exit: undefined,
  notBefore: undefined,
});

type PostMortem = {ok: true; captured: {id: CheckpointId}; dead: Dead} | Extract<Captured, {ok: false}>;

const postMortem = async (plan: RunPlan, ports: Ports, dead: DeadLeg): Promise<PostMortem> => {
  const death = supervisorGone(ports);
  const {number: leg, watch} = dead;
  const captured = await capture(plan, ports, {
    ...{leg, trigger: 'death', death, before: Promise.resolve(undefined), watch},
    left: () => leftNotes(dead),
  });
  if (!captured.ok) return captured;
  if (captured.id === undefined) throw new Error('Internal error: the checkpoint of a death was skipped');
  // How the tree stood before is not known: a leg that finished calls, or was in the midst of one, did something.
  const progress = captured.progress || watch.facts().callCount > 0 || openCall(watch.facts()) !== undefined;
  return {ok: true, captured, dead: {death, progress}};
};

/**
 * What is left of it may still write: the agent itself, if its hangup takes long, and the tools of its open call. The
 * background processes of finished calls stay, where the log tells them from the rest.
 */
const endLeg = async (plan: RunPlan, {processes}: Ports, dead: DeadLeg): Promise<void> => {
  await dead.watch.settle();
  const all = await processes.ofLeg(plan.run, dead.number);
  const stay = plan.policy.leftovers === 'end' ? [] : (await leftBehind(dead)).map(({pid}) => pid);
  await processes.end(all.filter(({pid}) => !stay.includes(pid)));
};

/** What a dead leg still lets us see: its log, and the hooks that nobody took. */
interface DeadLeg extends LeftOf {
  watch: Pick<LegWatch, 'facts' | 'log' | 'settle'>;
}

const withRemains = async <T>(
  {plan, ports, left}: {plan: RunPlan; ports: Ports; left: RunRemains},
  act: (dead: DeadLeg) => Promise<T>,
): Promise<T> => {
  const {leg, agentPid} = left;
  const reader = plan.code.newLogReader();
  const spool = ports.openSpool(`${ports.files.spool}/leg-${String(leg).padStart(3, '0')}`);
  let told: string | undefined;
  /** Newer than the log, and so told after it. */
  let untaken: (() => void)[] = [];
  let log: {path: string; tail: ReturnType<Ports['tail']['follow']>} | undefined;
  const unwatch = spool.watch(({name, payload, at}) => {
    const {news, session} = plan.code.readHook(name, payload);
    told = session?.logPath ?? told;
    if (news !== undefined) untaken.push(() => reader.note(at ?? ports.clock.now(), news));
  });
  // Until it is ended an agent that has just been started may still begin its log: it is looked for anew each time.
  const find = async (): Promise<void> => {
    // What nobody took is newer than what was written down.
    const path = told ?? left.sessionLog ?? (await logOfDead({plan, ports, started: left.started}));
    if (path !== undefined) log = {path, tail: ports.tail.follow(path, (line) => void reader.feed(line))};
  };
  const watch: DeadLeg['watch'] = {
    facts: () => reader.facts(),
    log: () => log && {path: log.path, offset: log.tail.offset(), sessionId: ''},
    settle: async () => {
      spool.look();
      if (log === undefined) await find();
      await log?.tail.flush();
      for (const tell of untaken) tell();
      untaken = [];
    },
  };
  try {
    const process = agentPid === undefined ? undefined : {pid: agentPid};
    return await act({plan, ports, watch, process, number: leg});
  } finally {
    unwatch();
    log?.tail.close();
  }
};
