// `ckpt status`, `runs`, `why`, `log` against a made-up world.

import {beforeAll, describe, expect, it} from 'vitest';
import {DIR, watchRig} from '../../fakes/watch.ts';
import {certificateJson, journal, OTHER, RUN, runJson} from '../../watch/samples.ts';

beforeAll(() => {
  process.env.TZ = 'UTC';
});

const ended = (fields: object = {}) => runJson({run: OTHER, state: 'over', outcome: {is: 'done', note: ''}, ...fields});
const two = {[RUN]: {json: runJson(), alive: true, deaths: {2: certificateJson()}}, [OTHER]: {json: ended()}};

describe('ckpt status', () => {
  it('shows the live runs first, then the last ones', async () => {
    const rig = watchRig({runs: two});
    expect(await rig.ckpt('status')).toBe(0);
    expect(rig.seen.out).toMatch(/^● r-20261118.*deaths {6}1.*next_cmd.*\n\n○ r-20261117.*over/s);
  });

  it('as JSON has a shape that scripts can count on', async () => {
    const rig = watchRig({runs: two});
    await rig.ckpt('--json', 'status');
    const told = JSON.parse(rig.seen.out);
    expect(told.dir).toBe(DIR);
    expect(told.runs).toMatchObject([
      {run: RUN, standing: 'live', state: 'working', leg: 3, deaths: {total: 1}, budget: {failures: 1, legs: 5}},
      {run: OTHER, standing: 'over', outcome: {is: 'done'}, outcome_words: 'done'},
    ]);
  });

  it('shows as many ended ones as asked for', async () => {
    const rig = watchRig({runs: two});
    await rig.ckpt('status', '--last', '0');
    expect(rig.seen.out).not.toContain(OTHER);
  });

  it('where no run has been says where to look, and leaves with 66', async () => {
    const rig = watchRig();
    expect(await rig.ckpt('status')).toBe(66);
    expect(rig.seen.err).toContain('ckpt runs');
  });

  it('names a run.json that cannot be read, and shows the others', async () => {
    const rig = watchRig({runs: {...two, 'r-20261116-000000-dead': {json: '{"run": "r-2026'}}});
    expect(await rig.ckpt('status')).toBe(0);
    expect(rig.seen.err).toContain('run.json of r-20261116-000000-dead cannot be read');
    expect(rig.seen.out).toContain(OTHER);
  });

  it('called by the run’s own agent knows that the run lives, whatever pids the sandbox shows', async () => {
    const rig = watchRig({runs: {[RUN]: {json: runJson(), alive: false}}, env: {CKPT_RUN: RUN}});
    await rig.ckpt('status');
    expect(rig.seen.out).toMatch(/^● /);
  });

  it('with --watch draws in place until Ctrl-C, and gives the screen back', async () => {
    const rig = watchRig({
      runs: two,
      terminal: {columns: 80, rows: 10},
      pauses: [() => rig.change(RUN, {json: runJson({state: 'waiting'})}), () => {}],
    });
    expect(await rig.ckpt('status', '--watch')).toBe(0);
    const {out} = rig.seen;
    expect(out.startsWith('\u001b[?1049h\u001b[?25l\u001b[H')).toBe(true);
    expect(out.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
    expect(out).toContain('waiting for');
    // What does not fit is counted, not scrolled.
    expect(out).toMatch(/… \d more lines/);
  });

  it('with --watch into a pipe prints JSON lines, and only when something changed', async () => {
    const change = () => rig.change(RUN, {json: runJson({leg: 4})});
    const rig = watchRig({runs: two, pauses: [() => {}, change, () => {}]});
    await rig.ckpt('--json', 'status', '--watch');
    const lines = rig.seen.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({runs}) => runs[0].leg)).toEqual([3, 4]);
    expect(rig.seen.out).not.toContain('\u001b');
  });
});

describe('ckpt runs', () => {
  const pointers = [
    {run: RUN as never, dir: DIR, root: '/repo', registeredAt: 0},
    {run: OTHER as never, dir: '/elsewhere/c', root: '/elsewhere', registeredAt: 0},
    {run: 'r-20200101-000000-0000' as never, dir: '/gone', root: '/gone', registeredAt: 0},
  ];

  it('lists the runs of all repositories with their folders, and drops stale pointers first', async () => {
    const rig = watchRig({runs: {...two, [OTHER]: {json: ended(), dir: '/elsewhere/c'}}, pointers});
    expect(await rig.ckpt('runs')).toBe(0);
    const lines = rig.seen.out.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^● .*\/repo$/);
    expect(lines[1]).toMatch(/^○ .*\/elsewhere$/);
    expect(rig.pruned()).toBe(1);
  });

  it('without any says so', async () => {
    const rig = watchRig();
    expect(await rig.ckpt('runs')).toBe(0);
    expect(rig.seen.err).toContain('no run is known');
  });
});

describe('ckpt why', () => {
  const lines = [
    journal({event: 'leg-spawned', leg: 2, pid: 5, at: '2026-11-18T09:50:00Z'}),
    'torn {',
    journal({run: OTHER, event: 'busy'}),
    journal({event: 'compaction-started', trigger: 'auto', death: 'compaction', from: 'working', state: 'capturing'}),
  ];

  it('tells of the last leg that died, with the journal around it', async () => {
    const rig = watchRig({runs: two, journal: lines});
    expect(await rig.ckpt('why')).toBe(0);
    expect(rig.seen.out).toContain(`run       ${RUN}, leg 2 of claude 2.1.326, track main`);
    expect(rig.seen.out).toContain('after 8 min');
    expect(rig.seen.out).toContain('† compaction');
    expect(rig.seen.out).not.toContain(OTHER);
    expect(rig.followers()).toBe(0);
  });

  it.each([[['4f2a']], [['2']], [[RUN, '2']], [['4f2a', 'leg-002']]])('finds it by %j', async (words) => {
    const rig = watchRig({runs: two, journal: lines});
    expect(await rig.ckpt('why', ...words)).toBe(0);
    expect(rig.seen.out).toContain(`${RUN}, leg 2`);
  });

  it('as JSON gives the certificate and the lines', async () => {
    const rig = watchRig({runs: two, journal: lines});
    await rig.ckpt('--json', 'why');
    expect(JSON.parse(rig.seen.out)).toMatchObject({
      ...{run: RUN, leg: 2, cause: 'compaction', decision: 'leg 3 in 0 ms'},
      journal: [{event: 'leg-spawned'}, {event: 'compaction-started'}],
    });
  });

  it.each([
    ['an ended run', [OTHER], 'no leg died; done'],
    ['a leg that lives', [RUN, '3'], 'leg 3 is alive (working for 14 min)'],
  ])('of %s says what there is to say', async (_name, words, said) => {
    const rig = watchRig({runs: two});
    expect(await rig.ckpt('why', ...words)).toBe(0);
    expect(rig.seen.out).toContain(said);
  });

  it('of a lost run says that its process is gone, and how to go on', async () => {
    const rig = watchRig({runs: {[RUN]: {json: runJson()}}});
    await rig.ckpt('why');
    expect(rig.seen.out).toContain('its process is gone');
    expect(rig.seen.out).toContain(`ckpt-run --continue-run ${RUN}`);
  });

  it.each([
    ['an unknown run', ['beef'], 66],
    ['a leg without certificate', [RUN, '9'], 66],
    ['a word that is no leg', [RUN, 'x'], 64],
    ['a part that fits both', ['r-2026'], 64],
  ])('%s is refused', async (_name, words, code) => {
    const rig = watchRig({runs: two});
    expect(await rig.ckpt('why', ...words)).toBe(code);
    expect(rig.seen.out).toBe('');
  });

  it('a torn certificate is told as such', async () => {
    const rig = watchRig({runs: {[RUN]: {json: runJson(), deaths: {1: '{"cause":"kil'}}}});
    expect(await rig.ckpt('why', RUN, '1')).toBe(66);
    expect(rig.seen.err).toContain('cannot be read: no JSON object');
  });

  it('finds a run of another repository by its pointer', async () => {
    const pointers = [{run: OTHER as never, dir: '/elsewhere/c', root: '/elsewhere', registeredAt: 0}];
    const rig = watchRig({runs: {[OTHER]: {json: ended(), dir: '/elsewhere/c'}}, pointers});
    expect(await rig.ckpt('why', OTHER)).toBe(0);
    expect(rig.seen.out).toContain(OTHER);
  });
});

describe('ckpt log', () => {
  const lines = [
    journal({event: 'run-began', at: '2026-11-17T23:59:59Z'}),
    journal({event: 'busy'}),
    journal({event: 'busy', run: OTHER}),
    'half a li',
  ];

  it('shows all runs with their names, days apart, and what cannot be read as it is', async () => {
    const rig = watchRig({runs: two, journal: lines});
    expect(await rig.ckpt('log')).toBe(0);
    expect(rig.seen.out).toBe(
      [
        ...['── 2026-11-17 ──', `23:59:59  ${RUN}  leg 2  the run began`],
        ...['── 2026-11-18 ──', `09:58:00  ${RUN}  leg 2  works`, `09:58:00  ${OTHER}  leg 2  works`],
        ...['(not readable: "half a li")', ''],
      ].join('\n'),
    );
  });

  it('shows one run alone, and as many lines as asked for', async () => {
    const rig = watchRig({runs: two, journal: lines});
    await rig.ckpt('log', '4f2a', '-n', '1');
    expect(rig.seen.out).toBe('── 2026-11-18 ──\n09:58:00  leg 2  works\n');
  });

  it('keeps only the newest of a long journal', async () => {
    const many = Array.from({length: 5000}, (_, number) => journal({event: 'timer-fired', name: `n${number}`}));
    const rig = watchRig({runs: two, journal: many});
    await rig.ckpt('log', '-n', '3');
    expect(rig.seen.out.match(/n\d+/g)).toEqual(['n4997', 'n4998', 'n4999']);
  });

  it('follows until Ctrl-C', async () => {
    const rig = watchRig({runs: two, journal: lines, pauses: [() => rig.write(journal({event: 'idle'})), () => {}]});
    await rig.ckpt('log', '-f', '-n', '0');
    expect(rig.seen.out).toContain('its turn is over');
    expect(rig.seen.out).not.toContain('the run began');
    expect(rig.followers()).toBe(0);
  });

  it('follows one run to its end and no further', async () => {
    const end = journal({event: 'agent-exited', exit: {code: 0}, from: 'finishing', state: 'over'});
    const never = () => expect.unreachable('it went on after the end');
    const rig = watchRig({runs: two, journal: lines, pauses: [() => rig.write(end), never]});
    expect(await rig.ckpt('log', '-f', RUN)).toBe(0);
    expect(rig.seen.out).toContain('finishing → over');
  });

  it('as JSON gives whole lines of ours and nothing else', async () => {
    const rig = watchRig({runs: two, journal: lines});
    await rig.ckpt('--json', 'log');
    expect(
      rig.seen.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(['run-began', 'busy', 'busy']);
  });

  it('of an empty journal says so', async () => {
    const rig = watchRig();
    expect(await rig.ckpt('log')).toBe(0);
    expect(rig.seen.err).toContain('nothing has been written');
  });
});
