// `ckpt-run …` from its words to its exit code. Everything of the machine is handed in; src/ckpt-run.ts has the real one.

import type {Adapter, AgentCode, ParsedArgv} from '../adapter/adapter.ts';
import {parseArgv, splitProgram} from '../adapter/argv.ts';
import type {Config} from '../config/config.ts';
import type {Notice} from '../core/effects.ts';
import type {ExitStatus} from '../core/events.ts';
import {exitCodeOf, exitCodes, type Failure, fail, ok, type Result} from '../core/failure.ts';
import {millis, parseTrack, type RunId, runId} from '../core/ids.ts';
import {codeOfExit, codeOfOutcome} from '../core/outcome.ts';
import type {Outcome} from '../core/state.ts';
import type {LaunchSpec, Stage} from '../ports.ts';
import {failureWords} from '../report/messages.ts';
import {closedTrack} from '../report/refusals.ts';
import {leftWords, summaryWords} from '../report/summary.ts';
import {ckptWords} from '../run/leg/launch.ts';
import {type AgentPlan, type Ports, planAfter, type RunPlan} from '../run/plan.ts';
import {takeOver} from '../run/post-mortem.ts';
import {runLoop} from '../run/run-loop.ts';
import type {RunRemains} from '../watch/run-remains.ts';
import {type Asked, scrubbed, versionIfAsked} from './agent-version.ts';
import {dryRunText} from './dry-run.ts';
import {type ReplayWorld, replayCommand} from './replay-command.ts';
import {goesOnWith, type RunOptions, readRunOptions} from './run-options.ts';
import {cannotHold, policyOf} from './run-policy.ts';
import {chooseStart, type RunStart, type StartStore} from './run-start.ts';
import {findTakeovers} from './takeovers.ts';

export interface Left {
  run: RunId;
  remains: RunRemains;
}

export interface RunWorld extends ReplayWorld {
  env: Record<string, string | undefined>;
  version: string;
  platform: string;
  cwd: string;
  /** Are stdin and stdout terminals? */
  terminal: boolean;
  /** Starts the same words without a terminal, and says so; undefined when that has been done: we are it. */
  detach: ((words: string[], json: boolean) => Promise<number>) | undefined;
  now(): number;
  random(): string;
  findBinary(adapter: Adapter, program: string | undefined): Result<{file: string; args: string[]}>;
  runBare(spec: LaunchSpec): Promise<ExitStatus>;
  /** What the agent says to `--version`. */
  askVersion(spec: LaunchSpec): Promise<string | undefined>;
  openGround(options: {
    repoRoot: string | undefined;
    checkpointDir: string | undefined;
  }): Promise<Result<StartStore & {config: Config}>>;
  /** A run that can go on: parked, or without its supervisor. */
  findLeft(dir: string, run: string | undefined): Promise<Result<Left>>;
  openStage(options: {streams: boolean}): Promise<Stage>;
  openPorts(
    ground: StartStore,
    stage: Stage,
    options: {run: RunId; record: boolean; title: string; agent: string},
  ): Promise<Omit<Ports, 'notice'>>;
  /** What goes on around a run and decides nothing. */
  openAround(options: {
    ground: StartStore;
    stage: Stage;
    about: {run: RunId; track: string; agent: string; attended: boolean};
    awake: boolean;
  }): Promise<{notice(notice: Notice): void; end(outcome: Outcome): Promise<void>}>;
  relay: string;
  /** The `ckpt` program, which the run makes callable for its agent. */
  makeTool(runDir: string): string;
}

export const runCommand = async (words: string[], world: RunWorld): Promise<number> => {
  const options = readRunOptions(words, world, world.version);
  if (typeof options === 'number') return options;
  const refused = (failure: Failure): number => {
    world.err(`ckpt-run: ${failureWords(failure)}\n`);
    return exitCodeOf(failure);
  };
  if (options.replay !== undefined) {
    const replayed = await replayCommand(options.replay, options, world);
    return replayed.ok ? 0 : refused(replayed.failure);
  }
  if (world.platform === 'win32') return refused({is: 'unsupported-platform', platform: 'Windows'});
  const detach = options.detach && !options.dryRun ? world.detach : undefined;
  if (options.continueRun !== undefined) return detach?.(words, options.json) ?? continueRun({options, world, refused});
  const agent = await findAgent(options, world);
  if (!agent.ok) return refused(agent.failure);
  const {adapter, binary, args, parsed} = agent.value;
  const bare = (): Promise<ExitStatus> =>
    world.runBare({
      file: binary.file,
      args: [...binary.args, ...args],
      env: scrubbed(world.env, adapter),
      cwd: world.cwd,
    });
  if (parsed.kind === 'pass') return codeOfExit(await bare());
  if (options.approveOutsideEffects && adapter.code === 'none') return refused(cannotHold(adapter));
  if (world.env.CKPT_RUN) {
    world.err(`ckpt-run: already inside run ${world.env.CKPT_RUN}; it watches over this agent too: stepping aside\n`);
    return codeOfExit(await bare());
  }
  if (detach !== undefined) return detach(words, options.json);
  return superviseRun({options, world, adapter, binary, parsed, refused, words, left: undefined});
};

interface Agent {
  adapter: Adapter;
  binary: {file: string; args: string[]};
  args: string[];
  parsed: ParsedArgv;
}

const findAgent = async (options: RunOptions, world: RunWorld): Promise<Result<Agent>> => {
  const adapter = world.findAdapter(options.agent);
  if (!adapter.ok) return adapter;
  const {program, args} = splitProgram(adapter.value, options.args);
  if (adapter.value.binary.names.length === 0 && program === undefined) {
    const fix = 'name it after the word generic: ckpt-run generic ./my-agent --its flags';
    return fail({is: 'bad-usage', what: 'which program?', fix});
  }
  const binary = world.findBinary(adapter.value, program);
  if (!binary.ok) return binary;
  return ok({adapter: adapter.value, binary: binary.value, args, parsed: parseArgv(args, adapter.value.argv)});
};

/** By the words with which it was started; whoever wants other limits now says so now. */
const continueRun = async ({
  options,
  world,
  refused,
}: Pick<Supervised, 'options' | 'world' | 'refused'>): Promise<number> => {
  const opened = await world.openGround(options);
  if (!opened.ok) return refused(opened.failure);
  const left = await world.findLeft(opened.value.dir, options.continueRun === true ? undefined : options.continueRun);
  if (!left.ok) return refused(left.failure);
  const {words} = left.value.remains;
  const track = parseTrack(left.value.remains.track);
  const newest = track === undefined ? undefined : await opened.value.latest(track);
  if (newest?.closed !== undefined) return refused(closedTrack(newest.track, newest.closed));
  const then = readRunOptions(words, world, world.version);
  if (typeof then === 'number') return then;
  const asked = goesOnWith(then, options);
  const agent = await findAgent(asked, world);
  if (!agent.ok) return refused(agent.failure);
  const {adapter, binary, parsed} = agent.value;
  if (parsed.kind === 'pass') {
    return refused({
      is: 'bad-config',
      file: 'run.json',
      line: undefined,
      what: 'it tells of no run',
      fix: 'start anew',
    });
  }
  return superviseRun({options: asked, world, adapter, binary, parsed, refused, words, left: left.value});
};

interface Supervised {
  /** What is left of the run that goes on. */
  left: Left | undefined;
  words: string[];
  options: RunOptions;
  world: RunWorld;
  adapter: Adapter;
  binary: {file: string; args: string[]};
  parsed: Extract<ParsedArgv, {kind: 'run'}>;
  refused(failure: Failure): number;
}

type Ground = StartStore & {config: Config};
type Draft = Omit<RunPlan, 'ckptBin' | 'code' | 'takeovers'>;

const superviseRun = async (given: Supervised): Promise<number> => {
  const {options, world, parsed, refused, left} = given;
  const opened = await world.openGround(options);
  if (!opened.ok) return refused(opened.failure);
  const ground = opened.value;
  const asked = left === undefined ? options : {...options, track: left.remains.track, fresh: true};
  const takeovers = await findTakeovers(options.takeover, given, world);
  if (!takeovers.ok) return refused(takeovers.failure);
  const start = await chooseStart(ground, {options: asked, prompt: parsed.prompt, terminal: world.terminal});
  if (!start.ok) return refused(start.failure);
  try {
    const plan = planOf(given, ground, start.value);
    if (options.dryRun) {
      world.out(dryRunText(plan, options.json));
      return 0;
    }
    const prepared = ground.prepare();
    if (!prepared.ok) return refused(prepared.failure);
    const stage = await world.openStage({streams: parsed.streams});
    try {
      const first = prepared.value === 'new';
      return await runOn(stage, {given, ground, plan, takeovers: takeovers.value, first});
    } finally {
      stage.close();
    }
  } catch (error) {
    world.err(`ckpt-run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return exitCodes.internal;
  } finally {
    start.value.release();
  }
};

const planOf = (
  {options, world, adapter, binary, parsed, words, left}: Supervised,
  ground: Ground,
  start: RunStart,
): Draft => {
  const {track, setCurrent, continues} = start;
  const startedAt = left === undefined ? ground.now() : millis(left.remains.startedAt);
  const {headless} = parsed;
  const policy = policyOf(options, {config: ground.config, adapter, headless, terminal: world.terminal});
  return {
    ...{run: left?.run ?? runId(startedAt, world.random()), startedAt, track, setCurrent, policy, continues},
    ...{adapter, parsed, binary, version: undefined, prompt: parsed.prompt, words, remains: undefined},
    ...{cwd: left?.remains.cwd ?? world.cwd, env: world.env, checkpointDir: ground.dir, relay: world.relay},
    allowCkpt: options.allowCkpt,
  };
};

interface OnStage {
  given: Supervised;
  ground: Ground;
  plan: Draft;
  takeovers: AgentPlan[];
  /** Of all in this repository. */
  first: boolean;
}

/** The run itself, on a stage that is open. */
const runOn = async (stage: Stage, {given, ground, plan, takeovers, first}: OnStage): Promise<number> => {
  const {options, world, adapter, refused, left} = given;
  const {run, track, policy} = plan;
  const about = {run, track, agent: adapter.name, attended: policy.attended};
  const around = await world.openAround({ground, stage, about, awake: options.keepAwake});
  const title = `ckpt-run ${adapter.name}`;
  const opened = await world.openPorts(ground, stage, {run, record: options.record, title, agent: adapter.name});
  const ports: Ports = {...opened, notice: around.notice};
  const code = await world.loadCode(adapter);
  if (first) stage.tell(firstWords(plan, ground) + allowWords(plan, code));
  const versionOf = (agent: Asked): Promise<string | undefined> => versionIfAsked({...plan, ...agent}, ports, world);
  const others = takeovers.map(async (agent) => ({...agent, version: await versionOf(agent)}));
  const whole = {
    ...{...plan, code, ckptBin: world.makeTool(ports.files.dir)},
    ...{version: await versionOf(plan), takeovers: await Promise.all(others)},
  };
  const taken = left?.remains.ledger.takenOver.length ?? 0;
  const remains = left === undefined ? ok(undefined) : await takeOver(planAfter(whole, taken), ports, left.remains);
  if (!remains.ok) {
    stage.close();
    return refused(remains.failure);
  }
  const {outcome, summary} = await runLoop({...whole, remains: remains.value}, ports);
  stage.close();
  await around.end(outcome);
  if (options.json) world.err(`${JSON.stringify(summary)}\n`);
  else if (summary.legs > 1 || outcome.is === 'parked' || outcome.is === 'spawn-failed') {
    world.err(`ckpt-run: ${summaryWords(summary)}\n`);
  }
  const running = leftWords(summary);
  if (running !== undefined && !options.json) world.err(`ckpt-run: ${running}\n`);
  return codeOfOutcome(outcome);
};

/** Told once per repository, at the first run. */
const firstWords = ({adapter}: {adapter: Adapter}, {dir, inGit}: StartStore): string =>
  `ckpt-run: watching over ${adapter.name}; checkpoints and the run's records go to ${dir}${inGit ? ' (kept out of your commits)' : ''}. Quit the agent as always to stop.`;

/** The only thing that we ever approve in the person's place: said before it holds. */
const allowWords = ({allowCkpt}: {allowCkpt: boolean}, {canAllow}: AgentCode): string =>
  allowCkpt && canAllow
    ? ` It may call ckpt ${ckptWords.join(', ')} without asking you, and nothing else (--no-allow-ckpt: it asks).`
    : '';
