import fc from 'fast-check';
import {describe, expect, it, test} from 'vitest';
import {readDeathRecord} from '../../src/watch/death-record.ts';
import {readJournalLine} from '../../src/watch/journal-line.ts';
import {isStale, pointerText, readPointer} from '../../src/watch/run-pointer.ts';
import {readOutcome, readRunRecord} from '../../src/watch/run-record.ts';
import {readRunRemains} from '../../src/watch/run-remains.ts';
import {certificateJson, death, RUN, record, runJson, T0} from './samples.ts';

describe('run.json', () => {
  it('is read with its times, numbers and what it waits for', () => {
    const waits = {for: 'limit', until: '2026-11-18T14:00:00.000Z'};
    expect(record({state: 'waiting', waits})).toMatchObject({
      ...{run: RUN, agent: 'claude', version: '2.1.326', track: 'main', leg: 3, pid: 4711, born: '12345'},
      ...{startedAt: T0, since: Date.parse('2026-11-18T10:00:00Z'), state: 'waiting'},
      waits: {for: 'limit', until: Date.parse('2026-11-18T14:00:00Z')},
      budget: {failures: 1, legs: 5, windowMs: 900_000, maxLegs: 200, endsAt: Date.parse('2026-11-21T09:15:00Z')},
    });
  });

  it('of an older version has no budget and no waits, and its last change tells since when', () => {
    const old = record({budget: undefined, since: undefined});
    expect(old).toMatchObject({budget: undefined, waits: undefined, since: Date.parse('2026-11-18T10:00:00Z')});
  });

  it.each([
    ['torn in the middle', runJson().slice(0, 60)],
    ['empty', ''],
    ['a list', '[1]'],
    ['without a run', '{"state":"working"}'],
    ['with a run that is a path', '{"run":"../../etc"}'],
  ])('that is %s is called broken, with a reason', (_name, text) => {
    expect(readRunRecord(text)).toEqual({broken: expect.stringMatching(/\w/)});
  });

  it('with fields of other kinds is still read', () => {
    const strange = {
      agent: 7,
      version: {},
      argv: 'x',
      track: null,
      leg: 'three',
      pid: '4711',
      waits: [],
      outcome: 'done',
    };
    expect(record(strange)).toMatchObject({
      agent: '?',
      track: '?',
      leg: 0,
      pid: undefined,
      argv: [],
      outcome: undefined,
    });
  });

  it.each([
    [{is: 'ended', exit: {code: 0}}],
    [{is: 'done', note: 'all of it'}],
    [{is: 'start-failed', exit: {code: 2}}],
    [{is: 'spawn-failed', what: 'ENOENT'}],
    [{is: 'gave-up', exit: {code: 1}, why: 'no credits'}],
    [{is: 'parked', why: '5 legs without progress'}],
    [{is: 'quit', signal: 15, exit: {code: 0, signal: 9}}],
  ])('keeps the outcome %j', (outcome) => {
    expect(readOutcome(outcome)).toMatchObject(outcome);
  });

  it('with an outcome of a later version has none that we know', () => {
    expect(readOutcome({is: 'teleported'})).toBeUndefined();
    expect(readOutcome({is: 'ended'})).toBeUndefined();
  });
});

describe('certificate.json', () => {
  it('is read whole', () => {
    expect(death({exit: {code: 0, signal: 9}})).toEqual({
      ...{leg: 2, agent: 'claude', version: '2.1.326', track: 'main', cause: 'compaction'},
      inWords: 'its context is full and was about to be compacted (hook: PreCompact(auto))',
      ...{at: Date.parse('2026-11-18T09:58:00Z'), exit: {code: 0, signal: 9}},
      evidence: [{channel: 'hook', detail: 'PreCompact(auto)'}],
      ...{progress: true, decision: 'leg 3 in 0 ms', finishedCalls: 14, contextTokens: 180_000},
      session: {id: 's-1', log: '/home/me/.claude/s-1.jsonl', offset: 1234},
    });
  });

  it('without a cause, or torn, is called broken', () => {
    expect(readDeathRecord('{}')).toEqual({broken: 'no cause in it'});
    expect(readDeathRecord(certificateJson().slice(0, 40))).toEqual({broken: 'no JSON object'});
  });
});

describe('a pointer', () => {
  const pointer = {run: RUN as never, dir: '/p/runtime/checkpoints', root: '/p', registeredAt: T0};

  it('comes back as it was written', () => {
    expect(readPointer(pointerText(pointer))).toEqual(pointer);
  });

  it.each(['', '{', '{"run":"r-x","dir":"/p"}', `{"run":"${RUN}","dir":"relative"}`, `{"run":"${RUN}"}`])(
    'that is %j is none',
    (text) => {
      expect(readPointer(text)).toBeUndefined();
    },
  );

  const DAY = 86_400_000;
  it.each([
    ['whose run is over', pointer, 'over', 29, 31],
    ['whose run is gone', pointer, 'gone', 6, 8],
    ['whose run was never ended', pointer, 'open', 89, 91],
    ['that cannot be read', undefined, 'gone', 0.9, 1.1],
  ] as const)('%s is kept for a while, then stale', (_name, one, is, young, old) => {
    expect(isStale(one, {is, age: young * DAY})).toBe(false);
    expect(isStale(one, {is, age: old * DAY})).toBe(true);
  });
});

it('no text whatever makes a reader throw', () => {
  const json = fc.oneof(fc.string(), fc.json(), fc.constantFrom(runJson(), certificateJson()));
  fc.assert(
    fc.property(json, fc.nat(400), (text, cut) => {
      for (const read of [readRunRecord, readDeathRecord, readJournalLine, readPointer]) {
        read(text);
        read(text.slice(0, cut));
      }
      return true;
    }),
    {numRuns: 500},
  );
});

test('a run.json whose count of captures is broken lets the run go on', () => {
  for (const captures of [-1, 1.5, 1e308]) {
    const text = JSON.stringify({words: ['claude'], leg: 2, ledger: {startedAt: 1, captures}});
    expect(readRunRemains(text)).toMatchObject({leg: 2, ledger: {captures: 0}});
  }
});
