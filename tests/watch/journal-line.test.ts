import {beforeAll, describe, expect, it} from 'vitest';
import {eventTypes} from '../../src/core/events.ts';
import {dayLine, journalWords, readJournalLine} from '../../src/watch/journal-line.ts';
import {journal, RUN} from './samples.ts';

beforeAll(() => {
  process.env.TZ = 'UTC';
});

const words = (fields: object, withRun = false): string => {
  const line = readJournalLine(journal(fields));
  if (line === undefined) throw new Error('not read');
  return journalWords(line, {withRun});
};

describe('a line of the journal in words', () => {
  it.each([
    [{event: 'run-began', leg: 1}, '09:58:00  leg 1  the run began'],
    [{event: 'leg-spawned', pid: 77}, '09:58:00  leg 2  the agent was started (pid 77)'],
    [{event: 'agent-exited', exit: {code: 0, signal: 9}, meaning: 'killed'}, '… the agent ended: signal 9 (killed)'],
    [{event: 'agent-exited', exit: {code: 3}, meaning: 'crashed'}, '… the agent ended: exit 3 (crashed)'],
    [{event: 'checkpoint-written', id: 'X', progress: false}, '… checkpoint X, no progress seen'],
    [{event: 'quit-asked', signal: 15}, '… asked to end (signal 15)'],
    [{event: 'done-asked', note: 'all green'}, '… told that the work is done: all green'],
    [{event: 'limit', resetsAt: Date.parse('2026-11-18T14:00:00Z')}, '… usage limit, resets at 2026-11-18 14:00:00'],
    [{event: 'compaction-started', trigger: 'manual'}, "… compaction is about to begin (the person's own)"],
    [{event: 'fault', what: 'no screen'}, '… a fault of ckpt-run: no screen'],
  ])('%j', (fields, expected) => {
    expect(words(fields)).toBe(expected.replace('… ', '09:58:00  leg 2  '));
  });

  it('shows how it is known, what changed and of what the leg died', () => {
    const evidence = [{channel: 'hook', detail: 'PreCompact(auto)'}];
    const told = {
      event: 'compaction-started',
      trigger: 'auto',
      evidence,
      proof: true,
      from: 'working',
      state: 'capturing',
    };
    expect(words({...told, death: 'compaction'})).toBe(
      '09:58:00  leg 2  compaction is about to begin (automatic) [hook: PreCompact(auto)]  working → capturing  † compaction',
    );
  });

  it('says so when the evidence is only what the screen showed', () => {
    const evidence = [{channel: 'screen', detail: 'limit'}];
    expect(words({event: 'limit', evidence, proof: false})).toContain('[screen: limit; no proof]');
  });

  it('names the run where several are mixed', () => {
    expect(words({}, true)).toBe(`09:58:00  ${RUN}  leg 2  works`);
  });

  it('of an event that a later version knows shows its name and plain fields', () => {
    expect(words({event: 'teleported', to: 'mars', hops: 3, deep: {x: 1}})).toBe(
      '09:58:00  leg 2  teleported to=mars hops=3',
    );
  });

  it('lets no control character of the agent reach the terminal', () => {
    const told = words({event: 'waiting-for-person', what: 'a\u001b]52;c;eA==\u0007b\nc'});
    expect(told).toContain('waits for a person: ab ⏎ c');
  });

  it('has words of its own for every event that there is', () => {
    for (const event of eventTypes) {
      const told = words({event, what: 'x', id: 'x', name: 'x', marker: 'unknown words would show this'});
      expect(told).not.toContain('marker=');
    }
  });
});

it.each(['', 'x', '{"at":"never","run":"a","event":"b"}', '{"run":"a"}', '[]', journal({}).slice(0, 50)])(
  'a line %j is none of ours',
  (line) => {
    expect(readJournalLine(line)).toBeUndefined();
  },
);

it('a new day is announced once', () => {
  const at = Date.parse('2026-11-18T00:00:01Z');
  expect(dayLine(at, undefined)).toBe('── 2026-11-18 ──');
  expect(dayLine(at, at - 2000)).toBe('── 2026-11-18 ──');
  expect(dayLine(at + 1000, at)).toBeUndefined();
});
