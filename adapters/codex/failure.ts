// What a failed turn of Codex means to us, by the rollout's task_complete.error.

import type {Sighting} from '../../src/adapter/adapter.ts';
import type {Millis} from '../../src/core/ids.ts';
import {isJson, numberAt} from '../shared/json.ts';

export interface FailedTurn {
  /** codex_error_info: a word, or an object with one key and perhaps an HTTP status. */
  info: unknown;
  /** Codex's own message. */
  message: string;
  resetsAt: Millis | undefined;
}

export const failedTurn = ({info, message, resetsAt}: FailedTurn): Sighting => {
  const name = isJson(info) ? (Object.keys(info)[0] ?? 'other') : typeof info === 'string' ? info : 'other';
  const status = isJson(info) ? numberAt(info, name, 'http_status_code') : undefined;
  const evidence = {channel: 'log' as const, detail: `task_complete(error=${name}${status ? ` ${status}` : ''})`};
  const meaning = ofStatus(status) ?? meanings[name] ?? ofMessage(message);
  // Out of room in the middle of a compaction: the session is lost, and how it was lost is worth knowing.
  if (meaning === 'context-full' || meaning === 'fatal') {
    if (/^Error running (?:remote )?compact task/.test(message)) return {type: 'compaction-failed', evidence};
  }
  if (meaning === 'limit') {
    // Codex has one word for a spent window and an empty purse; only the first comes back by itself.
    return /^Quota exceeded/.test(message)
      ? {type: 'fatal', what: 'quota exceeded', evidence}
      : {type: 'limit', resetsAt, evidence};
  }
  return meaning === 'fatal' ? {type: 'fatal', what: name, evidence} : {type: meaning, evidence};
};

type Meaning = 'limit' | 'overload' | 'auth' | 'fatal' | 'context-full';

/** The server's own no, such as 404 for an unknown model; only 408 and 429 ask to come again. */
const ofStatus = (status: number | undefined): Meaning | undefined => {
  if (status === 401 || status === 403) return 'auth';
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429
    ? 'fatal'
    : undefined;
};

const meanings: Record<string, Meaning> = {
  usage_limit_exceeded: 'limit',
  context_window_exceeded: 'context-full',
  server_overloaded: 'overload',
  internal_server_error: 'overload',
  rate_limit_exceeded: 'overload',
  response_too_many_failed_attempts: 'overload',
  http_connection_failed: 'overload',
  response_stream_connection_failed: 'overload',
  response_stream_disconnected: 'overload',
  unauthorized: 'auth',
  bad_request: 'fatal',
  session_budget_exceeded: 'fatal',
  cyber_policy: 'fatal',
  misalignment_policy_violation: 'fatal',
  sandbox_error: 'fatal',
};

/** `other` covers a cut stream as well as the body of a 400. */
const ofMessage = (message: string): Meaning =>
  /^(?:stream disconnected|Incomplete response|idle timeout|exceeded retry limit|Connection)/i.test(message)
    ? 'overload'
    : 'fatal';
