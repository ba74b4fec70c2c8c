// What an agent is, to us: the data of its adapter.yaml (parse.ts) and the pure code for its session log and hooks.

import type {LegFacts} from '../baton/facts.ts';
import type {Evidence, Signal} from '../core/events.ts';
import type {Millis} from '../core/ids.ts';
import type {Autocompact} from './autocompact.ts';

type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** What one channel saw. detect/quorum.ts makes signals of sightings. */
export type Sighting = OmitEach<Signal, 'at' | 'leg' | 'evidence' | 'proof'> & {evidence: Evidence};

/** One step of ending an agent: do this, then wait so long for its end before the next. */
export type StopStep = {waitMs: number} & ({key: string} | {signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL'});

/** A rule over what the terminal shows. Screen rules can only ever alert. */
export interface ScreenRule {
  signal: Sighting['type'];
  on: 'screen' | 'title' | 'osc';
  pattern: RegExp;
}

export interface Adapter {
  name: string;
  /** Which code reads its log and builds its hooks: a name in adapters/code.ts, or 'none'. */
  code: string;
  /** File the adapter was read from; for messages. */
  file: string;
  binary: {
    /** Empty: the program is the person's first word. `{practice}`: our own practice agent. */
    names: string[];
    versionArgs: string[];
    tested: string[];
    install: string;
    /** The native program behind an npm launcher script: `linux-x64` → package and path inside it. */
    native: Record<string, string>;
  };
  argv: ArgvTable;
  /** `{prompt}` is replaced; one token. Longer prompts than maxBytes go to a file with a pointer. */
  firstPrompt: {args: string[]; maxBytes: number};
  /** For agents that take a session id of our choosing: `{uuid}` is replaced. */
  sessionId: string[] | undefined;
  env: {scrub: string[]; set: Record<string, string>};
  /** Ready when a signal says so; or, with `ready.afterMs`, when it has lived that long. */
  ready: {afterMs: number | undefined};
  /** How a held PreCompact hook and the stop go together: end the process while it is held, or veto first. */
  compaction: {whenHeld: 'stop' | 'veto'};
  /** How long after a usage limit's reset it may take to go on by itself; 0 for one that does not. */
  limit: {wakesWithinMs: number};
  stop: {terminal: StopStep[]; pipes: StopStep[]};
  exit: {clean: number[]; killed: number[]};
  screen: ScreenRule[];
}

/** How the agent's own command line is read. All names with their dashes, as the person types them. */
export interface ArgvTable {
  /** Flags that take one value. */
  value: string[];
  /** Flags whose value may be absent (`--resume [id]`). */
  optionalValue: string[];
  /** Flags that swallow words until the next flag. */
  variadic: string[];
  /** Known flags without a value. A flag in no list is taken for one of these, unless a word would be left over. */
  plain: string[];
  /** First words that are no run: passed through bare. */
  passWords: string[];
  /** Flags that make it no run (`--version`, `--help`). */
  passFlags: string[];
  /** Flags or first words of a headless run (`-p`, `exec`): no terminal of its own. */
  headless: string[];
  /** First words that stay in front on a restart (`exec`). */
  keepWords: string[];
  /** First words that are left out on a restart, with the id that follows (`resume`, `fork`). */
  dropWords: string[];
  /** With one of these flags no id follows a drop word (`resume --last`). */
  latest: string[];
  /** Flags left out on a restart, with their values. */
  dropFlags: string[];
  /** Nothing is known of this command line: every token stays on a restart, the prompt comes after them. */
  opaque: boolean;
  /** Flags that choose the output format, and the values that may be streamed leg after leg. */
  stream: {flag: string; values: string[]}[];
}

export interface ParsedFlag {
  flag: string;
  /** Exactly the tokens of the person, so that nothing is lost: `['--model', 'x']` or `['--model=x']`. */
  tokens: string[];
  values: string[];
}

/** The person's command line piece by piece, in order: all tokens of all items are exactly what was typed. */
export type ArgvItem =
  | {is: 'word'; tokens: string[]}
  /** Several flags when short ones were typed together (`-pc`). */
  | {is: 'flag'; tokens: string[]; flags: ParsedFlag[]}
  | {is: 'positional'; tokens: string[]}
  /** The `--` after which nothing is a flag. */
  | {is: 'end'; tokens: string[]};

export type ParsedArgv =
  | {kind: 'pass'}
  | {
      kind: 'run';
      items: ArgvItem[];
      headless: boolean;
      /** stream-json and the like: legs are concatenated; otherwise only the final leg's stdout is given. */
      streams: boolean;
      /** First words such as `exec`, `resume`. */
      words: string[];
      flags: ParsedFlag[];
      /** Words that are not flags, words or values, in order; the prompt is the last of them. */
      positionals: string[];
      prompt: string | undefined;
    };

/** Everything the code of an adapter may know when it builds the arguments that inject our hooks. */
export interface HookPlan {
  /** Absolute path of adapters/relay.sh. */
  relay: string;
  /** The run's spool folder, absolute. */
  spool: string;
  parsed: Extract<ParsedArgv, {kind: 'run'}>;
  /** Is this a restart of a folder in which the person had already accepted the agent's trust screen? */
  cwd: string;
  /** Commands, each a program and its first word, that the agent may call without a permission prompt. */
  allow: string[];
  /** With nobody there, what would only ask a person something may be kept off the screen. */
  attended: boolean;
  /** Absolute: the agent's own `ckpt` writes there. */
  checkpointDir: string;
  /** Key → hash of our hooks as the agent itself has told them (`trustQuestion`). */
  trusted?: Record<string, string> | undefined;
  /** When it is to compact by itself; `version` is asked for only where that matters. */
  autocompact: {setting: Autocompact; version: string | undefined; env: Record<string, string | undefined>};
  /** Which calls wait in a hook before they are done; `approvalMs`: for a person, so long. */
  hold?: {risky: boolean; approvalMs: number | undefined} | undefined;
  /** Reads a file the person named on the command line; undefined when it cannot be read. */
  readFile: (path: string) => string | undefined;
}

export interface HookReading {
  /** Names the conversation and its log: follow it from now on. */
  session: {id: string; logPath: string} | undefined;
  sightings: Sighting[];
  /** Of a call that waits to be let go (`HeldToolUse`). */
  held?: {what: string; risky: boolean; outside: boolean} | undefined;
  /** What the session log will tell too, but perhaps later: a prompt, a call or its result in the log's own shape. */
  news: {prompt?: string | undefined; block?: unknown; told?: unknown} | undefined;
}

/** Reads one session log, line by line, incrementally. Deterministic; no clock, no I/O. */
export interface LogReader {
  feed(line: string): Sighting[];
  /** Told by a hook at `at`, before the log has it; the log's own telling then changes nothing. */
  note(at: number, news: NonNullable<HookReading['news']>): void;
  /** What a hook has told, in the light of the log. */
  judge?(sighting: Sighting, payload: unknown): Sighting;
  facts(): LegFacts;
}

/** A record of its own state that the agent keeps in a file. */
export interface AgentState {
  /** Where, by the agent's environment and pid; `logs`: the folder whose own folders hold the session logs. */
  place(env: Record<string, string>, pid: number): {file: string; logs: string} | undefined;
  /** Undefined: no record of this leg. No sighting: none that would be sure by now. */
  read(
    text: string,
    times: {since: number; now: number},
  ): {session: {id: string; logName: string} | undefined; sighting: Sighting | undefined} | undefined;
}

export interface TrustQuestion {
  args: string[];
  /** What it hears; its stdin stays open until `until` is in its stdout. */
  input: string;
  until: RegExp;
  /** Key → hash; undefined when it has not answered. */
  read(stdout: string): Record<string, string> | undefined;
  /** The same as we reckon it. */
  expected: Record<string, string>;
}

export interface AgentLogs {
  /** Where they lie, by the agent's environment. */
  folder(env: Record<string, string>): string | undefined;
  /** Of the file's name. */
  name: RegExp;
  /** By its first line. `isFresh`: begun by this leg; else it is the leg's own only if the agent has it open. */
  read(head: string, leg: {cwd: string; since: Millis}): {id: string; isFresh: boolean} | undefined;
}

export interface AgentCode {
  /** Extra arguments (and environment) for this run only; `drop`: flags of the person that these replace (merged). */
  hooks(plan: HookPlan): {args: string[]; env: Record<string, string>; drop: string[]};
  /** Can `hooks` honour HookPlan.allow? Else nothing of it is said to the person. */
  readonly canAllow: boolean;
  /** What the person should know of this command line before its first leg; undefined when there is nothing. */
  caution?(plan: HookPlan): string | undefined;
  /** For an agent that runs only hooks whose hash is trusted: what to ask it when its version is not a tested one. */
  trustQuestion?(plan: HookPlan): TrustQuestion | undefined;
  /** For an agent whose hooks may be silent: how its session log is known among the files that it has open. */
  readonly logs?: AgentLogs;
  /** `name` is the hook's event name as given by the relay. */
  readHook(name: string, payload: unknown): HookReading;
  /** What the relay must print and exit with to let a held hook go on as it would without us, or to veto it and say why. */
  hookAnswer(name: string, answer: 'allow' | 'veto', why?: string): {exitCode: number; stdout: string; stderr: string};
  /** Lines from before `since` (a resumed conversation's past) give facts but no sightings. */
  newLogReader(since?: Millis): LogReader;
  /** How many tokens of context lead to an automatic compaction, where that is known. `window`: as the person says. */
  compactsAt?(facts: LegFacts, env: Record<string, string | undefined>, window?: number): number | undefined;
  /** What a hook inside the turn must print so that the agent reads this text with its next request. */
  hint?(text: string): string;
  /** A line that the log gets although nothing moves: a bare token count, a note on a failed try. */
  isHeartbeat?(line: string): boolean;
  readonly state?: AgentState;
  /** Where the log of a session that was given its id may lie: the file of that name in one of a folder's own folders. */
  givenLog?(env: Record<string, string>, id: string): {folder: string; name: string}[];
}
