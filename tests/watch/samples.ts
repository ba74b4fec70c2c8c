import {readDeathRecord} from '../../src/watch/death-record.ts';
import {readRunRecord} from '../../src/watch/run-record.ts';

export const RUN = 'r-20261118-091500-4f2a';
export const OTHER = 'r-20261117-080000-00aa';
export const T0 = Date.parse('2026-11-18T09:15:00.000Z');

/** run.json as the run loop and io/runs/run-files.ts write it. */
export const runJson = (fields: object = {}): string =>
  JSON.stringify({
    ...{schema_version: 1, run: RUN, agent: 'claude', version: '2.1.326', argv: ['/bin/claude'], track: 'main'},
    ...{cwd: '/project', started_at: '2026-11-18T09:15:00.000Z', updated_at: '2026-11-18T10:00:00.000Z'},
    ...{state: 'working', since: '2026-11-18T10:00:00.000Z', leg: 3, checkpoint: '20261118T095900000Z_step'},
    budget: {failures: 1, legs: 5, window_ms: 900_000, max_legs: 200, ends_at: '2026-11-21T09:15:00.000Z'},
    ...{pid: 4711, born: '12345'},
    ...fields,
  });

export const record = (fields: object = {}) => {
  const read = readRunRecord(runJson(fields));
  if ('broken' in read) throw new Error(read.broken);
  return read;
};

/** certificate.json as report/certificate.ts writes it. */
export const certificateJson = (fields: object = {}): string =>
  JSON.stringify({
    ...{schema_version: 1, run: RUN, leg: 2, track: 'main', agent: 'claude', version: '2.1.326', cause: 'compaction'},
    in_words: 'its context is full and was about to be compacted (hook: PreCompact(auto))',
    ...{at: '2026-11-18T09:58:00.000Z', evidence: [{channel: 'hook', detail: 'PreCompact(auto)'}], progress: true},
    ...{decision: 'leg 3 in 0 ms', finished_calls: 14, context_tokens: 180_000},
    session: {id: 's-1', log: '/home/me/.claude/s-1.jsonl', offset: 1234},
    ...fields,
  });

export const death = (fields: object = {}) => {
  const read = readDeathRecord(certificateJson(fields));
  if ('broken' in read) throw new Error(read.broken);
  return read;
};

export const journal = (fields: object): string =>
  JSON.stringify({at: '2026-11-18T09:58:00.000Z', run: RUN, leg: 2, event: 'busy', state: 'working', ...fields});
