// What a failed turn of Claude Code means to us. Used for the StopFailure hook and for the transcript alike, so that
// both channels tell the same signal.

import type {Sighting} from '../../src/adapter/adapter.ts';
import type {Evidence} from '../../src/core/events.ts';
import type {Millis} from '../../src/core/ids.ts';

export interface FailedTurn {
  /** StopFailure.error, or `error` of the transcript line. */
  error: string;
  /** The CLI's own message and the API's details, never the model's words. */
  texts: string[];
  resetsAt: Millis | undefined;
  evidence: Evidence;
}

export const failedTurn = ({error, texts, resetsAt, evidence}: FailedTurn): Sighting => {
  const says = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (contextErrors.has(error) && says(contextFull)) return {type: 'context-full', evidence};
  if (error === 'rate_limit') {
    // Without a reset time it is the API's short rate limit, which passes like an overload.
    return resetsAt === undefined && says(/^API Error: Request rejected \(429\)/)
      ? {type: 'overload', evidence}
      : {type: 'limit', resetsAt, evidence};
  }
  if (authErrors.has(error)) return {type: 'auth', evidence};
  // The answer was too long for one turn: the session is whole and waits.
  if (error === 'max_output_tokens') return {type: 'idle', evidence};
  if (lastingErrors.has(error)) return {type: 'fatal', what: error, evidence};
  if (error === 'unknown' && says(/^API Error: 400\b/)) return {type: 'fatal', what: 'bad request', evidence};
  return {type: 'overload', evidence};
};

const contextErrors = new Set(['invalid_request', 'max_output_tokens', 'unknown']);

/** Anchored: the start of the CLI's own message. */
const contextFull =
  /^(?:API Error: )?(?:\d{3} )?(?:\{.*"message":"|[\w ]*: )?(?:prompt is too long|Autocompact is thrashing|Context limit reached|The model has reached its context window limit|Request too large)/i;

const authErrors = new Set([
  'authentication_failed',
  'oauth_org_not_allowed',
  'account_on_hold',
  'verification_required',
  'cloud_credential_error',
]);

const lastingErrors = new Set(['billing_error', 'model_not_found', 'invalid_request']);
