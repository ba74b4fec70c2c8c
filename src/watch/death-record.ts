// certificate.json, read: why a leg ended, on what evidence, and what was decided. Written by report/certificate.ts.

import type {ExitStatus} from '../core/events.ts';
import {type Fields, fieldsOf, flagAt, inside, isFields, listAt, numberAt, textAt, timeAt} from './json-fields.ts';
import {readExit} from './run-record.ts';

export interface DeathRecord {
  leg: number;
  agent: string | undefined;
  version: string | undefined;
  track: string | undefined;
  cause: string;
  inWords: string | undefined;
  at: number | undefined;
  exit: ExitStatus | undefined;
  evidence: {channel: string; detail: string}[];
  progress: boolean | undefined;
  decision: string | undefined;
  finishedCalls: number | undefined;
  contextTokens: number | undefined;
  session: {id: string | undefined; log: string | undefined; offset: number | undefined} | undefined;
}

export const readDeathRecord = (text: string): DeathRecord | {broken: string} => {
  const fields = fieldsOf(text);
  if (fields === undefined) return {broken: 'no JSON object'};
  const cause = textAt(fields, 'cause');
  if (cause === undefined) return {broken: 'no cause in it'};
  return {
    leg: numberAt(fields, 'leg') ?? 0,
    agent: textAt(fields, 'agent'),
    version: textAt(fields, 'version'),
    track: textAt(fields, 'track'),
    cause,
    inWords: textAt(fields, 'in_words'),
    at: timeAt(fields, 'at'),
    exit: readExit(fields.exit),
    evidence: readEvidence(fields.evidence),
    progress: flagAt(fields, 'progress'),
    decision: textAt(fields, 'decision'),
    finishedCalls: numberAt(fields, 'finished_calls'),
    contextTokens: numberAt(fields, 'context_tokens'),
    session: isFields(fields.session) ? readSession(inside(fields, 'session')) : undefined,
  };
};

/** Also the evidence of a journal line. */
export const readEvidence = (value: unknown): DeathRecord['evidence'] =>
  listAt({value}, 'value')
    .filter(isFields)
    .map((one) => ({channel: textAt(one, 'channel') ?? '?', detail: textAt(one, 'detail') ?? '?'}));

const readSession = (session: Fields): DeathRecord['session'] => ({
  id: textAt(session, 'id'),
  log: textAt(session, 'log'),
  offset: numberAt(session, 'offset'),
});
