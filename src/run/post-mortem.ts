// The checkpoint of a leg whose supervisor died with it. The pty was closed by the kernel, the agent got SIGHUP, its log
// is on disk: facts are read from there and from the hooks that nobody took out of the spool any more.

import {type LegFacts, openCall} from '../baton/facts.ts';
import {fail, ok, type Result} from '../core/failure.ts';
import type {CheckpointId, LegNumber} from '../core/ids.ts';
import type {Dead, Death} from '../core/state.ts';
import type {Remains} from '../core/transition.ts';
import type {RunRemains} from '../watch/run-remains.ts';
import {type Captured, capture} from './capture.ts';
import type {Ports, RunPlan} from './plan.ts';

/** What the core needs to let the run go on. A checkpoint that is there already is not made again. */
export const takeOver = async (plan: RunPlan, ports: Ports, left: RunRemains): Promise<Result<Remains>> => {
  const {leg, ledger, state} = left;
  if (state === 'over') return ok({leg, ledger, dead: undefined});
  if (state === 'stopping' || state === 'restoring' || state === 'resting') {
    await ports.processes.end(await ports.processes.ofLeg(plan.run, leg));
    return ok({leg, ledger, dead: {death: supervisorGone(ports), progress: false}});
  }
  const found = await postMortem(plan, ports, left);
  return found.ok
    ? ok({leg, ledger: {...ledger, checkpoint: found.captured.id}, dead: found.dead})
    : fail(found.failure);
};

const supervisorGone = (ports: Ports): Death => ({
  cause: 'killed',
  at: ports.clock.now(),
  evidence: [{channel: 'process', detail: 'the supervisor of the run is gone'}],
  exit: undefined,
  notBefore: undefined,
});

interface DeadLeg {
  leg: LegNumber;
  sessionLog: string | undefined;
}

type PostMortem = {ok: true; captured: {id: CheckpointId}; dead: Dead} | Extract<Captured, {ok: false}>;

const postMortem = async (plan: RunPlan, ports: Ports, {leg, sessionLog}: DeadLeg): Promise<PostMortem> => {
  const death = supervisorGone(ports);
  // What is left of it may still write: the agent itself, if its hangup takes long, and the tools of its open call.
  await ports.processes.end(await ports.processes.ofLeg(plan.run, leg));
  const reader = plan.code.newLogReader();
  const tail = sessionLog === undefined ? undefined : ports.tail.follow(sessionLog, (line) => void reader.feed(line));
  const spool = ports.openSpool(`${ports.files.spool}/leg-${String(leg).padStart(3, '0')}`);
  const unwatch = spool.watch(({name, payload}) => {
    const {news} = plan.code.readHook(name, payload);
    if (news !== undefined) reader.note(ports.clock.now(), news);
  });
  try {
    const facts = (): LegFacts => reader.facts();
    const log = () =>
      sessionLog === undefined ? undefined : {path: sessionLog, offset: tail?.offset() ?? 0, sessionId: ''};
    const settle = async (): Promise<void> => {
      spool.look();
      await tail?.flush();
    };
    const captured = await capture(plan, ports, {
      ...{leg, trigger: 'death', death, before: Promise.resolve(undefined)},
      watch: {facts, log, settle},
    });
    if (!captured.ok) return captured;
    if (captured.id === undefined) throw new Error('Internal error: the checkpoint of a death was skipped');
    // How the tree stood before is not known: a leg that finished calls, or was in the midst of one, did something.
    const progress = captured.progress || facts().callCount > 0 || openCall(facts()) !== undefined;
    return {ok: true, captured, dead: {death, progress}};
  } finally {
    unwatch();
    tail?.close();
  }
};
