import {beforeAll, expect, it} from 'vitest';
import {type JournalLine, readJournalLine} from '../../src/watch/journal-line.ts';
import {aroundDeath, whyText} from '../../src/watch/why-words.ts';
import {death, journal, RUN} from './samples.ts';

beforeAll(() => {
  process.env.TZ = 'UTC';
});

const now = Date.parse('2026-11-18T10:14:00Z');
const at = Date.parse('2026-11-18T09:58:00Z');
const lines = (...all: object[]): JournalLine[] => all.map((fields) => readJournalLine(journal(fields)) as JournalLine);

it('a death is told with its time, cause, evidence, decision, session and files', () => {
  const around = lines({
    event: 'compaction-started',
    trigger: 'auto',
    from: 'working',
    state: 'capturing',
    death: 'compaction',
  });
  const measured = {secondsToUptake: 4.2, actionsToFirstEdit: 1, commandsRepeated: [], filesReread: ['a.ts']};
  const handoffs = [
    {leg: 2, baton: 'c1', ...measured},
    {leg: 3, baton: 'c2', ...measured, secondsToUptake: undefined, actionsToFirstEdit: undefined},
  ];
  const explained = {
    run: RUN,
    leg: 2,
    handoffs,
    death: death({exit: {code: 0, signal: 9}}),
    spawnedAt: at - 23 * 60_000,
  };
  expect(whyText({...explained, around, files: ['/c/certificate.json', '/c/baton.md'], now})).toBe(
    [
      `run       ${RUN}, leg 2 of claude 2.1.326, track main`,
      'died      2026-11-18 09:58:00, 16 min ago, after 23 min',
      'why       its context is full and was about to be compacted (hook: PreCompact(auto))',
      'evidence  hook: PreCompact(auto)',
      'exit      signal 9',
      'progress  yes (14 finished tool calls)',
      'decided   leg 3 in 0 ms',
      'handoff   leg 2 took up after 4.2 s, first edit after 1 action, 0 commands repeated, 1 file re-read',
      '          leg 3 not taken up, no edit yet, 0 commands repeated, 1 file re-read',
      'context   180000 tokens',
      'session   s-1, /home/me/.claude/s-1.jsonl, byte 1234',
      'files     /c/certificate.json',
      '          /c/baton.md',
      '',
      'journal',
      '  09:58:00  leg 2  compaction is about to begin (automatic)  working → capturing  † compaction',
      '',
    ].join('\n'),
  );
});

it('a certificate of a few fields is still told', () => {
  const poor = death({
    in_words: undefined,
    evidence: undefined,
    session: undefined,
    at: undefined,
    decision: undefined,
  });
  const text = whyText({run: RUN, leg: 2, death: poor, handoffs: [], spawnedAt: undefined, around: [], files: [], now});
  expect(text).toContain('why       compaction\n');
  expect(text).toContain('evidence  none was written down\n');
  expect(text).not.toContain('journal');
});

it('of the journal it takes what led to the death and what came of it', () => {
  const busy = Array.from({length: 40}, (_, second) => ({at: new Date(at - 60_000 + second * 1000).toISOString()}));
  const after = Array.from({length: 20}, () => ({event: 'timer-fired', at: new Date(at + 5000).toISOString()}));
  const all = lines(
    ...busy,
    {event: 'agent-exited', death: 'killed', from: 'working', state: 'capturing'},
    ...after,
    {event: 'leg-spawned', leg: 3},
    {event: 'ready', leg: 3},
    {event: 'busy', leg: 3},
    {event: 'busy', leg: 1},
  );
  const taken = aroundDeath(all, {leg: 2, at});
  expect(taken.map(({event}) => event)).toEqual([
    ...Array.from({length: 12}, () => 'busy'),
    'agent-exited',
    ...Array.from({length: 8}, () => 'timer-fired'),
    'leg-spawned',
    'ready',
  ]);
});

it('without a line of the death the time of the certificate is the middle', () => {
  const all = lines({at: new Date(at - 1000).toISOString()}, {at: new Date(at + 1000).toISOString(), event: 'idle'});
  expect(aroundDeath(all, {leg: 2, at}).map(({event}) => event)).toEqual(['busy', 'idle']);
  expect(aroundDeath([], {leg: 2, at: undefined})).toEqual([]);
});
