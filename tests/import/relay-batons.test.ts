import {describe, expect, it} from 'vitest';
import {serialiseCheckpoint} from '../../src/baton/whole.ts';
import {type OldFile, timeIn} from '../../src/import/foundling.ts';
import {isRelayFolder, readRelayBatons} from '../../src/import/relay-batons.ts';
import {main, sample} from '../baton/samples.ts';

const changedAt = Date.parse('2026-05-01T00:00:00.000Z');
const file = (name: string, content: unknown): OldFile => ({
  name,
  text: typeof content === 'string' ? content : JSON.stringify(content),
  changedAt,
});

/** The ancestor's own example. */
const theirs = {
  timestamp: '2026-04-12T10:11:12+00:00',
  track: 'MIXED_RETRIEVAL',
  label: 'verifier-fix',
  step: 'verifier schedule fix landed',
  note: 'focused_schedule_clause_fragment added, Utah one-case proof green',
  next_cmd: 'python3 -m pytest -q tests/unit/test_document_research_verifier.py && run mixed-family forward proof',
  validation: 'green',
  branch: 'main',
  head: 'fa124d5',
  extra: {artifact: '/var/tmp/proof_run_20260412/run_report.json', defect_count: '0'},
};
const name = 'context_checkpoint_20260412T101112Z_verifier-fix';

describe('a baton of the first ancestor', () => {
  it('keeps every field', () => {
    const {foundlings, complaints} = readRelayBatons([file(`${name}.json`, theirs), file(`${name}.md`, '# x')], main);
    expect(complaints).toEqual([]);
    const {timestamp: _time, ...fields} = theirs;
    expect(foundlings).toHaveLength(1);
    expect(foundlings[0]).toMatchObject({at: Date.parse('2026-04-12T10:11:12.000Z'), draft: fields});
  });

  it.each([
    [
      'git in a map of its own',
      {branch: undefined, head: undefined, git: {branch: 'b', head: 'h'}},
      {branch: 'b', head: 'h'},
    ],
    ['extras as texts', {extra: ['a=b=c', 'd']}, {extra: {a: 'b=c', d: ''}}],
    ['extras that are no text', {extra: {n: 3, list: [1]}}, {extra: {n: '3', list: '[1]'}}],
    ['fields of its own', {mood: 'good', __proto__: null}, {extra: {mood: 'good'}}],
    ['an unknown validation', {validation: 'amber'}, {validation: 'unknown', extra: {validation: 'amber'}}],
    ['no track', {track: undefined}, {track: 'main'}],
    ['a track that is none', {track: 'a\nb'}, {track: 'main'}],
    ['no label', {label: undefined}, {label: 'verifier-fix'}],
  ])('with %s', (_what, changes, expected) => {
    const document = {...theirs, extra: undefined, ...changes};
    const [found] = readRelayBatons([file(`${name}.json`, document)], main).foundlings;
    expect(found?.draft).toMatchObject(expected);
  });

  it('of which only the page is whole is read from the page', () => {
    const page = '# Checkpoint\n\n- **Track:** X\n- **Step:** s\n- **Next cmd:** `npm test`\n- validation: green\n';
    const {foundlings} = readRelayBatons([file(`${name}.json`, '{"torn'), file(`${name}.md`, page)], main);
    expect(foundlings[0]?.draft).toMatchObject({track: 'X', step: 's', next_cmd: 'npm test', validation: 'green'});
  });

  it('that has neither is named', () => {
    expect(readRelayBatons([file(`${name}.json`, '{"torn')], main)).toMatchObject({
      foundlings: [],
      complaints: [`${name}.json: no step was found in it`],
    });
  });

  it('that is only in LATEST.json is not lost, and one that is in both comes once', () => {
    const {track, ...entry} = theirs;
    const latest = {current_track: track, tracks: {[track]: entry, OTHER: {...entry, step: 'only here'}}};
    const files = [file(`${name}.json`, theirs), file('LATEST.json', latest)];
    const found = readRelayBatons(files, main).foundlings;
    // Which track was the current one is kept too.
    expect(found.map(({draft}) => [draft.track, draft.step, draft.set_current])).toEqual([
      [track, theirs.step, true],
      ['OTHER', 'only here', false],
    ]);
  });

  it('is told from our own in the same folder', () => {
    const ours = file(`context_checkpoint_${sample().id}.json`, serialiseCheckpoint(sample()));
    expect(readRelayBatons([ours], main)).toEqual({foundlings: [], complaints: [], ours: 1});
  });
});

describe('its folder', () => {
  it('is known by its names', () => {
    expect(isRelayFolder([file(`${name}.md`, '')])).toBe(true);
    expect(isRelayFolder([file('LATEST.md', '')])).toBe(true);
    expect(isRelayFolder([file('README.md', '')])).toBe(false);
  });
});

describe('a time', () => {
  it.each([
    ['2026-04-30T03:45:00Z', '2026-04-30T03:45:00.000Z'],
    ['cp-20260430-0345.md', '2026-04-30T03:45:00.000Z'],
    ['context_checkpoint_20260412T101112Z_x', '2026-04-12T10:11:12.000Z'],
    ['20260412_101112_123456_x', '2026-04-12T10:11:12.000Z'],
    ['2026-04-12T10:11:12.123456+02:00', '2026-04-12T08:11:12.123Z'],
    ['2026-04-12 10:11:12', '2026-04-12T10:11:12.000Z'],
    ['2026-04-12', '2026-04-12T00:00:00.000Z'],
    ['20260412T101112123Z_x', '2026-04-12T10:11:12.123Z'],
  ])('is found in %s', (text, iso) => {
    expect(new Date(timeIn(text) ?? 0).toISOString()).toBe(iso);
  });

  it.each(['', 'soon', '2026-13-45', 'cp-1.md'])('is not found in %j', (text) => {
    expect(timeIn(text)).toBeUndefined();
  });
});
