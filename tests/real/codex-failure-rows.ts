// The facts' table of Codex's failures, row by row: what the API does, and what ckpt-run must make of it.

import {codexOnly, cut, failuresOf, hangs} from './model/failures.ts';
import type {Failure} from './model/reply.ts';

export interface Expected {
  /** Failures that a structured channel has told, each kind once. */
  signals: string[];
  deaths: string[];
  legs: number;
  code: number;
  job: 'exact' | 'unfinished';
}

export interface FailureRow {
  name: string;
  /** One of each class is walked in CI. */
  ci?: true;
  reply: Failure | ((now: number) => Failure);
  /** The API fails until ckpt-run has seen it, once, or for good. */
  fails: 'until-seen' | 'once' | 'always';
  flags?: string[];
  /** In its terminal, in a run until done. */
  tui: Expected;
  /** `codex exec` through pipes. */
  exec: Expected;
}

const {overloaded, serverError, rateLimited, usageLimit, outOfCredit, ...responses} = failuresOf('codex');
const outOfTokens = responses.outOfTokens;

/** It passes: the same leg goes on when it is nudged; `exec` has ended by then, so a fresh leg goes on. */
const passes = (signal: 'overload' | 'limit'): Pick<FailureRow, 'tui' | 'exec'> => ({
  tui: {signals: [signal], deaths: [], legs: 1, code: 0, job: 'exact'},
  exec: {signals: [signal], deaths: [signal], legs: 2, code: 0, job: 'exact'},
});
/** Trying again cannot mend it: parked, or the agent's own exit code. */
const lasts = (signal: 'auth' | 'fatal'): Pick<FailureRow, 'tui' | 'exec'> => ({
  tui: {signals: [signal], deaths: [], legs: 1, code: 75, job: 'unfinished'},
  exec: {signals: [signal], deaths: [], legs: 1, code: 1, job: 'unfinished'},
});
/** The context is dead: a fresh leg. */
const dies = (signal: 'context-full'): Pick<FailureRow, 'tui' | 'exec'> => {
  const expected: Expected = {signals: [signal], deaths: [signal], legs: 2, code: 0, job: 'exact'};
  return {tui: expected, exec: expected};
};

const seen = {fails: 'until-seen'} as const;
const always = {fails: 'always'} as const;
const inSeconds = (now: number, seconds: number): number => Math.ceil(now / 1000) + seconds;

export const failureRows: FailureRow[] = [
  {name: 'HTTP 500', ci: true, reply: serverError, ...seen, ...passes('overload')},
  {name: 'HTTP 503', reply: overloaded, ...seen, ...passes('overload')},
  {name: 'SSE server_is_overloaded', reply: responses.overloadedInStream, ...seen, ...passes('overload')},
  {name: '429 with retry-after', reply: rateLimited(1), ...seen, ...passes('overload')},
  {name: 'SSE rate_limit_exceeded', reply: codexOnly.rateLimitedInStream, ...seen, ...passes('overload')},
  {
    ...{name: '429 usage_limit_reached', ci: true, ...seen, ...passes('limit')},
    reply: (now) => usageLimit(inSeconds(now, 4)),
  },
  {name: 'usage_limit_reached, no reset time', reply: codexOnly.usageLimitWithoutEnd, ...seen, ...passes('limit')},
  {name: 'insufficient_quota', reply: outOfCredit, ...always, ...lasts('fatal')},
  {name: 'SSE insufficient_quota', reply: codexOnly.outOfCreditInStream, ...always, ...lasts('fatal')},
  {name: 'HTTP 404', reply: codexOnly.modelNotFound, ...always, ...lasts('fatal')},
  {name: 'HTTP 401', ci: true, reply: responses.unauthorized, ...always, ...lasts('auth')},
  {name: 'HTTP 403', reply: responses.forbidden, ...always, ...lasts('auth')},
  {name: 'HTTP 400', reply: responses.badRequest, ...always, ...lasts('fatal')},
  {name: '400 context_length_exceeded', reply: responses.promptTooLong, fails: 'once', ...dies('context-full')},
  {
    ...{name: 'SSE context_length_exceeded', ci: true, reply: codexOnly.contextFullInStream},
    ...{fails: 'once', ...dies('context-full')},
  },
  {name: 'a cut stream', reply: cut, ...seen, ...passes('overload')},
  {name: 'SSE server_error', reply: codexOnly.serverErrorInStream, ...seen, ...passes('overload')},
  {name: 'response.incomplete', reply: outOfTokens, ...seen, ...passes('overload')},
  {
    ...{name: 'a hang in the stream', reply: hangs.midStream, ...seen, ...passes('overload')},
    // Its own patience is five minutes.
    flags: ['-c', 'model_providers.ground.stream_idle_timeout_ms=2000'],
  },
];

/** Codex waits for ever and its rollout is silent: no death by these signals. Hang detection is another matter. */
export interface SilentRow {
  name: string;
  ci?: true;
  reply: Failure | 'refused';
  /** What the screen alone may say; it alerts. */
  alerts: string[];
  shows: RegExp;
}

export const silentRows: SilentRow[] = [
  {
    ...{name: 'connection refused', ci: true, reply: 'refused', alerts: ['overload']},
    shows: /Reconnecting\.\.\. waiting for network/,
  },
  {
    ...{name: 'a hang before the headers', reply: hangs.beforeHeaders, alerts: []},
    shows: /Working \([3-9]s • esc to interrupt\)/,
  },
];
