// What the world can do to us, as data. Throw only for our own bugs ("Internal error: …").

export type Result<T, F = Failure> = {ok: true; value: T} | {ok: false; failure: F};

export const ok = <T>(value: T): {ok: true; value: T} => ({ok: true, value});
export const fail = <F>(failure: F): {ok: false; failure: F} => ({ok: false, failure});

export type Failure =
  /** The words on the command line do not fit. `fix` says what to type instead. */
  | {is: 'bad-usage'; what: string; fix: string}
  /** No adapter of that name. */
  | {is: 'unknown-agent'; name: string; known: string[]}
  /** The agent's program is not on PATH (or where the adapter says). */
  | {is: 'agent-missing'; agent: string; looked: string[]; fix: string}
  /** ckpt.yaml, a user adapter or another file that people write. `line` is 1-based. */
  | {is: 'bad-config'; file: string; line: number | undefined; what: string; fix: string}
  /** The checkpoint folder cannot be made or written. */
  | {is: 'store-unusable'; path: string; what: string}
  /** A track, checkpoint or run that is not there. */
  | {is: 'not-found'; what: string; fix: string}
  /** A baton that may not be used: another track's, a closed track's, already consumed. */
  | {is: 'baton-refused'; what: string; fix: string}
  /** A ckpt-run inside a ckpt-run. */
  | {is: 'nested'; run: string}
  | {is: 'unsupported-platform'; platform: string}
  /** The system refused something: spawn, read, write. */
  | {is: 'system'; doing: string; code: string; message: string};

/**
 * Exit codes of our own, documented in the README. The agent's own code always passes through unchanged; ours are
 * chosen from sysexits(3) so that they rarely meet an agent's.
 */
export const exitCodes = {
  'bad-usage': 64,
  'bad-config': 78,
  'unknown-agent': 64,
  'agent-missing': 127,
  'store-unusable': 73,
  'not-found': 66,
  'baton-refused': 65,
  nested: 64,
  'unsupported-platform': 69,
  system: 71,
  /** The run stopped itself and waits for a person; nothing is lost. */
  parked: 75,
  /** A bug of ours. */
  internal: 70,
} as const;

export const exitCodeOf = (failure: Failure): number => exitCodes[failure.is];
