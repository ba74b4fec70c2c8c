import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {childState} from '../../../src/io/agent/child-state.ts';
import {buildDriver, type Driver} from '../../support/driver.ts';
import {type Outer, openOuter} from '../../support/outer-terminal.ts';
import {runOnPty} from '../../support/pty-run.ts';

let driver: Driver;
let note: string;
beforeAll(async () => {
  driver = await buildDriver('stage-driver');
  note = join(driver.folder, 'note');
});
afterAll(() => driver.remove());
beforeEach(() => rmSync(note, {force: true}));

/** The stage around some shell, on a terminal. */
const wrapped = (script: string, told: Record<string, string> = {}): Outer =>
  openOuter([process.execPath, driver.path, 'sh', '-c', script], {
    cwd: driver.folder,
    env: {STAGE_NOTE: note, ...told},
  });

/** A line of shell on the same terminal before and after; `$W` is the stage around `sh -c`. */
const between = (line: string, told: Record<string, string> = {}): Outer => {
  const env = {W: `${process.execPath} ${driver.path} sh -c`, STAGE_NOTE: note, ...told};
  return openOuter(['sh', '-c', line], {cwd: driver.folder, env});
};

const notes = (): Record<string, unknown>[] =>
  existsSync(note)
    ? readFileSync(note, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];
const noted = (is: string): Record<string, unknown> | undefined => notes().find((one) => one.is === is);
const shows = (outer: Outer, what: string): Promise<void> =>
  expect.poll(() => outer.raw().toString(), {timeout: 20_000}).toContain(what);

const allBytes = Buffer.from(Array.from({length: 256}, (_, i) => i));

describe('bytes', () => {
  test('every value comes out to the person as the agent printed it', async () => {
    await using outer = wrapped(`stty raw; perl -e 'print map { chr } 0 .. 255'`);
    await outer.exit;
    expect(outer.raw().equals(allBytes)).toBe(true);
  });

  test('every value goes in as the person typed it', async () => {
    await using outer = wrapped('stty raw -echo; printf ready; head -c 256; printf done');
    await shows(outer, 'ready');
    outer.pty.write(allBytes);
    await outer.exit;
    expect(outer.raw().subarray(5, -4).equals(allBytes)).toBe(true);
  });

  test('20 MB pass whole through a terminal that stands still for a while, and memory stays small', async () => {
    const piece = Buffer.from(Array.from({length: 100_000}, (_, i) => (i + 1) % 251));
    const script = `stty raw; perl -e 'my $b = join "", map { chr($_ % 251) } 1 .. 100000; print $b for 1 .. 200'`;
    // No screen: only the bytes count here.
    const outer = runOnPty([process.execPath, driver.path, 'sh', '-c', script], {env: {STAGE_NOTE: note}});
    await expect.poll(() => outer.output().length, {timeout: 20_000}).toBeGreaterThan(0);
    outer.pty.pause();
    const resident = (): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${outer.pty.pid}/status`, 'utf8'))?.[1]) / 1024;
    let most = 0;
    for (const until = Date.now() + 500; Date.now() < until; await new Promise(setImmediate)) {
      most = Math.max(most, resident());
    }
    outer.pty.resume();
    expect(await outer.exit).toEqual({code: 0, signal: undefined});
    const got = outer.output();
    expect(got.length).toBe(20_000_000);
    for (let at = 0; at < got.length; at += piece.length) {
      expect(got.subarray(at, at + piece.length).equals(piece)).toBe(true);
    }
    expect(most).toBeLessThan(150);
  });

  test('a tap that throws is dropped and noted, and the person sees everything', async () => {
    await using outer = wrapped('echo one; sleep 0.1; echo two', {STAGE_FAULT: 'tap'});
    expect(await outer.exit).toEqual({code: 0, signal: undefined});
    expect(outer.raw().toString()).toBe('one\r\ntwo\r\n');
    expect(notes().filter(({is}) => is === 'fault')).toEqual([
      {is: 'fault', what: 'onOutput failed and is off for this leg: a tap that fails'},
    ]);
  });
});

describe('the agent’s terminal', () => {
  test('has the person’s size, and follows it', async () => {
    const script = "stty size; trap 'stty size; exit' WINCH; echo up; while :; do sleep 0.02; done";
    await using outer = wrapped(script);
    await shows(outer, 'up');
    outer.resize(99, 33);
    await outer.exit;
    expect(outer.raw().toString()).toBe('24 80\r\nup\r\n33 99\r\n');
    expect(notes().filter(({is}) => is === 'size')).toEqual([
      {is: 'size', cols: 80, rows: 24},
      {is: 'size', cols: 99, rows: 33},
    ]);
  });

  test('has the person’s own line settings', async () => {
    await using outer = between('stty erase ^H -ixon iutf8 -echoctl; stty -g; $W "stty -g"');
    await outer.exit;
    const [before, inside] = outer.raw().toString().trim().split('\r\n');
    expect(inside).toBe(before);
  });

  test.each([
    ['exit 0', {code: 0, signal: undefined}, 0],
    ['exit 7', {code: 7, signal: undefined}, 7],
    ['exit 255', {code: 255, signal: undefined}, 255],
    ['kill -9 $$', {code: 0, signal: 9}, 137],
    ['kill -11 $$', {code: 0, signal: 11}, 139],
    ['kill -15 $$', {code: 0, signal: 15}, 143],
  ])('%s ends it as it ends bare', async (script, status, code) => {
    await using outer = wrapped(script);
    expect(await outer.exit).toEqual({code, signal: undefined});
    expect(noted('exit')).toEqual({
      is: 'exit',
      heard: 0,
      code: status.code,
      ...(status.signal && {signal: status.signal}),
    });
  });
});

const dirty =
  'printf "\\033[?1049h\\033[?1000h\\033[?1002h\\033[?1006h\\033[?2004h\\033[?1004h\\033[>7u\\033[?25l\\033[1;31m\\033]0;title\\007"';

describe('the terminal afterwards', () => {
  const fresh = {changed: [], alternate: false, kitty: [], otherKeys: false, title: '', states: []};

  test('has none of the modes that a killed agent had turned on', async () => {
    await using outer = between(`echo before; $W '${dirty}; kill -9 $$'; echo after`);
    await outer.exit;
    expect(outer.modes()).toEqual(fresh);
    expect(outer.text()).toBe('before\nafter');
    expect(outer.cells()[1]).toBe('{0,-1,0,-1,0,0,0,0,0,0,0,0,0}after');
  });

  test('keeps what the agent has not touched', async () => {
    await using outer = between(`printf "\\033[?2004h\\033[?1004h"; $W 'printf "\\033[?1000h"; kill -9 $$'`);
    await outer.exit;
    expect(outer.modes().changed).toEqual([1004, 2004]);
  });

  const waysOut: [how: string, line: string, told: Record<string, string>, status: string][] = [
    ['the agent ends', '$W "exit 4"', {}, '4'],
    ['the agent is killed', `$W '${dirty}; kill -9 $$'`, {}, '137'],
    ['an error of ours is caught by nobody', `$W '${dirty}; sleep 9'`, {STAGE_FAULT: 'error'}, '1'],
    ['SIGTERM, handled by nobody', `$W '${dirty}; kill -TERM $PPID; sleep 9'`, {}, '143'],
    ['SIGHUP, handled by nobody', `$W '${dirty}; kill -HUP $PPID; sleep 9'`, {}, '129'],
    ['SIGINT, handled by nobody', `$W '${dirty}; kill -INT $PPID; sleep 9'`, {}, '130'],
    ['SIGTERM, handled by the run', `$W '${dirty}; kill -TERM $PPID; sleep 9'`, {STAGE_LISTEN: 'SIGTERM'}, '3'],
    ['a program that is not there', `${process.execPath} $DRIVER no-such-program`, {}, '127'],
  ];
  test.each(waysOut)('is as it was found: %s', async (_, line, told, status) => {
    const env = {...told, DRIVER: driver.path};
    await using outer = between(`stty -g; stty -echoctl -ixon; stty -g; ${line}; echo "status $?"; stty -g`, env);
    await outer.exit;
    const lines = outer.raw().toString().split('\r\n');
    const settings = lines.filter((one) => /^[0-9a-f:]{40,}$/.test(one));
    expect(settings.length).toBe(3);
    expect(settings[2]).toBe(settings[1]);
    expect(settings[1]).not.toBe(settings[0]);
    expect(outer.modes()).toEqual(fresh);
    expect(outer.raw().toString()).toContain(`status ${status}`);
  });

  test('an agent whose wrapper was killed ends too', async () => {
    await using outer = wrapped('echo up; sleep 30');
    await shows(outer, 'up');
    await expect.poll(() => noted('started')).toBeDefined();
    outer.pty.signal('SIGKILL', 'process');
    await outer.exit;
    await expect.poll(() => childState(Number(noted('started')?.pid))).toBe('gone');
  });
});

describe('what we say', () => {
  test('comes between legs, on lines of its own, never over the agent’s screen', async () => {
    await using outer = wrapped(`${dirty}; printf half; sleep 0.1; kill -9 $$`, {
      STAGE_LEGS: '2',
      STAGE_SAY: 'a notice',
    });
    await outer.exit;
    const raw = outer.raw().toString();
    for (const leg of raw.split('a notice').slice(0, 2)) expect(leg).toContain('\x1b[?1049l');
    expect(
      outer
        .text()
        .split('\n')
        .filter((line) => line === 'a notice').length,
    ).toBe(2);
  });
});

describe('what is typed while no agent is there', () => {
  test('is dropped: a stray Enter answers nothing of the next leg', async () => {
    const script = 'stty -echo; echo up; read -r line; echo "got <$line>"';
    await using outer = wrapped(script, {STAGE_LEGS: '2', STAGE_REST: '400', STAGE_SAY: 'resting'});
    await shows(outer, 'up');
    outer.type('first\r');
    await shows(outer, 'resting');
    outer.type('y\r\rstray\r');
    await expect.poll(() => outer.raw().toString().split('up').length).toBe(3);
    outer.type('second\r');
    await outer.exit;
    expect(
      outer
        .raw()
        .toString()
        .match(/got <.*?>/g),
    ).toEqual(['got <first>', 'got <second>']);
  });

  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-C as kitty sends it', '\x1b[99;5u'],
  ])('%s quits', async (_, key) => {
    await using outer = wrapped('true', {STAGE_LEGS: '2', STAGE_REST: '20000', STAGE_SAY: 'resting'});
    await shows(outer, 'resting');
    outer.type(key);
    expect((await outer.exit).code).toBe(130);
    expect(noted('quit-key')).toBeDefined();
  });
});

describe('stop', () => {
  const stop = async (script: string, steps: object[]): Promise<Record<string, unknown> | undefined> => {
    rmSync(note, {force: true});
    await using outer = wrapped(script, {STAGE_STOP: JSON.stringify(steps)});
    await outer.exit;
    return noted('stopped');
  };
  const kill = {signal: 'SIGKILL', waitMs: 3000};

  test('says which step ended the agent', async () => {
    const key = {key: '\x04', waitMs: 3000};
    const term = {signal: 'SIGTERM', waitMs: 300};
    const ended = (endedBy: string, forced: boolean) => ({is: 'stopped', endedBy, forced});
    expect(await stop('echo up; cat', [key, kill])).toEqual(ended('key ^D', false));
    expect(await stop('echo up; sleep 30', [term, kill])).toEqual(ended('SIGTERM', false));
    expect(await stop("trap '' TERM; echo up; while :; do sleep 0.1; done", [term, kill])).toEqual(
      ended('SIGKILL', true),
    );
    expect(await stop("trap '' TERM; echo up; while :; do sleep 0.1; done", [term])).toEqual(ended('SIGKILL', true));
    expect(await stop('echo up; sleep 30', [])).toEqual(ended('SIGKILL', true));
  });
});
