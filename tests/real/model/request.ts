// What a model is asked: one shape for both APIs, so that a scenario is written once and plays with every CLI.

/** One piece of the conversation, in its order. */
export type Turn =
  | {is: 'text'; role: Role; text: string}
  | {is: 'call'; id: string; tool: string; command: string}
  | {is: 'result'; id: string; outcome: CallOutcome; text: string};

export type Role = 'person' | 'agent' | 'system';

/** running: a shell that the CLI left running when it gave the turn back; unknown: the CLI itself does not know. */
export type CallOutcome = 'finished' | 'failed' | 'running' | 'unknown';

/** main is the conversation itself. All others are the CLI's own errands, which no scenario has to think of. */
export type RequestKind = 'main' | 'compaction' | 'title' | 'probe' | 'side' | 'count' | 'other';

export type Api = 'anthropic' | 'responses';

export interface ModelRequest {
  /** Of all requests to this server, from 1. */
  number: number;
  /** Of the main requests, from 1; 0 when it is none. Retries count. */
  main: number;
  /** Milliseconds since 1970. */
  at: number;
  kind: RequestKind;
  api: Api | undefined;
  method: string;
  path: string;
  headers: Record<string, string>;
  model: string;
  stream: boolean;
  /** The names of the tools on offer. */
  tools: string[];
  turns: Turn[];
  /** As it came, parsed; undefined when it was no JSON. */
  body: unknown;
}

/** What the API's own parser finds; the server adds the rest. */
export type Parsed = Pick<ModelRequest, 'kind' | 'model' | 'stream' | 'tools' | 'turns'>;
