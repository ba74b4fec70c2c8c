// A scripted job: what the person says, what the model answers, how it ends. One script plays with every CLI, and what
// the log of it must show follows from the script alone (expected.ts), never from our own readers.

import type {Task} from '../../src/baton/facts.ts';

/** One tool call. */
export type Act =
  /** A shell command; `exit` is what it must end with (0 unless told), `writes` and `reads` the files that it names. */
  | {run: string; exit?: number; writes?: string[]; reads?: string[]}
  /** A command that the agent does not wait for. */
  | {serve: string}
  | {read: string}
  /** The file must hold `from` once. */
  | {edit: string; from: string; to: string}
  | {write: string; text: string}
  /** The whole plan, every time. It needs another call beside it. */
  | {plan: Task[]};

/** One answer of the model: words, then calls. Without calls it ends the turn. */
export interface Reply {
  say?: string;
  acts?: Act[];
}

export interface Turn {
  /** What the person types: when the turn before is over, while it still goes on, or after having stopped it. */
  person: string;
  when?: 'busy' | 'stopped';
  replies: Reply[];
}

export interface Job {
  name: string;
  /** The project's files at the start; those in `tools/` are programs on PATH. */
  files: Record<string, string>;
  turns: Turn[];
  /** How the log ends: the last turn over, or killed in the midst of the last call. */
  end: 'over' | 'killed';
  /** Without a terminal: `claude -p`, `codex exec`. Only for jobs of one turn. */
  headless?: boolean;
  planted: Planted;
}

/** What cannot be read off the script: which commands are tests, which words are decisions. */
export interface Planted {
  validation: {state: 'green' | 'pending' | 'failed' | 'unknown'; command?: string};
  /** Commands that failed again and again and never went through. */
  deadEnds?: string[];
  /** Free text, in the agent's words: reported, not asked for. */
  decisions?: string[];
  /** The open call may be felt outside. */
  outside?: boolean;
}

/** A wait that shows in the process list under its own number of seconds: `sleep 97` is the last call's, to be killed in. */
export const killedSleep = 97;
export const busySleep = 3;
export const stoppedSleep = 41;
