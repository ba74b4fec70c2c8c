// Each way in which the two APIs fail, as their CLIs know it. What the CLIs make of it is in tests/real/ground.test.ts.

import type {Failure} from './reply.ts';

/** The failures that both APIs have. Times are seconds since 1970. */
export interface Failures {
  overloaded: Failure;
  serverError: Failure;
  rateLimited(retryAfterSeconds: number): Failure;
  usageLimit(resetsAt: number): Failure;
  outOfCredit: Failure;
  unauthorized: Failure;
  forbidden: Failure;
  badRequest: Failure;
  promptTooLong: Failure;
  /** The same as an event of a stream that had begun well. */
  overloadedInStream: Failure;
  /** The answer ends without an end of its own. */
  outOfTokens: Failure;
}

export const failuresOf = (word: 'claude' | 'codex'): Failures => (word === 'claude' ? messagesApi : responsesApi);

export const cut: Failure = {is: 'cut'};
export const hangs = {
  beforeHeaders: {is: 'hang', where: 'before-headers'},
  afterHeaders: {is: 'hang', where: 'after-headers'},
  midStream: {is: 'hang', where: 'mid-stream'},
} as const satisfies Record<string, Failure>;

const claudeError = (type: string, message: string) => ({type: 'error', error: {type, message}});

const claudeHttp = (status: number, type: string, message: string): Failure => ({
  is: 'http',
  status,
  body: claudeError(type, message),
});

const messagesApi: Failures = {
  overloaded: claudeHttp(529, 'overloaded_error', 'Overloaded'),
  serverError: claudeHttp(500, 'api_error', 'Internal server error'),
  rateLimited: (seconds) => ({
    is: 'http',
    status: 429,
    body: claudeError('rate_limit_error', 'Too many requests per minute'),
    headers: {'retry-after': String(seconds)},
  }),
  usageLimit: (resetsAt) => ({
    is: 'http',
    status: 429,
    body: claudeError('rate_limit_error', "This request would exceed your account's rate limit."),
    headers: {...unifiedLimit('rejected', resetsAt), 'retry-after': '18000'},
  }),
  outOfCredit: claudeHttp(
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  ),
  unauthorized: claudeHttp(401, 'authentication_error', 'invalid x-api-key'),
  forbidden: claudeHttp(403, 'permission_error', 'Your account does not have access to this resource'),
  badRequest: claudeHttp(400, 'invalid_request_error', 'messages: something is wrong with them'),
  promptTooLong: claudeHttp(400, 'invalid_request_error', 'prompt is too long: 1205000 tokens > 1000000 maximum'),
  overloadedInStream: {is: 'sse-error', event: 'error', data: claudeError('overloaded_error', 'Overloaded')},
  outOfTokens: {is: 'stopped', reason: 'max_tokens'},
};

/** Failures that only the Messages API has. */
export const claudeOnly = {
  modelNotFound: claudeHttp(404, 'not_found_error', 'model: no-such-model'),
  tooLarge: claudeHttp(413, 'request_too_large', 'Request exceeds the maximum size'),
  contextFull: {is: 'stopped', reason: 'model_context_window_exceeded'},
  refusal: {is: 'stopped', reason: 'refusal'},
} as const satisfies Record<string, Failure>;

/** What a subscription's answers carry; `allowed_warning` comes with a good answer. */
export const unifiedLimit = (
  status: 'allowed' | 'allowed_warning' | 'rejected',
  resetsAt: number,
): Record<string, string> => ({
  'anthropic-ratelimit-unified-status': status,
  'anthropic-ratelimit-unified-reset': String(resetsAt),
  'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  'anthropic-ratelimit-unified-5h-status': status,
  'anthropic-ratelimit-unified-5h-reset': String(resetsAt),
  'anthropic-ratelimit-unified-5h-utilization': status === 'rejected' ? '1.0' : '0.93',
  'anthropic-ratelimit-unified-fallback': 'unavailable',
  'anthropic-ratelimit-unified-overage-status': 'rejected',
  'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
});

const codexHttp = (status: number, error: object, headers: Record<string, string> = {}): Failure => ({
  is: 'http',
  status,
  body: {error},
  headers,
});

const responseFailed = (code: string, message: string): Failure => ({
  is: 'sse-error',
  event: 'response.failed',
  data: {type: 'response.failed', response: {id: 'resp_failed', status: 'failed', error: {code, message}}},
});

const responsesApi: Failures = {
  overloaded: codexHttp(503, {code: 'server_is_overloaded', message: 'The server is overloaded.'}),
  serverError: codexHttp(500, {type: 'server_error', message: 'Internal server error'}),
  rateLimited: (seconds) =>
    codexHttp(429, {type: 'rate_limit_error', message: 'Too many requests'}, {'retry-after': String(seconds)}),
  usageLimit: (resetsAt) =>
    codexHttp(
      429,
      {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        resets_at: resetsAt,
      },
      primaryLimit(100, resetsAt),
    ),
  outOfCredit: codexHttp(429, {code: 'insufficient_quota', type: 'insufficient_quota', message: 'No quota left'}),
  unauthorized: codexHttp(401, {code: 'invalid_api_key', message: 'Incorrect API key provided'}),
  forbidden: codexHttp(403, {code: 'forbidden', message: 'Not allowed'}),
  badRequest: codexHttp(400, {type: 'invalid_request_error', message: 'Something is wrong with the input'}),
  promptTooLong: codexHttp(400, {
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    message: 'Your input exceeds the context window of this model.',
  }),
  overloadedInStream: responseFailed('server_is_overloaded', 'The server is overloaded.'),
  outOfTokens: {is: 'stopped', reason: 'max_output_tokens'},
};

/** Failures that only the Responses API has. */
export const codexOnly = {
  /** When it ends is told as a span at most, and Codex tells nobody. */
  usageLimitWithoutEnd: codexHttp(429, {
    ...{type: 'usage_limit_reached', message: 'The usage limit has been reached'},
    ...{plan_type: 'plus', resets_in_seconds: 4},
  }),
  outOfCreditInStream: responseFailed('insufficient_quota', 'You exceeded your current quota.'),
  modelNotFound: codexHttp(404, {code: 'model_not_found', message: 'The model does not exist'}),
  rateLimitedInStream: responseFailed('rate_limit_exceeded', 'Rate limit reached. Please try again in 1.5s.'),
  contextFullInStream: responseFailed(
    'context_length_exceeded',
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
  ),
  serverErrorInStream: responseFailed('server_error', 'The server had an error.'),
} as const satisfies Record<string, Failure>;

/** What a ChatGPT plan's answers carry, the good ones too. */
export const primaryLimit = (usedPercent: number, resetsAt: number): Record<string, string> => ({
  'x-codex-primary-used-percent': String(usedPercent),
  'x-codex-primary-window-minutes': '300',
  'x-codex-primary-reset-at': String(resetsAt),
});
