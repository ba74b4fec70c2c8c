// Every row of the facts' table of API failures: what the server does, and what ckpt-run must make of it.

import {claudeOnly, cut, failuresOf, hangs} from './model/failures.ts';
import type {Failure} from './model/reply.ts';

export interface FailureRow {
  name: string;
  /** One row of each class runs in CI. */
  ci?: true;
  /** warned: a good answer that tells of the limit to come; refused: nobody listens any more. */
  reply: Failure | ((at: number) => Failure) | 'warned' | 'refused';
  /** The first request that fails; the third else, when two steps are done. */
  from?: number;
  account?: 'subscription';
  /** once: a single request fails; until-seen: all of them, until the signal is in the journal; always. */
  fails: 'once' | 'until-seen' | 'always';
  /** Without a terminal, too: `-p` ends with its failed turn. */
  pipes?: Expected;
  expected: Expected | {new: Expected; old: Expected};
}

export interface Expected {
  /** The failure signals that were proved, each once. */
  signals: string[];
  deaths: string[];
  legs: number;
  code: number;
  /** Is the job exact at the end? */
  job: 'exact' | 'unfinished';
}

const api = failuresOf('claude');
const done = {code: 0, job: 'exact'} as const;
/** It passes by itself: the same leg waits and goes on. */
const sameLeg = (signal: string): Expected => ({signals: [signal], deaths: [], legs: 1, ...done});
const freshLeg = (signal: string, death = signal): Expected => ({signals: [signal], deaths: [death], legs: 2, ...done});
const parked = (signal: string): Expected => ({signals: [signal], deaths: [], legs: 1, code: 75, job: 'unfinished'});
/** `-p` has ended already with its own code and words. */
const gaveUp = (signal: string): Expected => ({...parked(signal), code: 1});
const unseen: Expected = {signals: [], deaths: [], legs: 1, ...done};

const overload = {fails: 'until-seen', expected: sameLeg('overload'), pipes: freshLeg('overload')} as const;
const auth = {fails: 'always', expected: parked('auth'), pipes: gaveUp('auth')} as const;
const fatal = {fails: 'always', expected: parked('fatal'), pipes: gaveUp('fatal')} as const;
const SOON_S = 8;
const rejected = (at: number): Failure => api.usageLimit(Math.round(at / 1000) + SOON_S);
const contextFull = freshLeg('context-full');
/** They compact by themselves then, and are held before they do. */
const compacts = freshLeg('compaction-started', 'compaction');

export const failureRows: FailureRow[] = [
  {name: '529', ci: true, reply: api.overloaded, ...overload},
  {name: '500', reply: api.serverError, ...overload},
  {name: '429 retry-after 2', reply: api.rateLimited(2), ...overload},
  {name: '429 retry-after 600', reply: api.rateLimited(600), ...overload},
  {name: '429 unified rejected, API key', reply: rejected, ...overload},
  {
    ...{name: '429 unified rejected, subscription', ci: true, reply: rejected, account: 'subscription'},
    ...{fails: 'until-seen', expected: {new: sameLeg('limit'), old: freshLeg('limit')}, pipes: freshLeg('limit')},
  },
  {
    ...{name: 'unified allowed_warning', reply: 'warned', account: 'subscription', fails: 'always'},
    ...{expected: unseen, pipes: unseen},
  },
  {name: '401', ci: true, reply: api.unauthorized, ...auth},
  {name: '403', reply: api.forbidden, ...auth},
  {name: '404', ci: true, reply: claudeOnly.modelNotFound, ...fatal},
  {name: '413', reply: claudeOnly.tooLarge, fails: 'until-seen', expected: compacts, pipes: compacts},
  {name: '400 other', reply: api.badRequest, ...fatal},
  {name: '400 credit', reply: api.outOfCredit, ...fatal},
  {
    ...{name: '400 prompt too long', ci: true, reply: api.promptTooLong, fails: 'until-seen'},
    ...{expected: compacts, pipes: compacts},
  },
  {
    ...{name: '400 prompt too long, 1st message', reply: api.promptTooLong, from: 1, fails: 'until-seen'},
    ...{expected: contextFull, pipes: contextFull},
  },
  {
    ...{name: 'stop_reason model_context_window_exceeded', reply: claudeOnly.contextFull, fails: 'until-seen'},
    ...{expected: contextFull, pipes: contextFull},
  },
  {name: 'stop_reason max_tokens', reply: api.outOfTokens, fails: 'once', expected: unseen, pipes: unseen},
  {name: 'refusal', reply: claudeOnly.refusal, ...fatal},
  {name: 'refused connection', reply: 'refused', ...overload},
  {name: 'stream cut', ci: true, reply: cut, fails: 'once', expected: unseen, pipes: unseen},
  {name: 'SSE error event', reply: api.overloadedInStream, fails: 'once', expected: unseen, pipes: unseen},
];

/** The model is silent for minutes: within seconds that is no death and no signal, and the person can still quit. */
export const silentRows: {name: string; reply: Failure}[] = [
  {name: 'hang before headers', reply: hangs.beforeHeaders},
  {name: 'hang after headers', reply: hangs.afterHeaders},
  {name: 'hang mid-stream', reply: hangs.midStream},
];
