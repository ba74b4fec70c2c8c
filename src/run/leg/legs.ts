// One leg's things: its process, its spool, what is watched, and the hook that waits for our answer.

import type {HookPlan} from '../../adapter/adapter.ts';
import {exitMeaning} from '../../adapter/exit.ts';
import type {Checkpoint, ProcessNote} from '../../baton/checkpoint.ts';
import {protocolText} from '../../baton/protocol.ts';
import type {ExitStatus, RunEvent} from '../../core/events.ts';
import {type Failure, fail, ok, type Result} from '../../core/failure.ts';
import type {LegNumber} from '../../core/ids.ts';
import type {AgentProcess, GitFacts, ProcessRef, Spool, SpoolItem} from '../../ports.ts';
import {legStartText} from '../../report/leg-start.ts';
import {findLog} from '../find-log.ts';
import {keepLookout, type Lookout} from '../lookout/lookout.ts';
import {leftBehind, leftNotes, openTools} from '../lookout/tool-processes.ts';
import type {Ports, RunPlan} from '../plan.ts';
import {holdCalls} from './held-calls.ts';
import {givenSession, launchSpec} from './launch.ts';
import {legContext} from './leg-context.ts';
import {watchState} from './leg-state.ts';
import {type LegWatch, type WatchPlan, watchLeg} from './leg-watch.ts';

export interface Leg {
  readonly number: LegNumber;
  readonly process: AgentProcess;
  readonly watch: LegWatch;
  /** How its process ended, once it has. */
  exit(): ExitStatus | undefined;
  /** How the tree stood when it began. */
  readonly before: Promise<GitFacts | undefined>;
  /** Answers the hook that holds the agent, if one does. */
  answer(answer: 'allow' | 'veto'): void;
  /** Lets a call go on that waits in its hook, or refuses it. */
  answerCall(call: string, answer: 'go' | 'deny', why: string): void;
  /** What the next start of a session inside this leg gives to the agent. */
  setContext(text: string): void;
  /** Says it to the agent inside its turn, with its next tool call, where it has such a hook. */
  hint(text: string): void;
  /** The processes of the open tool call, if one is open: not the agent's own, not the background ones of earlier calls. */
  openTools(): Promise<ProcessRef[]>;
  /** The background processes of finished calls, of this leg and those before; and the same for the baton. */
  leftBehind(): Promise<ProcessRef[]>;
  leftNotes(): Promise<ProcessNote[]>;
  close(): void;
}

export interface LegWorld {
  plan: RunPlan;
  ports: Ports;
  post(event: RunEvent): void;
  onFault(what: string): void;
}

export interface LegBegin {
  number: LegNumber;
  prompt: string | undefined;
  /** What it is to take up. */
  baton: Checkpoint | undefined;
  /** Hashes of our hooks as the agent itself has told them. */
  trusted?: HookPlan['trusted'];
}

export const startLeg = (world: LegWorld, {number, prompt, baton, trusted}: LegBegin): Result<Leg> => {
  const {plan, ports, post} = world;
  const {clock, stage} = ports;
  const dir = legSpool(ports, number);
  const sessionId = givenSession(plan, prompt !== undefined, ports.newUuid());
  const noted = noteStart(ports, {number, prompt, sessionId});
  if (!noted.ok) return noted;
  const spool = noted.value;
  const context = openContext(plan, spool);
  const watch = watchLeg(watchPlan(world, number, () => lookout));
  let lookout: Lookout | undefined;
  const hold = holdHook(plan, spool);
  const calls = holdCalls({plan, ports, spool, leg: number, post});
  let ended: ExitStatus | undefined;
  const unwatch = spool.watch((item) => {
    hold.take(item);
    calls.take(item);
    attempt(() => context?.onHook(item));
    watch.onHook(item);
  });
  const spec = launchSpec(plan, {
    ...{leg: number, spool: dir, prompt, trusted, sessionId, readFile: ports.readFile},
    promptFile: `${ports.files.dir}/leg-${legName(number)}/baton.md`,
  });
  const before = ports.workspace.facts().catch(() => undefined);
  const judge = async (exit: ExitStatus): Promise<void> => {
    ended = exit;
    stage.settle();
    await drained(spool, watch);
    post({type: 'agent-exited', at: clock.now(), leg: number, exit, meaning: exitMeaning(plan.adapter, exit)});
  };
  const offs = [watch.close, unwatch];
  const close = (): void => {
    for (const off of offs) off();
  };
  const {onOutput, onResize} = watch;
  const started = stage.start(spec, {onOutput, onResize, onExit: (exit) => void judge(exit)});
  if (!started.ok) {
    close();
    return fail(started.failure);
  }
  const process = started.value;
  const tools = {plan, ports, watch, process, number};
  lookout = keepLookout({...tools, env: spec.env, post, baton});
  const of = {plan, ports, watch, env: spec.env, pid: process.pid};
  offs.push(lookout.close, followState(of), findLog({...of, leg: number, hooked: hold.came}));
  return ok({
    ...{number, process, watch, before, close, exit: () => ended},
    answer: hold.answer,
    answerCall: calls.answer,
    hint: (text) => giveHint(plan, spool, text),
    setContext: (text) => attempt(() => context?.inject(text)),
    openTools: () => openTools(tools),
    leftBehind: () => leftBehind(tools),
    leftNotes: () => leftNotes(tools),
  });
};

/**
 * Before it is there: after us nobody would know of it, and what it has done would be done again; and an agent whose hooks
 * have no place to go would be watched by nobody.
 */
const noteStart = (
  {files, clock, openSpool}: Ports,
  {number, prompt, sessionId}: Pick<LegBegin, 'number' | 'prompt'> & {sessionId: string | undefined},
): Result<Spool> => {
  try {
    const spool = openSpool(`${files.spool}/leg-${legName(number)}`);
    const isNoted =
      (prompt === undefined || files.writeLeg(number, 'baton.md', prompt)) &&
      files.writeLeg(number, 'start.json', legStartText({at: clock.now(), sessionId}));
    return isNoted ? ok(spool) : fail(noNote(files.dir, 'is the disk full?'));
  } catch (error) {
    return fail(noNote(files.dir, error instanceof Error ? error.message : String(error)));
  }
};

const noNote = (path: string, why: string): Failure => ({
  is: 'store-unusable',
  path,
  what: `the start of an agent cannot be noted there, so none is started: ${why}`,
});

const watchPlan = (
  {plan, ports, post, onFault}: LegWorld,
  leg: LegNumber,
  lookout: () => Lookout | undefined,
): WatchPlan => ({
  ...{leg, adapter: plan.adapter, code: plan.code, clock: ports.clock, tail: ports.tail},
  ...{openScreen: ports.openScreen, onFault, onLife: () => lookout()?.heard()},
  onNoHooks: () => sayNoHooks({plan, ports, number: leg}),
  post: (signal) => {
    lookout()?.see(signal);
    post(signal);
  },
});

/** Drain before you judge: the last hooks and the last lines of the log come first. */
const drained = async (spool: Spool, watch: LegWatch): Promise<void> => {
  attempt(() => spool.look());
  await watch.settle().catch(() => undefined);
};

const openContext = (plan: RunPlan, spool: Spool): ReturnType<typeof legContext> | undefined => {
  const protocol = protocolText({ckptBin: plan.ckptBin, dir: plan.checkpointDir, track: plan.track});
  return attempt(() => legContext(spool, protocol));
};

const legName = (number: LegNumber): string => String(number).padStart(3, '0');

export const legSpool = (ports: Ports, number: LegNumber): string => `${ports.files.spool}/leg-${legName(number)}`;

const giveHint = ({code}: RunPlan, spool: Spool, text: string): void => {
  const said = code.hint?.(text);
  if (said !== undefined) attempt(() => spool.give(said));
};

/** At most one hook holds the agent at a time: the one before a compaction. */
const holdHook = ({code}: RunPlan, spool: Spool) => {
  let held: SpoolItem | undefined;
  let came = false;
  return {
    /** Has any hook come? */
    came: () => came,
    take: (item: SpoolItem): void => {
      came = true;
      if (item.name === 'PreCompact') held = item;
    },
    answer: (answer: 'allow' | 'veto'): void => {
      if (held === undefined) return;
      spool.answer(held.id, code.hookAnswer(held.name, answer));
      held = undefined;
    },
  };
};

interface OfProcess extends Pick<LegWorld, 'plan' | 'ports'> {
  watch: LegWatch;
  env: Record<string, string>;
  pid: number;
}

const followState = ({plan, ports, watch, env, pid}: OfProcess): (() => void) => {
  const {state} = plan.code;
  if (state === undefined) return () => {};
  return watchState({
    ...{state, env, pid, clock: ports.clock, readFile: ports.readFile, findBelow: ports.findBelow},
    followed: () => watch.log()?.sessionId,
    ...{take: watch.onState, follow: watch.follow, onAlive: watch.onAlive},
  });
};

/** Said in every leg's journal, and to the person when the screen is theirs again. */
const sayNoHooks = ({plan, ports, number}: Pick<LegWorld, 'plan' | 'ports'> & {number: LegNumber}): void => {
  const {clock, files, stage} = ports;
  const at = new Date(clock.now()).toISOString();
  files.journal({at, run: plan.run, leg: number, event: 'hooks-off'});
  stage.tell(
    `ckpt-run: ${plan.adapter.name} runs none of our hooks (switched off by a flag or a setting); leg ${number} is watched by its session log, its state and its screen, so a compaction is seen only when it is done`,
  );
};

/** The spool is a folder of files: a full disk takes hooks and requests away, not the agent. */
const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch {
    return undefined;
  }
};
