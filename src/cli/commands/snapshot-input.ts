// One JSON document on stdin, for agents whose shell would eat the quotes of a long note. Lists take plain strings,
// in the same forms as the flags; unknown fields are kept.

import type {WithWhy} from '../../baton/checkpoint.ts';
import {readSnapshotInput} from '../../baton/schema.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {asTask, bad, type DraftFields, fileWithWhy, withWhy} from './snapshot-flags.ts';

export const fieldsFromInput = (text: string): Result<DraftFields> => {
  const read = readSnapshotInput(text);
  if (!read.ok)
    return fail(
      bad(`the document on stdin is wrong: ${read.what}`, 'give one JSON object with the names of ckpt resume --json'),
    );
  const {summary, step, active_files, decisions_made, tried_failed, tasks, ...rest} = read.value;
  const stepText = step ?? summary;
  const kept = Object.entries(rest).filter(([key, value]) => value !== undefined && !ourOwn.has(key));
  return ok({
    ...Object.fromEntries(kept),
    ...(stepText === undefined ? {} : {step: stepText}),
    ...(active_files === undefined ? {} : {active_files: active_files.map((one) => reasoned(one, fileWithWhy))}),
    ...(decisions_made === undefined ? {} : {decisions_made: decisions_made.map((one) => reasoned(one, withWhy))}),
    ...(tried_failed === undefined ? {} : {tried_failed: tried_failed.map((one) => reasoned(one, withWhy))}),
    ...(tasks === undefined ? {} : {tasks: tasks.map((one) => (typeof one === 'string' ? asTask(one) : one))}),
  });
};

/** Fields that the store and the run alone may say something about. */
const ourOwn = new Set([
  ...['schema_version', 'id', 'number', 'born', 'run', 'leg', 'consumed_by', 'closed', 'conversation', 'provenance'],
  ...['branch', 'head', 'dirty_files', 'in_flight', 'recent_calls', 'last_words', 'workspace'],
]);

const reasoned = (
  entry: string | {what: string; why?: string | undefined},
  parse: (text: string) => WithWhy,
): WithWhy => (typeof entry === 'string' ? parse(entry) : {what: entry.what, why: entry.why});
