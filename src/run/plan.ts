// What one run knows from its start to its end. Made by the command line, used by everything in this room.

import type {Adapter, AgentCode, ParsedArgv} from '../adapter/adapter.ts';
import type {Notice} from '../core/effects.ts';
import type {Result} from '../core/failure.ts';
import type {GoBack} from '../core/go-back.ts';
import type {CheckpointId, LegNumber, Millis, RunId, Track} from '../core/ids.ts';
import type {Policy} from '../core/policy.ts';
import type {Remains} from '../core/transition.ts';
import type {
  Answer,
  CheckpointStore,
  Clock,
  FoundLog,
  Keeper,
  LogQuery,
  LogTail,
  Processes,
  Question,
  RunFiles,
  SharedWait,
  Spool,
  Stage,
  Workspace,
} from '../ports.ts';
import type {WatchPlan} from './leg/leg-watch.ts';

/** One agent: the person's own, or one that may take over. */
export interface AgentPlan {
  adapter: Adapter;
  code: AgentCode;
  parsed: Extract<ParsedArgv, {kind: 'run'}>;
  binary: {file: string; args: string[]};
  /** As `--version` told, when it was asked. */
  version: string | undefined;
}

export interface RunPlan extends AgentPlan {
  run: RunId;
  startedAt: Millis;
  track: Track;
  setCurrent: boolean;
  policy: Policy;
  /** Who may take over, in this order. */
  takeovers: AgentPlan[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** The person's prompt, in their own words. */
  prompt: string | undefined;
  /** The baton that leg 1 takes up. */
  continues: CheckpointId | undefined;
  /** The same run goes on: what is left of it. */
  remains: Remains | undefined;
  /** Options of ckpt-run that a continued run takes over. */
  words: string[];
  /** Absolute. */
  checkpointDir: string;
  /** How the agent calls `ckpt`: absolute, since login shells reset PATH. */
  ckptBin: string;
  relay: string;
  /** May the agent call its checkpoint commands without a permission prompt? */
  allowCkpt: boolean;
}

/** For whom it is done: the old baton is written again on the run's own track. */
export interface BackBy {
  track: Track;
  run: RunId;
  leg: LegNumber;
  setCurrent: boolean;
}

/** The plan of the legs after so many takeovers. */
export const planAfter = (plan: RunPlan, takeovers: number): RunPlan => {
  const agent = plan.takeovers[takeovers - 1];
  if (agent === undefined) return plan;
  return {...plan, ...agent, policy: {...plan.policy, ...agentPolicy(agent.adapter)}};
};

/** What of the policy depends on the agent. */
export const agentPolicy = ({ready, limit}: Adapter): Pick<Policy, 'assumeReadyMs' | 'wakesMs'> => ({
  assumeReadyMs: ready.afterMs,
  wakesMs: limit.wakesWithinMs,
});

export interface Ports {
  stage: Stage;
  clock: Clock;
  workspace: Workspace;
  store: CheckpointStore;
  keeper: Keeper;
  files: RunFiles;
  /** Brings files and baton back, behind a checkpoint of the present; the id of the baton that the next leg gets. */
  goBack(back: GoBack, by: BackBy): Promise<Result<CheckpointId>>;
  tail: LogTail;
  processes: Processes;
  openSpool(dir: string): Spool;
  openScreen: WatchPlan['openScreen'];
  readFile(path: string): string | undefined;
  /** Undefined: every run waits for itself. */
  sharedWait?: SharedWait;
  /** Hears every notice, also those that are not printed. */
  notice(notice: Notice): void;
  /** The file of that name in one of the folder's own folders. */
  findBelow(folder: string, name: string): string | undefined;
  /** Session logs that an agent may be writing: open ones first, then the newest. */
  agentLogs(query: LogQuery): Promise<FoundLog[]>;
  ask(question: Question): Promise<Answer>;
  newUuid(): string;
  /** Hears of our own faults that nobody has caught, and keeps them from ending us. Returns its off. */
  onFault(tell: (what: string) => void): () => void;
  /** SIGINT and SIGTERM as their numbers, SIGHUP as what it means. Returns its off. */
  osSignals(on: (signal: number | 'hangup') => void): () => void;
}
