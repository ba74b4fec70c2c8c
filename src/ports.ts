// What run/ and cli/ ask of the world. Interfaces only; io/ implements them, tests/fakes stand in for them.

import type {StopStep} from './adapter/adapter.ts';
import type {Checkpoint, CheckpointDraft, WorkspaceSnapshot} from './baton/checkpoint.ts';
import type {GitSince} from './baton/compose-input.ts';
import type {PrunePlan} from './baton/retention.ts';
import type {LogCopy} from './baton/workspace.ts';
import type {ExitStatus, TimerName} from './core/events.ts';
import type {Result} from './core/failure.ts';
import type {CheckpointId, LegNumber, Millis, RunId, Track} from './core/ids.ts';
import type {Turn} from './core/turns/shared-wait.ts';

export interface Clock {
  now(): Millis;
  /** One timer per name: setting it again moves it. Sleep-safe and beyond 2^31 ms. */
  wakeAt(name: TimerName, until: Millis, wake: () => void): void;
  cancel(name: TimerName): void;
  /** A short one-shot of no name, for looking again soon. Returns its off. */
  after(ms: number, wake: () => void): () => void;
  /** Ends all timers. */
  close(): void;
}

export interface LaunchSpec {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

export interface AgentTaps {
  /** A copy of what the agent printed; never on the path of the bytes to the person. */
  onOutput(chunk: Buffer): void;
  /** The size of the agent's screen: once at the start, then at every change. Pipes have none and never call it. */
  onResize(cols: number, rows: number): void;
  /** Called once, after the last byte has been handed on. */
  onExit(exit: ExitStatus): void;
}

export interface AgentProcess {
  readonly pid: number;
  /** Types into the agent. Does nothing when it has no terminal, or is gone. */
  write(text: string): void;
  /** Asks, waits, forces; resolves when the process is gone. Says which step ended it. */
  stop(steps: StopStep[]): Promise<{endedBy: string; forced: boolean}>;
}

/**
 * Starts agents: under a pty joined to the person's terminal (io/terminal/terminal.ts), or through plain pipes
 * (io/agent/pipes.ts).
 */
export interface Stage {
  readonly kind: 'terminal' | 'pipes';
  start(spec: LaunchSpec, taps: AgentTaps): Result<AgentProcess>;
  /** Between legs: undo the modes that the dead agent had left on; then the notice may be printed. */
  settle(): void;
  /** Says something to the person, never over the agent's screen. */
  tell(line: string): void;
  /** A bell or OSC 9 to whoever watches, between two sequences of the agent. Pipes have nobody to ring for. */
  ring?(bytes: string): void;
  /** Pipes: what becomes of the stdout that the last leg gave, where it was held back (text and json formats). */
  keepOutput(keep: boolean): Promise<void>;
  /** Gives the terminal back exactly as it was found. Idempotent; also runs on every way out of the process. */
  close(): void;
}

/** The other runs of this machine that wait for the same provider: io/runs/shared-wait.ts. Never throws, never waits long. */
export interface SharedWait {
  /** May this run try now, which means to wait until then? */
  turn(until: Millis, now: Millis): Promise<Turn>;
  /** The provider has answered this run, or has not: until then. Or it waits no longer. */
  opened(now: Millis): void;
  closed(until: Millis, now: Millis): void;
  left(now: Millis): void;
}

export interface GitFacts {
  /** Undefined outside git. */
  root: string | undefined;
  branch: string | undefined;
  head: string | undefined;
  /** Paths that differ from HEAD, untracked ones included; at most 200, `more` counts the rest. */
  dirty: string[];
  more: number;
  /** A hash over status and content times: differs when the tree has moved. */
  fingerprint: string;
}

export interface Workspace {
  facts(): Promise<GitFacts>;
  /** The commit that is checked out, quickly; undefined outside git or before the first one. */
  head(): Promise<string | undefined>;
  /** What became of a checkpoint's branch and head since it was written; io/repository/git-since.ts. */
  since?(written: Pick<Checkpoint, 'branch' | 'head' | 'worktree'>): Promise<GitSince | undefined>;
}

/**
 * Saves what a checkpoint stands for, in a process of its own: hashing and redacting must never keep the person's bytes
 * waiting. Each has its bound; a failure makes the checkpoint thinner, never absent.
 */
export interface Keeper {
  /** The whole working tree as it is now. */
  files(what: {track: Track; message: string}): Promise<Result<WorkspaceSnapshot>>;
  /** The first `bytes` of a session log, redacted, into the leg's folder. */
  log(what: {leg: LegNumber; path: string; bytes: number}): Promise<Result<LogCopy>>;
  /** The trees of checkpoints that are gone, where no other names them. */
  forget(gone: readonly Checkpoint[]): Promise<Result<number>>;
}

export interface CheckpointStore {
  readonly dir: string;
  write(draft: CheckpointDraft): Promise<Result<CheckpointId>>;
  read(id: CheckpointId): Promise<Result<Checkpoint>>;
  /** The newest checkpoint of a track, by LATEST.json (rebuilt from history when broken). */
  latest(track: Track): Promise<Checkpoint | undefined>;
  /** Marks a baton as used. Refused when it was used already. */
  consume(id: CheckpointId, by: {run: RunId; leg: LegNumber}): Promise<Result<void>>;
  /** Gives it the files that whoever wrote it could not save. What has files keeps them. */
  complete(id: CheckpointId, files: Result<WorkspaceSnapshot>): Promise<Result<void>>;
  /** Removes the oldest automatic checkpoints beyond so many. */
  retain(max: number): Promise<Result<PrunePlan | undefined>>;
  /** The work of the track is done: its baton is refused from now on. */
  close(track: Track, note: string): Promise<Result<void>>;
}

/** runs/<run-id>/: what one run leaves behind for people, for `ckpt why`, and for the next start. */
export interface RunFiles {
  readonly dir: string;
  readonly spool: string;
  /** What cannot be written now is written as soon as it can be. */
  writeRun(run: object): void;
  /** False: it is not on the disk. */
  writeLeg(leg: LegNumber, name: string, content: string): boolean;
  /** One line of journal.jsonl. Its failure is noted once, never fatal. */
  journal(entry: object): void;
}

/** A hook event or a request (`done`, `handoff`) that somebody dropped into the spool. */
export interface SpoolItem {
  /** File name without its ending; an answer must carry it. */
  id: string;
  /** `PreCompact`, …, or `done`, `handoff`. */
  name: string;
  payload: unknown;
  /** When it was dropped: we may come to it later. */
  at?: number;
}

export interface Spool {
  watch(take: (item: SpoolItem) => void): () => void;
  /** Takes at once what lies there now: before an exit is judged, its last hooks must have been read. */
  look(): void;
  /** Lets a held relay go. */
  answer(id: string, answer: {exitCode: number; stdout: string; stderr: string}): void;
  /** What the next SessionStart hook gives to the agent as context. */
  setContext(text: string): void;
  /** What a held call is told when nobody answers it. */
  setDenial(text: string): void;
  /** What the next hook inside a turn prints, once. */
  give(text: string): void;
}

export interface LogTail {
  /** Follows a file from its start (it may not exist yet), line by line, by byte offset. Returns its end. */
  follow(path: string, onLine: (line: string) => void): {flush(): Promise<void>; offset(): number; close(): void};
}

/** A session log that the agent may be writing, with its first line. */
export interface FoundLog {
  path: string;
  head: string;
  /** The agent, or a process below it, has it open. */
  isOpen: boolean;
}

export interface LogQuery {
  /** Undefined: it is dead, and has no file open any more. */
  pid: number | undefined;
  folder: string;
  /** Of the file's name. */
  name: RegExp;
  /** Not open: only those written since then. */
  since: number;
}

/** One short question to a program. */
export interface Question {
  file: string;
  args: string[];
  cwd?: string | undefined;
  env?: Record<string, string | undefined> | undefined;
  /** Its whole stdin; none when left out. */
  input?: string;
  /** Its stdin stays open until its stdout matches: it would end without an answer. */
  until?: RegExp;
  timeoutMs?: number;
}

export interface Answer {
  /** 0 to 255; undefined when it could not be started, was killed, or took too long. */
  code: number | undefined;
  stdout: string;
}

export interface ProcessRef {
  pid: number;
  /** Birth time as the system tells it: guards against a reused pid. */
  born: string;
  /** The same as a time, to the second or better; undefined when the system does not tell. */
  bornAt?: number | undefined;
  command: string;
}

/** One that carries the marks of a run in its environment. */
export interface MarkedRef extends ProcessRef {
  parent: number;
  leg: number;
}

export interface Processes {
  /** All descendants of a process, also those in sessions of their own. */
  descendants(pid: number): Promise<ProcessRef[]>;
  /** Processes whose environment has CKPT_RUN/CKPT_LEG of ours: found also after their parent died. */
  ofLeg(run: RunId, leg: LegNumber): Promise<MarkedRef[]>;
  /** The same for all legs of a run. */
  ofRun(run: RunId): Promise<MarkedRef[]>;
  /** The TCP ports on which each of them listens; those that listen on none are not in there. */
  ports(pids: readonly number[]): Promise<Map<number, number[]>>;
  /** CPU ticks and I/O of these so far, summed up: differs when any of them has worked, or is another one. */
  work(refs: ProcessRef[]): Promise<number>;
  /** TERM, wait, KILL; only those whose birth time still fits. */
  end(refs: ProcessRef[]): Promise<void>;
}
