// What the session log of one leg shows. Made by an adapter's LogReader, used by compose.ts. All of it is bounded: a log
// may have a gigabyte, its facts have a few hundred kilobytes at most.

import type {Provenance, Task, WithWhy} from './checkpoint.ts';

export type {Task};

export interface ToolCall {
  id: string;
  name: string;
  /** One line that says what it does: the command, the file. Cut to 500 characters. */
  input: string;
  state: 'open' | 'finished' | 'failed';
  /** Would doing it twice be felt outside this folder? (push, deploy, publish, send, …) */
  outside: boolean;
  /** look: it cannot have changed anything. */
  does?: 'look' | 'edit' | 'command' | 'other';
  /** When it began, by the log. */
  at?: number | undefined;
  exitCode?: number | undefined;
  ms?: number | undefined;
  /** The agent went on without waiting for its end. */
  background?: boolean;
  /** The person cut it short: part of it may have happened. */
  stopped?: boolean;
}

/** A shell command that has ended. */
export interface CommandRun {
  command: string;
  state: 'finished' | 'failed';
  exitCode: number | undefined;
  ms: number | undefined;
  /** freely: a test, a check, a look, done again and again in the course of work. */
  repeats?: 'freely';
}

export interface TestRun {
  command: string;
  /** unknown: the exit status was not the test's own (`| tail`), and its output did not tell. */
  outcome: 'passed' | 'failed' | 'unknown';
  /** Files were changed after it began. */
  changedSince: boolean;
}

/** A command that failed twice or more and has not gone through since. */
export interface Failures {
  command: string;
  times: number;
  exitCode: number | undefined;
  /** The line of its output that tells most. */
  said: string;
}

export interface LegFacts {
  sessionId: string | undefined;
  agentVersion: string | undefined;
  /** What was said to the agent in the person's place, oldest first; our own batons included (compose.ts drops them). */
  asks: string[];
  lastWords: string | undefined;
  /** Calls begun after the last words: what was announced in them may be done by now. */
  callsSinceWords: number;
  /** Finished tool calls so far. */
  callCount: number;
  /** The last calls, oldest first, at most 12; open ones included. */
  recentCalls: ToolCall[];
  /** Shell commands that have ended, oldest first; the last 200. */
  commands: CommandRun[];
  /** Files written or edited, oldest first, each once; relative to the agent's folder where they are in it. */
  edits: string[];
  /** Files read, in the same way. */
  reads: string[];
  tasks: Task[];
  /** A tool of the agent's keeps the tasks (observed), or they stood in its words (claimed). */
  tasksBy: Provenance;
  lastTest: TestRun | undefined;
  failures: Failures[];
  /** What the agent said it decided. */
  decisions: WithWhy[];
  /** Links that its commands made: pull requests, issues, releases. */
  links: string[];
  /** Commands that it left running, as far as the log tells. */
  running: string[];
  /** When it first called a tool, by the log. */
  firstCallAt: number | undefined;
  /** How many calls had ended when it first edited a file. */
  callsBeforeEdit: number | undefined;
  /** Tokens in the context after the last answer, if the log says so. */
  contextTokens: number | undefined;
  /** What the context can hold, if the log says so. */
  contextWindow?: number | undefined;
  /** The model that answered last. */
  model?: string | undefined;
  /** All tokens that this conversation has cost so far, read and written. */
  tokens?: number | undefined;
  /** The same in dollars, if the log says so. */
  dollars?: number | undefined;
}

export const noFacts: LegFacts = {
  sessionId: undefined,
  agentVersion: undefined,
  asks: [],
  lastWords: undefined,
  callsSinceWords: 0,
  callCount: 0,
  recentCalls: [],
  commands: [],
  edits: [],
  reads: [],
  tasks: [],
  tasksBy: 'observed',
  lastTest: undefined,
  failures: [],
  decisions: [],
  links: [],
  running: [],
  firstCallAt: undefined,
  callsBeforeEdit: undefined,
  contextTokens: undefined,
};

/** The call that the agent waits for, whose outcome nobody knows: the last open one. */
export const openCall = (facts: LegFacts): ToolCall | undefined =>
  facts.recentCalls.findLast((call) => call.state === 'open' && !call.background);
