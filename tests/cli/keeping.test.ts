import {describe, expect, it} from 'vitest';
import {makeConfig} from '../../src/config/config.ts';
import {fail, ok} from '../../src/core/failure.ts';
import type {CheckpointId, Track} from '../../src/core/ids.ts';
import {run, sample} from '../baton/samples.ts';
import {rig, words} from './world-rig.ts';

describe('ckpt prune', () => {
  const history = Array.from({length: 12}, (_, n) => {
    const at = `202611${10 + n}T090000000Z`;
    const [id, born] = [`${at}_n` as CheckpointId, `2026-11-${10 + n}T09:00:00.000Z`];
    return sample({id, born, number: n + 1, trigger: n === 0 ? 'manual' : 'interval'});
  });

  it('keeps the last ten automatic ones by default, says what went and why the rest stayed', async () => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt('prune')).toBe(0);
    expect(seen.prunes).toEqual([{rule: {keep: 10, bornBefore: undefined, all: undefined}, dry: false}]);
    expect(seen.out).toMatch(/^removed 1:\n {2}2 {2}2026/);
    expect(seen.out).toContain('11 stay: 1 saved by name, 9 among the newest, 1 newest of its track');
  });

  it('takes a number, an age or a date, and can only say what it would do', async () => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt(...words('prune --keep 3 --older-than 2d --dry-run --all'))).toBe(0);
    expect(await ckpt(...words('prune --older-than 2026-11-12 --json'))).toBe(0);
    expect(seen.prunes).toEqual([
      {rule: {keep: 3, bornBefore: Date.parse('2026-11-16T12:00:00.000Z'), all: true}, dry: true},
      {rule: {keep: 10, bornBefore: Date.parse('2026-11-12T00:00:00.000Z'), all: undefined}, dry: false},
    ]);
    expect(seen.out).toContain('would remove');
    expect(JSON.parse(seen.out.slice(seen.out.indexOf('{')))).toMatchObject({dry_run: false, removed: [{number: 2}]});
  });

  it.each([
    ['--keep -1', '--keep'],
    ['--keep many', '"many"'],
    ['--keep 1.5', '"1.5"'],
    ['--older-than yesterday', '"yesterday"'],
    ['--older-than 7', '7d'],
    ['--older-than 2026-13-01', '"2026-13-01"'],
  ])('%s is refused, and nothing is touched', async (line, said) => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt('prune', ...words(line))).toBe(64);
    expect(seen.err).toContain(said);
    expect(seen.prunes).toEqual([]);
  });
});

describe('the limit of automatic checkpoints', () => {
  const snapshot = words('snapshot --track t --step s --next-cmd n');

  it('is kept after each of them, from the config', async () => {
    const config = ok({...makeConfig([]), maxCheckpoints: 7});
    const {seen, ckpt} = rig({config});
    expect(await ckpt(...snapshot, '--trigger', 'interval')).toBe(0);
    expect(seen.retained).toEqual([7]);
  });

  it('has nothing to do with what was saved by name', async () => {
    const {seen, ckpt} = rig();
    expect(await ckpt(...snapshot)).toBe(0);
    expect(seen.retained).toEqual([]);
  });

  it('that cannot be kept is told; the checkpoint is saved', async () => {
    const config = fail({is: 'bad-config' as const, file: 'ckpt.yaml', line: 3, what: 'wrong', fix: 'mend it'});
    const {seen, ckpt} = rig({config});
    expect(await ckpt(...snapshot, '--trigger', 'phase')).toBe(0);
    expect(seen.drafts).toHaveLength(1);
    expect(seen.err).toMatch(/is saved.*\n.*ckpt\.yaml:3: wrong\n {2}mend it/);
  });
});

describe('ckpt import', () => {
  const changedAt = 0;

  it('knows which ancestor’s folder it is', async () => {
    const session = rig({
      oldFiles: [{name: 'checkpoints/cp-20260430-0315.md', text: '# Found it\nNext: go', changedAt}],
    });
    expect(await session.ckpt(...words('import .session --track auth'))).toBe(0);
    expect(session.seen.adopted).toMatchObject([{draft: {step: 'Found it', next_cmd: 'go', track: 'auth'}}]);
    expect(session.seen.out).toContain('1 imported');
    const text = '{"step": "s", "track": "T", "next_cmd": "n"}';
    const relay = rig({oldFiles: [{name: 'context_checkpoint_20260412T101112Z_x.json', text, changedAt}]});
    expect(await relay.ckpt(...words('import runtime/checkpoints --json'))).toBe(0);
    expect(relay.seen.adopted).toMatchObject([{draft: {step: 's', track: 'T'}}]);
    expect(JSON.parse(relay.seen.out)).toMatchObject({known: 0, ours: 0, left_out: []});
  });

  it('says what it left out, and what the old config means here', async () => {
    const {seen, ckpt} = rig({
      oldFiles: [
        {name: 'current.md', text: '## Summary\nx', changedAt},
        {name: 'checkpoints/cp-1.md', text: 'nothing', changedAt},
        {name: 'config.json', text: '{"maxCheckpoints": 20}', changedAt},
      ],
    });
    expect(await ckpt('import', '.session')).toBe(0);
    expect(seen.err).toContain('left out: checkpoints/cp-1.md');
    expect(seen.out).toContain('ckpt.yaml:\nmaxCheckpoints: 20\n');
  });

  it('of anything else is 66', async () => {
    const {seen, ckpt} = rig({oldFiles: [{name: 'README.md', text: '', changedAt}]});
    expect(await ckpt('import', 'docs')).toBe(66);
    expect(seen.err).toContain('nothing to import in docs');
    expect(seen.adopted).toEqual([]);
  });
});

describe('ckpt task', () => {
  it('adds to the tasks of the track and shows them all', async () => {
    const {seen, ckpt} = rig({history: [sample()]});
    expect(await ckpt('task', 'add', 'ship it', 'tell them')).toBe(0);
    expect(seen.drafts[0]?.tasks.map(({title}) => title)).toEqual(['parser', 'tests', 'ship it', 'tell them']);
    expect(seen.drafts[0]).toMatchObject({label: 'task-add', step: sample().step, goal: sample().goal, track: 'main'});
    expect(seen.out).toMatch(/3 {3}pending {4}ship it/);
    expect(seen.out).toContain('1 completed, 3 pending');
  });

  it.each([
    ['start', 'in_progress'],
    ['done', 'completed'],
    ['fail', 'failed'],
    ['skip', 'skipped'],
  ])('%s changes one', async (verb, state) => {
    const {seen, ckpt} = rig({history: [sample()], env: {CKPT_RUN: run, CKPT_LEG: '2', CKPT_TRACK: 'main'}});
    expect(await ckpt('task', verb, 'tests', '--json')).toBe(0);
    expect(seen.drafts[0]).toMatchObject({trigger: 'agent', run, leg: 2});
    expect(JSON.parse(seen.out)).toEqual({
      track: 'main',
      tasks: [
        {title: 'parser', state: 'completed'},
        {title: 'tests', state},
      ],
    });
  });

  it('that is so already writes nothing and is no failure', async () => {
    const {seen, ckpt} = rig({history: [sample()]});
    expect(await ckpt('task', 'done', 'parser')).toBe(0);
    expect(seen.drafts).toEqual([]);
  });

  it('begins the track main where there is none, or the one that is named', async () => {
    const {seen, ckpt} = rig();
    expect(await ckpt('task', 'add', 'first')).toBe(0);
    expect(await ckpt('task', 'add', 'other', '--track', 'side')).toBe(0);
    expect(seen.drafts.map(({track, next_cmd}) => [track, next_cmd])).toEqual([
      ['main', 'work on the task: first'],
      ['side', 'work on the task: other'],
    ]);
  });

  it.each([
    [['add'], 64],
    [['add', ' '], 64],
    [['add', 'a\nb'], 64],
    [['start', '9'], 66],
    [['start', 'a', 'b'], 64],
    [['dance'], 64],
    [['list', '--track', 'a\nb'], 64],
  ])('%j ends with %i and writes nothing', async (args, code) => {
    const {seen, ckpt} = rig({history: [sample()]});
    expect(await ckpt('task', ...args)).toBe(code);
    expect(seen.drafts).toEqual([]);
    expect(seen.err).not.toBe('');
  });

  it('list of a track without any says so', async () => {
    const {seen, ckpt} = rig({history: [sample({track: 't' as Track, tasks: []})]});
    expect(await ckpt('task', 'list')).toBe(0);
    expect(seen.err).toBe('no task on track t\n');
  });
});
