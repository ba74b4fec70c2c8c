// A run without a terminal, and the terminals that come and go.
//
//   outer pty ── ckpt-run --detach ──► (its own session) ckpt-run ── pty ── agent
//   outer pty ── ckpt attach ──────────────── live socket ──┘
//   outer pty ── ckpt attach ──────────────── live socket ──┘

import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';
import {buildDriver, type Driver} from '../support/driver.ts';
import {type Outer, openOuter} from '../support/outer-terminal.ts';
import {openPlace, type Place} from '../support/run-practice.ts';

let colours: Driver;
beforeAll(async () => {
  colours = await buildDriver('colour-test');
});
afterAll(() => colours.remove());

const dist = join(packageRoot(), 'dist');
const soon = {timeout: 30_000};

interface Started {
  run: string;
  pid: number;
}

interface Rig extends AsyncDisposable {
  place: Place;
  /** Detaches from a terminal of that size, which is closed right away. */
  detach(words: string[], size?: {cols: number; rows: number}): Promise<Started>;
  ckpt(...words: string[]): string;
  attach(size?: {cols: number; rows: number}, ...words: string[]): Outer;
  sockets(): string[];
}

const openRig = (): Rig => {
  const place = openPlace();
  const runtime = join(place.dir, 'rt');
  mkdirSync(runtime, {mode: 0o700});
  const env = {...place.env, XDG_RUNTIME_DIR: runtime};
  const pids: number[] = [];
  const program = (name: string): string[] => [
    process.execPath,
    join(dist, name === 'ckpt' ? 'ckpt.cjs' : `${name}.js`),
  ];
  return {
    place,
    detach: async (words, size = {cols: 100, rows: 30}) => {
      const told = join(place.dir, 'told.json');
      writeFileSync(told, '');
      const command = [...program('ckpt-run'), '--detach', '--json', ...words];
      const shell = ['sh', '-c', `"$@" > told.json; echo ready; exec sleep 100`, 'sh', ...command];
      await using outer = openOuter(shell, {cwd: place.dir, env, ...size});
      await expect.poll(() => outer.text(), soon).toContain('ready');
      const started = JSON.parse(readFileSync(told, 'utf8')) as Started;
      pids.push(started.pid);
      return started;
    },
    ckpt: (...words) =>
      execFileSync(process.execPath, [join(dist, 'ckpt.cjs'), ...words], {cwd: place.dir, env, encoding: 'utf8'}),
    attach: (size = {cols: 100, rows: 30}, ...words) =>
      openOuter([...program('ckpt'), 'attach', ...words], {cwd: place.dir, env, ...size}),
    sockets: () => (existsSync(join(runtime, 'ckpt-run')) ? readdirSync(join(runtime, 'ckpt-run')) : []),
    [Symbol.asyncDispose]: async () => {
      for (const pid of pids.filter(isThere)) process.kill(pid, 'SIGKILL');
      await expect.poll(() => pids.filter(isThere), soon).toEqual([]);
      await place[Symbol.asyncDispose]();
    },
  };
};

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const leave = '\x1dd';
const shows = (outer: Outer, what: string | RegExp): Promise<void> =>
  expect.poll(() => outer.text(), soon).toMatch(what);

describe('the run lives on', () => {
  test('without the terminal that started it; another one shows the same screen, cell for cell', async () => {
    await using rig = openRig();
    const agent = ['generic', process.execPath, colours.path];
    const {run, pid} = await rig.detach(agent);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, , , session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    expect([session, terminal]).toEqual([`${pid}`, '0']);
    expect(rig.ckpt('status')).toContain(`ckpt attach ${run}`);
    expect(JSON.parse(rig.ckpt('status', '--json'))).toMatchObject({runs: [{run, standing: 'live', detached: true}]});

    await using viewer = rig.attach();
    await using bare = openOuter(agent.slice(1), {cwd: rig.place.dir, env: rig.place.env, cols: 100, rows: 30});
    await shows(viewer, /100x30 ready/);
    await shows(bare, /100x30 ready/);
    await expect.poll(() => viewer.cells(), soon).toEqual(bare.cells());
    expect(viewer.modes()).toEqual(bare.modes());

    viewer.type(leave);
    expect(await viewer.exit).toEqual({code: 0, signal: undefined});
    expect(viewer.modes()).toMatchObject({changed: [], alternate: false, kitty: []});
    expect(viewer.text()).toContain(`run ${run} goes on without this terminal`);
    expect(isThere(pid)).toBe(true);
    expect(rig.ckpt('stop')).toContain('was stopped by request');
    expect(rig.sockets()).toEqual([]);
  });

  test('through legs and limits to its end, with nobody there; every step exactly once', async () => {
    await using rig = openRig();
    const {run} = await rig.detach(['--until-done', '--limit-margin', '0', 'practice']);
    await using viewer = rig.attach();
    expect(await viewer.exit).toEqual({code: 0, signal: undefined});
    expect(viewer.text()).toContain(`run ${run} is over`);
    expect(steps(rig.place)).toEqual(upTo(12));
  });

  test('SIGKILL of it in mid-leg: the viewer says how to go on, and one command does, every step once', async () => {
    await using rig = openRig();
    const script = rig.place.script([{job: {compactAfter: null, crashIn: null, limitAfter: null, stepMs: 400}}]);
    const {run, pid} = await rig.detach(['--until-done', 'practice', '--script', script, 'Run the relay.']);
    await using viewer = rig.attach();
    await shows(viewer, /step/i);
    await expect.poll(() => steps(rig.place).length, soon).toBeGreaterThanOrEqual(4);
    process.kill(pid, 'SIGKILL');
    expect(await viewer.exit).toEqual({code: 66, signal: undefined});
    expect(viewer.text()).toContain(`ckpt-run --continue-run ${run}`);
    expect(viewer.modes()).toMatchObject({changed: [], alternate: false, kitty: []});
    expect(rig.sockets()).toHaveLength(1);

    await rig.detach(['--continue-run', run]);
    await expect.poll(() => rig.ckpt('status', '--json', '--last', '1'), soon).toMatch(/"standing": "over"/);
    expect(steps(rig.place)).toEqual(upTo(12));
    expect(rig.place.journal().flatMap(({event, leg}) => (event === 'leg-spawned' ? [leg] : []))).toEqual([1, 2]);
  });
});

const steps = (place: Place): number[] =>
  place
    .file('relay.txt')
    .trimEnd()
    .split('\n')
    .flatMap((line) => /^step (\d+):/.exec(line)?.[1] ?? [])
    .map(Number);
const upTo = (last: number): number[] => Array.from({length: last}, (_, at) => at + 1);

/** Echoes every byte that it gets, as hex, with the kitty keyboard on; its first line tells its size at every change. */
const ECHO = `process.stdin.setRawMode(true);
const o=process.stdout, say=()=>o.write('\\x1b7\\x1b[1;1Hsize '+o.columns+'x'+o.rows+' \\x1b8');
o.write('\\x1b[?1049h\\x1b[>7u\\x1b[?2004h\\x1b[3;1H');say();o.on('resize',say);
process.stdin.on('data',(d)=>o.write(d.toString('hex')+' '));`;

describe('viewers', () => {
  test('two at once type and see the same; the smaller one decides the size; each leaves alone', async () => {
    await using rig = openRig();
    await rig.detach(['generic', process.execPath, '-e', ECHO]);
    await using one = rig.attach();
    await shows(one, /size 100x30/);
    await using two = rig.attach({cols: 80, rows: 40});
    await shows(two, /size 80x30/);
    await shows(one, /size 80x30/);
    one.type('a');
    await shows(two, /61/);
    two.type('b');
    await shows(one, /61 62/);
    // Of 100 columns only 80 are used: what both show is the same.
    expect(one.text()).toBe(two.text());
    two.resize(90, 20);
    await shows(one, /size 90x20/);
    // The chord as the kitty keyboard writes it, with the releases of its keys.
    two.type('\x1b[93;5:1u\x1b[93;5:3u\x1b[100;1:1u\x1b[100;1:3u');
    expect((await two.exit).code).toBe(0);
    expect(two.modes()).toMatchObject({changed: [], alternate: false, kitty: []});
    await shows(one, /size 100x30/);
    one.type('c');
    await shows(one, /61 62 63/);
    one.type(leave);
    expect((await one.exit).code).toBe(0);
  });

  test('everything but the chord reaches the agent, byte by byte', async () => {
    await using rig = openRig();
    const count = `process.stdin.setRawMode(true);const all=[];console.log('up');
process.stdin.on('data',(d)=>{all.push(d);if(Buffer.concat(all).length>=514)console.log('got '+Buffer.concat(all).toString('base64')+' end');});`;
    await rig.detach(['generic', process.execPath, '-e', count], {cols: 400, rows: 30});
    await using viewer = rig.attach({cols: 400, rows: 30});
    await shows(viewer, /up/);
    const bytes = Buffer.from(Array.from({length: 512}, (_, at) => (at * 7) % 256));
    viewer.pty.write(Buffer.concat([bytes, Buffer.from('\x1dx')]));
    await shows(viewer, / end/);
    const got = /got ([\w+/=\s]+) end/.exec(viewer.text())?.[1]?.replaceAll(/\s/g, '');
    expect(Buffer.from(got ?? '', 'base64').toString('hex')).toBe(`${bytes.toString('hex')}1d78`);
    viewer.type(leave);
    await viewer.exit;
  });

  test('one that stands still holds nobody up, and is shown the screen when it reads again', async () => {
    await using rig = openRig();
    const flood = `let n=0;const o=process.stdout;const more=()=>{if(n++<4000){o.write(('line '+n+' ').padEnd(90,'x')+'\\r\\n'.repeat(1)+'y'.repeat(3000)+'\\r\\n',more)}else{o.write('\\x1b[2J\\x1b[Hflood over');require('fs').writeFileSync('over','');setInterval(()=>{},1000)}};process.stdin.once('data',more);o.write('up')`;
    await rig.detach(['generic', process.execPath, '-e', flood]);
    await using stuck = rig.attach();
    await shows(stuck, /up/);
    stuck.pty.pause();
    stuck.type('go\r');
    // 12 MB have gone by, with a viewer that reads nothing.
    await expect.poll(() => existsSync(join(rig.place.dir, 'over')), soon).toBe(true);
    stuck.pty.resume();
    await expect.poll(() => stuck.text(), soon).toBe('flood over');
    stuck.type(leave);
    expect((await stuck.exit).code).toBe(0);
  });

  test('a signal to the viewer gives the terminal back too, and the run goes on', async () => {
    await using rig = openRig();
    const {pid} = await rig.detach(['generic', process.execPath, '-e', ECHO]);
    await using viewer = rig.attach();
    await shows(viewer, /size/);
    viewer.pty.signal('SIGTERM', 'process');
    expect((await viewer.exit).signal).toBe(15);
    expect(viewer.modes()).toMatchObject({changed: [], alternate: false, kitty: []});
    expect(isThere(pid)).toBe(true);
  });
});

describe('what is said', () => {
  test('a start that fails is told with the agent’s own words and code', async () => {
    await using rig = openRig();
    const script = 'echo no such model; exit 3';
    const {code, stderr} = await rig.place.pipes(['--detach', 'generic', 'sh', '-c', script]);
    expect([code, stderr.includes('no such model')]).toEqual([3, true]);
    expect((await rig.place.pipes(['--detach', 'nobody'])).code).toBe(64);
  });

  test('sockets are for this person alone; those of dead runs are removed', async () => {
    await using rig = openRig();
    const {pid} = await rig.detach(['generic', 'sleep', '100']);
    const folder = join(rig.place.dir, 'rt', 'ckpt-run');
    const [name = ''] = rig.sockets();
    expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600]);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isThere(pid), soon).toBe(false);
    expect(rig.sockets()).toEqual([name]);
    execFileSync('touch', ['-d', '1 minute ago', join(folder, name)]);
    const {run} = await rig.detach(['generic', 'sleep', '100']);
    expect(rig.sockets()).toEqual([`${run}.sock`]);
  });
});
