import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {childState} from '../../../src/io/agent/child-state.ts';
import {sleeperName} from '../../../src/io/agent/launcher.ts';
import {openProcesses} from '../../../src/io/agent/processes.ts';
import {openPty} from '../../../src/io/agent/pty.ts';
import {runOnPty} from '../../support/pty-run.ts';

const raw = 'stty raw -echo;';
const sh = (script: string): string[] => ['sh', '-c', script];
const allBytes = Buffer.from(Array.from({length: 256}, (_, i) => i));

describe('bytes', () => {
  test('every value comes out as it was printed', async () => {
    const script = `${raw} perl -e 'print map { chr } 0 .. 255'`;
    const run = runOnPty(sh(script));
    await run.exit;
    expect(run.output().equals(allBytes)).toBe(true);
  });

  test('every value goes in as it was typed, and back', async () => {
    const run = runOnPty(sh(`${raw} printf ready; head -c 256; printf done`));
    await expect.poll(() => run.output().toString('latin1')).toBe('ready');
    run.pty.write(allBytes);
    await run.exit;
    const echoed = run.output().subarray('ready'.length, -'done'.length);
    expect(echoed.equals(allBytes)).toBe(true);
  });

  test('characters and escapes that are cut in two stay whole', async () => {
    const text = 'é⠋🎉\x1b[38;2;1;2;3m';
    const bytes = [...Buffer.from(text)];
    const run = runOnPty([
      'perl',
      '-e',
      `$| = 1; for (${bytes.join(',')}) { print chr; select undef, undef, undef, 0.005 }`,
    ]);
    await run.exit;
    expect(run.output().toString()).toBe(text);
  });

  test('4 MB pasted in one write arrive whole, though the agent reads slowly at first', async () => {
    const size = 4 * 1024 * 1024;
    const run = runOnPty(sh(`${raw} printf ready; sleep 0.3; head -c ${size} | cksum`));
    await expect.poll(() => run.output().toString()).toBe('ready');
    const paste = Buffer.alloc(size);
    for (let i = 0; i < size; i += 1) paste[i] = (i * 7 + (i >> 11)) & 0xff;
    const folder = mkdtempSync(join(tmpdir(), 'ckpt-run-paste-'));
    writeFileSync(join(folder, 'paste'), paste);
    const want = runOnPty(sh(`${raw} printf ready; cksum < ${folder}/paste`));
    run.pty.write(paste);
    await Promise.all([run.exit, want.exit]);
    rmSync(folder, {recursive: true});
    expect(run.output().toString()).toBe(want.output().toString());
  });
});

describe('the end', () => {
  test.each([0, 1, 7, 255])('exit code %i comes through', async (code) => {
    expect(await runOnPty(sh(`exit ${code}`)).exit).toEqual({code, signal: undefined});
  });

  test.each([9, 11, 15])('death by signal %i is told as the signal', async (signal) => {
    expect(await runOnPty(sh(`kill -${signal} $$`)).exit).toEqual({code: 0, signal});
  });

  test('a dead one takes keys, sizes and signals without harm', async () => {
    const run = runOnPty(sh('exit 0'));
    await run.exit;
    run.pty.write(Buffer.from('x'));
    run.pty.resize(100, 40);
    run.pty.signal('SIGTERM', 'group');
    run.pty.pause();
    run.pty.resume();
    expect(childState(run.pty.pid)).toBe('gone');
  });

  test('hundreds of them leave no descriptor behind', async () => {
    const open = (): number => readdirSync('/proc/self/fd').length;
    await runOnPty(sh('exit 0')).exit;
    const before = open();
    for (let i = 0; i < 50; i += 1) await runOnPty(sh('exit 0')).exit;
    expect(open()).toBeLessThanOrEqual(before);
  });

  test('one that leaves a process behind on its terminal is over when it is over', async () => {
    const run = runOnPty(sh("trap '' HUP; sleep 30 & echo $!"));
    expect((await run.exit).code).toBe(0);
    process.kill(Number(run.output().toString()), 'SIGKILL');
  });
});

describe('the start', () => {
  const failing = (file: string, cwd = process.cwd()) =>
    openPty(
      {file, args: [], env: {PATH: '/usr/bin:/bin'}, cwd, cols: 80, rows: 24, stty: ''},
      {onData: () => undefined, onState: () => undefined, onExit: () => undefined},
    );

  test('a program that is not there is a failure that says where we looked', () => {
    expect(failing('no-such-program')).toMatchObject({
      ok: false,
      failure: {is: 'system', code: 'ENOENT', message: 'no-such-program is not on PATH'},
    });
    expect(failing('/no/such/program')).toMatchObject({ok: false, failure: {code: 'ENOENT'}});
    expect(failing('/etc/passwd')).toMatchObject({ok: false, failure: {code: 'EACCES'}});
    expect(failing('/bin/sh', '/no/such/folder')).toMatchObject({
      ok: false,
      failure: {message: 'there is no folder /no/such/folder'},
    });
  });

  test('the environment is the one that was given, to the last entry', async () => {
    const env = {
      PERL5OPT: '-w',
      'A.B': 'dots',
      EMPTY: '',
      NEWLINE: 'a\nb',
      TERM: 'dumb',
      PWD: '/elsewhere',
      LC_ALL: 'xx',
    };
    const run = runOnPty(['env', '-0'], {env});
    await run.exit;
    const seen = run.output().toString().replaceAll('\r\n', '\n').split('\0').filter(Boolean);
    const want = Object.entries({PATH: process.env.PATH, ...env}).map(([name, value]) => `${name}=${value}`);
    expect(seen.sort()).toEqual(want.sort());
  });

  test('it has the terminal as stdin, stdout and stderr, and no descriptor of ours', async () => {
    const run = runOnPty(['readlink', ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((fd) => `/proc/self/fd/${fd}`)]);
    await run.exit;
    const seen = run.output().toString().trim().split('\r\n');
    expect(seen.length).toBe(3);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toMatch(/^\/dev\/pts\/\d+$/);
  });

  test('it leads a session of its own, has its size, and starts with no signal ignored', async () => {
    const run = runOnPty(sh('ps -o pid=,sid=,pgid= -p $$; stty size; grep SigIgn /proc/$$/status'), {
      cols: 133,
      rows: 41,
    });
    await run.exit;
    const [ids = '', size, ignored] = run.output().toString().trim().split('\r\n');
    expect(new Set(ids.trim().split(/\s+/))).toEqual(new Set([`${run.pty.pid}`]));
    expect(size).toBe('41 133');
    expect(ignored).toMatch(/SigIgn:\s0+$/);
  });

  test('a new size reaches it', async () => {
    const run = runOnPty(sh("trap 'stty size; exit' WINCH; echo up; while :; do sleep 0.02; done"));
    await expect.poll(() => run.output().toString()).toBe('up\r\n');
    run.pty.resize(99, 33);
    await run.exit;
    expect(run.output().toString()).toBe('up\r\n33 99\r\n');
  });
});

describe('job control', () => {
  const stops: [what: string, words: string[], key: string | undefined][] = [
    ['Ctrl-Z at a plain program', sh('echo up; exec cat'), '\x1a'],
    ['SIGTSTP to its own group', sh('echo up; kill -TSTP 0; sleep 30'), undefined],
    ['SIGSTOP to itself', sh('echo up; kill -STOP $$; sleep 30'), undefined],
  ];
  test.each(stops)('%s stops it, and SIGCONT lets it go on', async (_, words, key) => {
    const run = runOnPty(words);
    await expect.poll(() => run.output().toString()).toContain('up');
    if (key !== undefined) run.pty.write(Buffer.from(key));
    await expect.poll(() => run.states).toEqual(['stopped']);
    run.pty.signal('SIGCONT', 'group');
    await expect.poll(() => run.states).toEqual(['stopped', 'running']);
    run.pty.signal('SIGKILL', 'group');
    expect((await run.exit).signal).toBe(9);
  });

  test('its two sleepers go with it, however it goes', async () => {
    for (const end of ['SIGTERM', 'SIGKILL'] as const) {
      const run = runOnPty(sh('echo up; exec sleep 30'));
      await expect.poll(() => run.output().toString()).toContain('up');
      const listed = execFileSync('ps', ['-o', 'pid=,args=', '--sid', `${run.pty.pid}`], {encoding: 'utf8'});
      const sleepers = listed
        .split('\n')
        .filter((line) => line.includes(sleeperName))
        .map((line) => Number.parseInt(line, 10));
      expect(sleepers.map(childState)).toEqual(['running', 'running']);
      // They are no processes of the agent's: nobody lists them as its work, or ends them as left over.
      expect(await openProcesses().descendants(run.pty.pid)).toEqual([]);
      run.pty.signal(end, 'process');
      await run.exit;
      await expect.poll(() => sleepers.map(childState)).toEqual(['gone', 'gone']);
    }
  });
});
