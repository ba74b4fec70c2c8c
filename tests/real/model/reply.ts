// What a model answers: text, a command to run, or one of the ways in which an API fails.

import type {ModelRequest} from './request.ts';

export type Reply = Answer | Failure;

/** How many tokens of context the answer reports as used: real CLIs compact by this number. */
interface Told {
  tokens?: number;
  /** Waited before the first byte. */
  delayMs?: number;
  /** What the API says of its limits along with a good answer. */
  headers?: Record<string, string>;
}

export type Answer = Told & ({is: 'text'; text: string} | Call | {is: 'poll'; id: string} | Tool);

/** A call of another tool than the shell; Codex has them in namespaces. */
interface Tool {
  is: 'tool';
  name: string;
  namespace: string;
  input: object;
}

/** One call of the CLI's shell tool. */
interface Call {
  is: 'call';
  command: string;
  /** How long the CLI is asked to wait for the command, at most; its own default else. */
  waitMs?: number;
}

export type Failure =
  /** A plain HTTP answer with an error in it. */
  | {is: 'http'; status: number; body: unknown; headers?: Record<string, string>}
  /** HTTP 200, then an error as an event of the stream. */
  | {is: 'sse-error'; event: string; data: unknown}
  /** The stream begins, and the connection is cut. */
  | {is: 'cut'}
  /** A whole stream that says why it gives nothing: stop_reason, response.incomplete. */
  | {is: 'stopped'; reason: string}
  /** Silence until the server closes. */
  | {is: 'hang'; where: 'before-headers' | 'after-headers' | 'mid-stream'};

/** Decides from the request alone. Side errands are answered by the server unless `side` is given. */
export interface Scenario {
  main(request: ModelRequest): Reply;
  /** The summary that a compaction request gets. */
  summary?(request: ModelRequest): Reply;
}

/** Which main requests are not answered but fail, counted from 1; retries count too. */
export interface Fault {
  from: number;
  times: number;
  reply: Failure;
}

/** The same scenario with an API that fails now and then. */
export const withFaults = (scenario: Scenario, faults: readonly Fault[]): Scenario => ({
  ...scenario,
  main: (request) =>
    faults.find(({from, times}) => request.main >= from && request.main < from + times)?.reply ??
    scenario.main(request),
});
