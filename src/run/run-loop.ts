// Take an event → transition → report → perform; until over. The only caller of transition, save replay/, which plays.

import type {RunEvent} from '../core/events.ts';
import type {GoBack} from '../core/go-back.ts';
import {isCheckpointId} from '../core/ids.ts';
import type {Outcome, RunState} from '../core/state.ts';
import {beginRun, resumeRun, transition} from '../core/transition.ts';
import type {Spool} from '../ports.ts';
import {journalEntry} from '../report/journal.ts';
import {newTally, type Summary} from '../report/summary.ts';
import {newInbox} from './inbox.ts';
import {Performer} from './perform.ts';
import {type Ports, planAfter, type RunPlan} from './plan.ts';

export interface RunEnd {
  outcome: Outcome;
  summary: Summary;
}

export const runLoop = async (whole: RunPlan, ports: Ports): Promise<RunEnd> => {
  const {clock, files} = ports;
  const inbox = newInbox();
  const plan = planAfter(whole, whole.remains?.ledger.takenOver.length ?? 0);
  const performer = new Performer(plan, ports, inbox.post);
  const first =
    plan.remains === undefined
      ? beginRun(clock.now(), plan.continues, plan.policy)
      : resumeRun(clock.now(), plan.remains, plan.policy);
  const tally = newTally(plan.startedAt);
  let state = first.state;
  let since = clock.now();
  let log: string | undefined;
  let agentPid: number | undefined;
  /** How the agent ended after a bug of ours had left us unable to decide. */
  let broken: Outcome | undefined;
  const note = (event: RunEvent | undefined, from: RunState | undefined): void => {
    files.journal(journalEntry({run: plan.run, at: event?.at ?? plan.startedAt, event, from, to: state}));
    const moved = from?.at !== state.at || from.leg !== state.leg;
    if (moved) since = clock.now();
    if (event?.type === 'leg-spawned') agentPid = event.pid;
    else if (from?.leg !== state.leg) agentPid = undefined;
    const isNews = performer.log(state.leg) !== log || event?.type === 'leg-spawned';
    log = performer.log(state.leg);
    if (moved || isNews || untilOf(from) !== untilOf(state)) {
      files.writeRun(runRecord(planOf(whole, state), state, {at: clock.now(), since, log, agentPid}));
    }
  };
  note(undefined, undefined);
  const offFaults = ports.onFault(performer.fault);
  const unwatch = listen(ports, performer, inbox.post);
  for (const effect of first.effects) performer.perform(effect);
  try {
    await inbox.serve(
      (event) => {
        const from = state;
        try {
          const next = transition(state, event, planOf(whole, state).policy);
          state = next.state;
          note(event, from);
          tally.see(event, state);
          for (const effect of next.effects) performer.perform(effect);
        } catch (error) {
          // A bug of ours must not end the agent: it goes on bare. When it has ended nobody is left to wait for.
          performer.fault(`${event.type}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
          const exit = performer.exit();
          if (exit !== undefined) broken = {is: 'gave-up', exit, why: 'a fault of ckpt-run'};
        }
      },
      () => state.at === 'over' || broken !== undefined,
    );
    const outcome = broken ?? (await performer.finished);
    return {
      outcome,
      summary: tally.facts(outcome, clock.now(), {processes: performer.left(), handoffs: performer.handoffs.all()}),
    };
  } finally {
    unwatch();
    offFaults();
    clock.close();
  }
};

const planOf = (plan: RunPlan, {ledger}: RunState): RunPlan => planAfter(plan, ledger.takenOver.length);

/** What comes from outside the legs: signals to us, and requests in the run's own spool. */
const listen = (ports: Ports, performer: Performer, post: (event: RunEvent) => void): (() => void) => {
  const {clock} = ports;
  const offSignals = ports.osSignals((signal) =>
    post(signal === 'hangup' ? {type: 'hangup', at: clock.now()} : {type: 'quit-asked', at: clock.now(), signal}),
  );
  const offSpool = openRequests(ports, performer)?.watch(({name, payload}) => {
    if (name === 'done') post({type: 'done-asked', at: clock.now(), note: noteOf(payload)});
    if (name === 'handoff') post({type: 'handoff-asked', at: clock.now()});
    if (name === 'approve' || name === 'deny') {
      post({type: 'approval-said', at: clock.now(), yes: name === 'approve', note: noteOf(payload)});
    }
    if (name === 'restore') askBack(payload, (back) => post({type: 'restore-asked', at: clock.now(), back}));
    if (name === 'keep-files') keepFiles(payload, performer);
    if (name === 'stop') post({type: 'quit-asked', at: clock.now(), signal: SIGTERM});
  });
  return () => {
    offSignals();
    offSpool?.();
  };
};

/** Without it nobody can ask for anything any more; the agent goes on. */
const openRequests = ({openSpool, files}: Ports, performer: Performer): Spool | undefined => {
  try {
    return openSpool(files.spool);
  } catch (error) {
    performer.fault(`requests cannot be heard: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
};

/** What `ckpt stop` asks for is what a SIGTERM means. */
const SIGTERM = 15;

/** A request that names no checkpoint is none: whoever wrote it did not go through `ckpt restore`. */
const askBack = (payload: unknown, ask: (back: GoBack) => void): void => {
  const {to, files, baton, paths} = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<
    string,
    unknown
  >;
  if (typeof to !== 'string' || !isCheckpointId(to)) return;
  const under = Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  ask({to, files: files === true, baton: baton === true, paths: under});
};

/** Asked by `ckpt snapshot` where the agent's sandbox lets nobody write to git. It decides nothing, so it is no event. */
const keepFiles = (payload: unknown, performer: Performer): void => {
  const {checkpoint} = (typeof payload === 'object' && payload !== null ? payload : {}) as {checkpoint?: unknown};
  if (typeof checkpoint === 'string' && isCheckpointId(checkpoint)) performer.keepFiles(checkpoint);
};

const noteOf = (payload: unknown): string => {
  const note = typeof payload === 'object' && payload !== null ? (payload as {note?: unknown}).note : undefined;
  return typeof note === 'string' ? note : '';
};

/** run.json: what `ckpt status` and the next start find. */
const runRecord = (
  plan: RunPlan,
  state: RunState,
  {at, since, log, agentPid}: {at: number; since: number; log: string | undefined; agentPid: number | undefined},
): object => ({
  schema_version: 1,
  run: plan.run,
  agent: plan.adapter.name,
  version: plan.version,
  ...(state.ledger.takenOver.length === 0 ? {} : {taken_over: takenOver(plan, state)}),
  argv: [plan.binary.file, ...plan.binary.args],
  // Enough to go on after this process is gone: see watch/run-remains.ts.
  words: plan.words,
  set_current: plan.setCurrent,
  session_log: log,
  agent_pid: agentPid,
  ledger: state.ledger,
  ...('death' in state ? {death: state.death} : {}),
  track: plan.track,
  cwd: plan.cwd,
  started_at: iso(plan.startedAt),
  updated_at: iso(at),
  state: state.at,
  since: iso(since),
  leg: state.leg,
  checkpoint: state.ledger.checkpoint,
  budget: budgetOf(plan, state, at),
  ...waitsOf(state),
  ...(state.at === 'over' ? {outcome: state.outcome} : {}),
});

/** Who has taken over, and with which leg. */
const takenOver = ({policy}: RunPlan, {ledger}: RunState): object[] =>
  ledger.takenOver.map((leg, at) => ({agent: policy.takeovers[at], leg}));

const untilOf = (state: RunState | undefined): string =>
  state === undefined ? '' : JSON.stringify([waitsOf(state), state.ledger.asks.length]);

/** What `ckpt status` says of it. */
const waitsOf = (state: RunState): object => {
  if ('until' in state) return {waits: {for: state.at === 'waiting' ? state.for : 'rest', until: iso(state.until)}};
  const [ask] = state.ledger.asks;
  return ask === undefined ? {} : {waits: {for: `ckpt approve or ckpt deny: ${ask.what}`, until: iso(ask.until)}};
};

/** The numbers behind "restart 3 of 5 in 15 min". */
const budgetOf = ({policy, startedAt}: RunPlan, {ledger}: RunState, at: number): object => ({
  failures: ledger.failures.filter((failed) => failed > at - policy.budget.windowMs).length,
  legs: policy.budget.legs,
  window_ms: policy.budget.windowMs,
  max_legs: policy.maxLegs,
  ends_at: iso(startedAt + policy.maxMs),
});

const iso = (at: number): string => new Date(at).toISOString();
