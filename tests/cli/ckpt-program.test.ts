import {describe, expect, it} from 'vitest';
import {fail} from '../../src/core/failure.ts';
import type {CheckpointId} from '../../src/core/ids.ts';
import {type main, run, sample} from '../baton/samples.ts';
import {rig, words} from './world-rig.ts';

describe('ckpt snapshot', () => {
  it('takes every field by its flag', async () => {
    const {seen, ckpt} = rig();
    const code = await ckpt(
      ...words('--repo-root . snapshot --step done --note learned --next-cmd "npm test" --label fix --track MIXED'),
      ...words('--validation green --extra artifact=/a=b --extra defects=0 --active-file src/a.ts:parser'),
      ...words('--decided "JWT — race" --tried-failed "HS256 -> exposure" --next-step later --task write'),
      ...words('--task "completed: read" --artifact /r.json --trigger before_refactor --no-set-current --goal it'),
    );
    expect(seen.err).toBe('');
    expect(code).toBe(0);
    expect(seen.opened).toMatchObject([{repoRoot: '.'}]);
    expect(seen.drafts[0]).toMatchObject({
      step: 'done',
      note: 'learned',
      next_cmd: 'npm test',
      label: 'fix',
      track: 'MIXED',
      validation: 'green',
      extra: {artifact: '/a=b', defects: '0'},
      active_files: [{what: 'src/a.ts', why: 'parser'}],
      decisions_made: [{what: 'JWT', why: 'race'}],
      tried_failed: [{what: 'HS256', why: 'exposure'}],
      next_steps: ['later'],
      tasks: [
        {title: 'write', state: 'pending'},
        {title: 'read', state: 'completed'},
      ],
      artifacts: ['/r.json'],
      trigger: 'before_refactor',
      set_current: false,
      goal: 'it',
      branch: 'main',
      head: sample().head,
      dirty_files: ['src/a.ts'],
    });
  });

  const whole = '--track t --step s --next-cmd n';
  it.each([
    ['no track', '--step s --next-cmd n', '--track'],
    ['no step', '--track t --next-cmd n', '--step'],
    ['an empty step', '--track t --step "" --next-cmd n', '--step'],
    ['no next command', '--track t --step s', '--next-cmd'],
    ['an extra without =', `${whole} --extra broken`, '"broken"'],
    ['an extra without key', `${whole} --extra =x`, '"=x"'],
    ['an extra named __proto__', `${whole} --extra __proto__=x`, '__proto__'],
    ['an unknown validation', `${whole} --validation maybe`, '"maybe"'],
    ['an unknown trigger', `${whole} --trigger whim`, '"whim"'],
    ['an unknown flag', `${whole} --wrong`, '--wrong'],
    ['a flag without its value', `${whole} --note`, '--note'],
  ])('%s fails at once with 64, says which, and writes nothing', async (_name, line, said) => {
    const {seen, ckpt} = rig();
    expect(await ckpt('snapshot', ...words(line))).toBe(64);
    expect(seen.err).toContain(said);
    expect(seen.drafts).toEqual([]);
    expect(seen.out).toBe('');
  });

  it('names everything that is missing together', async () => {
    const {seen, ckpt} = rig();
    await ckpt('snapshot');
    expect(seen.err).toMatch(/--track.*--step.*--next-cmd/);
  });

  it('takes track, run and leg from the run, and carries on what it knows', async () => {
    const env = {CKPT_TRACK: 'main', CKPT_RUN: run, CKPT_LEG: '2'};
    const {seen, ckpt} = rig({env, history: [sample()]});
    expect(await ckpt('snapshot', '--step', 's', '--next-cmd', 'n')).toBe(0);
    expect(seen.drafts[0]).toMatchObject({track: 'main', run, leg: 2, trigger: 'agent', goal: sample().goal});
    expect(seen.drafts[0]?.recent_calls).toEqual(sample().recent_calls);
  });

  it('takes one JSON document from stdin; flags win; what it may not say is dropped', async () => {
    const document = {
      summary: 'from stdin',
      next_cmd: 'n',
      track: 't',
      note: 'multi\nline "quoted"',
      tasks: ['in_progress: x', {title: 'y', state: 'failed'}],
      active_files: ['a.ts:why', {what: 'b.ts'}],
      extra: {count: 3},
      weather: 'grey',
      consumed_by: {run: 'r', leg: 1, at: ''},
      recent_calls: ['forged'],
    };
    const {seen, ckpt} = rig({input: JSON.stringify(document)});
    expect(await ckpt('snapshot', '--stdin', '--track', 'flag', '--extra', 'a=b')).toBe(0);
    const [draft] = seen.drafts;
    expect(draft).toMatchObject({
      step: 'from stdin',
      track: 'flag',
      note: document.note,
      extra: {count: '3', a: 'b'},
      weather: 'grey',
    });
    expect(draft?.tasks).toEqual([
      {title: 'x', state: 'in_progress'},
      {title: 'y', state: 'failed'},
    ]);
    expect(draft?.active_files).toEqual([
      {what: 'a.ts', why: 'why'},
      {what: 'b.ts', why: undefined},
    ]);
    expect(draft).not.toHaveProperty('consumed_by');
    expect(draft?.recent_calls).toEqual([]);
  });

  it.each(['', 'no json', '[]', '{"step": 1}'])('refuses %j on stdin', async (input) => {
    const {seen, ckpt} = rig({input});
    expect(await ckpt('snapshot', '--stdin', '--track', 't')).toBe(64);
    expect(seen.drafts).toEqual([]);
  });

  it('passes the store’s failure on, with its exit code', async () => {
    const {seen, ckpt} = rig({saved: fail({is: 'store-unusable', path: '/x', what: 'ENOSPC'})});
    expect(await ckpt('snapshot', ...words(whole))).toBe(73);
    expect(seen.err).toContain('ENOSPC');
  });
});

describe('ckpt resume', () => {
  it('prints one key a line, whatever the values are', async () => {
    const {seen, ckpt} = rig({
      history: [sample({note: 'two\nlines \\ and\u001b[31m red', next_cmd: 'grep "a\\|b" x'})],
    });
    expect(await ckpt('resume', '--live')).toBe(0);
    const lines = seen.out.trimEnd().split('\n');
    expect(lines.slice(0, 7)).toEqual([
      'track=main',
      'step=the parser is written',
      'note=two\\nlines \\\\ and red',
      'branch=main',
      'head=fa124d5fa124',
      'next_cmd=grep "a\\|b" x',
      'validation=green',
    ]);
    expect(lines.every((line) => /^[\w.]+=/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe('drift=none');
  });

  it('says what has drifted', async () => {
    const {seen, ckpt} = rig({history: [sample({branch: 'old'})]});
    await ckpt('resume', '--live', '--json');
    expect(JSON.parse(seen.out)).toMatchObject({step: sample().step, drift: 'branch was old, is now main'});
  });

  it('takes the asked track, then the run’s, then the current one', async () => {
    const history = [sample({step: 'A'}), sample({track: 'b' as typeof main, step: 'B', set_current: false})];
    for (const [env, args, step] of [
      [{}, [], 'A'],
      [{CKPT_TRACK: 'b'}, [], 'B'],
      [{CKPT_TRACK: 'b'}, ['--track', 'main'], 'A'],
    ] as const) {
      const {seen, ckpt} = rig({history, env});
      expect(await ckpt('resume', ...args)).toBe(0);
      expect(seen.out).toContain(`step=${step}\n`);
    }
  });

  it('of nothing is 66', async () => {
    expect(await rig().ckpt('resume')).toBe(66);
    expect(await rig({history: [sample()]}).ckpt('resume', '--track', 'nowhere')).toBe(66);
  });
});

describe('looking', () => {
  const history = [
    sample({number: 1, label: 'one'}),
    sample({id: '20261118T091700000Z_two' as CheckpointId, number: 2, label: 'two', step: 'second'}),
  ];

  it.each(['2', 'two', '20261118T091700000Z_two'])('ckpt show %s', async (which) => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt('show', which)).toBe(0);
    expect(seen.out).toMatch(/^# second\n/);
  });

  it('ckpt show of what is not there is 66', async () => {
    expect(await rig({history}).ckpt('show', '7')).toBe(66);
  });

  it.each(['list', 'tracks', 'latest', 'protocol'])('ckpt %s, for people and as JSON', async (command) => {
    const people = rig({history});
    expect(await people.ckpt(command)).toBe(0);
    expect(people.seen.out).not.toBe('');
    const json = rig({history});
    expect(await json.ckpt(command, '--json')).toBe(0);
    expect(() => JSON.parse(json.seen.out)).not.toThrow();
    const empty = rig();
    await empty.ckpt(command, '--json');
    expect(() => JSON.parse(empty.seen.out)).not.toThrow();
  });
});

describe('requests to the run', () => {
  it.each(['done', 'handoff'] as const)('ckpt %s drops a file into the spool', async (name) => {
    const {seen, ckpt} = rig({env: {CKPT_RUN: run, CKPT_DIR: '/c'}});
    expect(await ckpt(name, '--note', 'why')).toBe(0);
    expect(seen.requests).toEqual([{spool: `/c/runs/${run}/spool`, name, payload: {note: 'why'}}]);
  });

  it.each([{}, {CKPT_RUN: run}, {CKPT_RUN: '../../x', CKPT_DIR: '/c'}])(
    'says so when there is no run: %j',
    async (env) => {
      const {seen, ckpt} = rig({env});
      expect(await ckpt('done')).toBe(66);
      expect(seen.err).toContain('no run');
      expect(seen.requests).toEqual([]);
    },
  );
});

describe('the words', () => {
  it.each([
    [['--help'], 0],
    [['snapshot', '--help'], 0],
    [[], 64],
    [['dance'], 64],
    [['show'], 64],
    [['list', 'too', 'many'], 64],
  ])('%j ends with %i', async (args, code) => {
    expect(await rig().ckpt(...args)).toBe(code);
  });
});
