// What each CLI makes of each failure of its API, without a terminal and with its retries shortened. Detection is built
// on these words: a new version that uses others shows here first.

import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld, codex} from './clis.ts';
import {openGround} from './ground.ts';
import {errorsIn} from './log-reading.ts';
import {amnesiac} from './model/amnesiac.ts';
import {claudeOnly, codexOnly, cut, failuresOf} from './model/failures.ts';
import {goalOf} from './model/job.ts';
import {type Failure, withFaults} from './model/reply.ts';

interface Row {
  name: string;
  reply: Failure;
  /** The word in the CLI's own log. */
  error: string;
  /** Main requests in all, the good first one too. */
  requests: number;
}

const row = (name: string, reply: Failure, error: string, requests: number): Row => ({name, reply, error, requests});

const messages = failuresOf('claude');
const claudeRows = (isNew: boolean): Row[] => [
  row('an overloaded API', messages.overloaded, 'server_error', 4),
  row('a server error', messages.serverError, 'server_error', 4),
  row('a rate limit', messages.rateLimited(1), 'rate_limit', 4),
  row('no credit', messages.outOfCredit, 'billing_error', 2),
  row('a refused key', messages.unauthorized, 'authentication_failed', 4),
  row('a forbidden account', messages.forbidden, 'authentication_failed', 2),
  row('a bad request', messages.badRequest, 'unknown', isNew ? 7 : 2),
  row('a missing model', claudeOnly.modelNotFound, 'model_not_found', 3),
  row('a full context', claudeOnly.contextFull, 'max_output_tokens', 5),
  row('a refusal', claudeOnly.refusal, 'invalid_request', isNew ? 3 : 2),
  row('a cut stream', cut, 'server_error', isNew ? 5 : 3),
];

const responses = failuresOf('codex');
const codexRows: Row[] = [
  row('an overloaded API', responses.overloaded, 'server_overloaded', 3),
  row('an overloaded API, told in the stream', responses.overloadedInStream, 'server_overloaded', 2),
  row('a server error', responses.serverError, 'internal_server_error', 5),
  row('a rate limit', responses.rateLimited(1), '{"response_too_many_failed_attempts":{"http_status_code":429}}', 3),
  row('a rate limit, told in the stream', codexOnly.rateLimitedInStream, 'rate_limit_exceeded', 3),
  row('no quota', responses.outOfCredit, 'usage_limit_exceeded', 2),
  row('a refused key', responses.unauthorized, '{"http_connection_failed":{"http_status_code":401}}', 3),
  row('a bad request', responses.badRequest, 'other', 2),
  row('a full context, told in the stream', codexOnly.contextFullInStream, 'context_window_exceeded', 2),
  row('an answer without an end', responses.outOfTokens, 'other', 2),
  row('a cut stream', cut, 'other', 3),
];

describe.each([
  ['Claude Code, new', claudeNew(), claudeRows(true)],
  ['Claude Code, old', claudeOld(), claudeRows(false)],
  ['Codex', codex(), codexRows],
] as [string, Cli, Row[]][])('%s gives up on', (_, cli, rows) => {
  test.each(rows)('$name: $error', async ({reply, error, requests}) => {
    const scenario = withFaults(amnesiac(), [{from: 2, times: 99, reply}]);
    await using ground = await openGround({cli, scenario});
    const {code} = await ground.pipe(ground.headless(goalOf({steps: 3, file: 'job.txt'}))).exit;
    expect(code).toBe(1);
    expect(errorsIn(await ground.logs())).toEqual([error]);
    expect(ground.model.main()).toHaveLength(requests);
    expect(ground.model.bugs).toEqual([]);
  });
});
