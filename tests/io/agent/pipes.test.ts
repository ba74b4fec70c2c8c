import {type ExecFileException, execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {childState} from '../../../src/io/agent/child-state.ts';
import {buildDriver, type Driver} from '../../support/driver.ts';

let driver: Driver;
let wrapped: string;
let note: string;
let temp: string;
beforeAll(async () => {
  driver = await buildDriver('stage-driver');
  wrapped = `${process.execPath} ${driver.path}`;
  note = join(driver.folder, 'note');
  temp = join(driver.folder, 'temp');
  mkdirSync(temp);
});
afterAll(() => driver.remove());
beforeEach(() => rmSync(note, {force: true}));

interface Outcome {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** Runs a line of shell, so that the pipes are those that people have. */
const shell = (line: string, told: Record<string, string> = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = {PATH: process.env.PATH, TMPDIR: temp, STAGE_KIND: 'pipes', STAGE_NOTE: note, ...told};
    const options = {env, cwd: driver.folder, encoding: 'buffer' as const, maxBuffer: 1e9};
    execFile('bash', ['--norc', '-c', line], options, (error: ExecFileException | null, stdout, stderr) => {
      resolve({code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr: stderr.toString()});
    });
  });

const notes = (): Record<string, unknown>[] =>
  readFileSync(note, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const leftOvers = (): string[] => readdirSync(temp);

const randomBytes = (size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  let seed = 12345;
  for (let i = 0; i < size; i += 1) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    bytes[i] = seed >> 16;
  }
  return bytes;
};

describe('stdout', () => {
  test('every byte value passes, and nothing else', async () => {
    const all = Buffer.from(Array.from({length: 256}, (_, i) => i));
    writeFileSync(join(driver.folder, 'all'), all);
    const {stdout, stderr} = await shell(`${wrapped} cat all | cat`);
    expect(stdout.equals(all)).toBe(true);
    expect(stderr).toBe('');
  });

  test('20 MB pass whole, held back or streamed, to a pipe and to a file', async () => {
    const big = randomBytes(20 * 1024 * 1024);
    writeFileSync(join(driver.folder, 'big'), big);
    for (const told of [{}, {STAGE_STREAM: '1'}]) {
      const piped = await shell(`${wrapped} cat big | cat`, told);
      expect(sha(piped.stdout)).toBe(sha(big));
      await shell(`${wrapped} cat big > copy`, told);
      expect(sha(readFileSync(join(driver.folder, 'copy')))).toBe(sha(big));
    }
    expect(leftOvers()).toEqual([]);
  });

  test('a file that is appended to keeps what it had', async () => {
    writeFileSync(join(driver.folder, 'log'), 'before\n');
    await shell(`${wrapped} echo after >> log`);
    expect(readFileSync(join(driver.folder, 'log'), 'utf8')).toBe('before\nafter\n');
  });

  test('a slow reader gets it all', async () => {
    const {stdout} = await shell(
      `${wrapped} sh -c 'seq 1 300000' | sh -c 'for i in 1 2 3 4 5; do head -c 10000; sleep 0.1; done; cat'`,
      {STAGE_STREAM: '1'},
    );
    const lines = stdout.toString().trim().split('\n');
    expect(lines.length).toBe(300000);
    expect(lines.every((line, index) => line === `${index + 1}`)).toBe(true);
  });

  test('only the last leg is given, where stdout is held back', async () => {
    const {stdout} = await shell(`${wrapped} sh -c 'echo leg >> legs; wc -l < legs' | cat`, {STAGE_LEGS: '3'});
    expect(stdout.toString().trim()).toBe('3');
    rmSync(join(driver.folder, 'legs'));
  });

  test('legs come one behind the other, where stdout is streamed', async () => {
    const {stdout} = await shell(`${wrapped} sh -c 'echo leg >> legs; wc -l < legs' | cat`, {
      STAGE_LEGS: '3',
      STAGE_STREAM: '1',
    });
    expect(stdout.toString().replaceAll(' ', '')).toBe('1\n2\n3\n');
    rmSync(join(driver.folder, 'legs'));
  });

  test('streamed bytes do not wait for the end', async () => {
    // The agent ends only when its own output has come round.
    const line = `rm -f seen; ${wrapped} sh -c 'echo early; until [ -s seen ]; do sleep 0.02; done' | { head -n 1 > seen; cat; }`;
    const {code} = await shell(line, {STAGE_STREAM: '1'});
    expect(code).toBe(0);
    expect(readFileSync(join(driver.folder, 'seen'), 'utf8')).toBe('early\n');
  });

  test('a reader that goes away ends the agent as it would end it bare', async () => {
    const line = (agent: string) => `${agent} sh -c 'yes; echo "$?" >&2' | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const bare = await shell(line(''));
    const ours = await shell(line(wrapped), {STAGE_STREAM: '1'});
    expect(ours.stdout.toString()).toBe(bare.stdout.toString());
    expect(ours.stderr).toBe(bare.stderr);
  });

  test('the last words of an agent that dies at once are there', async () => {
    const {stdout, code} = await shell(
      `${wrapped} sh -c 'head -c 60000 /dev/zero; kill -9 $$' | cat; exit "\${PIPESTATUS[0]}"`,
    );
    expect(stdout.length).toBe(60000);
    expect(code).toBe(137);
  });

  test('an agent that leaves a process behind with its stdout is over when it is over', async () => {
    const {stdout} = await shell(`${wrapped} sh -c 'sleep 30 2>/dev/null & echo $!' | cat`);
    process.kill(Number(stdout.toString()), 'SIGKILL');
    expect(notes().some((one) => one.is === 'exit')).toBe(true);
  });
});

describe('stderr', () => {
  test('stays apart, and our own words go there', async () => {
    const {stdout, stderr} = await shell(`${wrapped} sh -c 'echo out; echo err >&2' | cat`, {STAGE_SAY: 'ours'});
    expect(stdout.toString()).toBe('out\n');
    expect(stderr).toBe('err\nours\n');
  });

  test('loses nothing when it is the same pipe as stdout', async () => {
    const {stdout} = await shell(`${wrapped} sh -c 'seq 1 200000 >&2' 2>&1 | sh -c 'sleep 0.3; cat'`);
    expect(stdout.toString().trim().split('\n').length).toBe(200000);
  });
});

describe('stdin', () => {
  test('every byte and the end reach each leg', async () => {
    const bytes = randomBytes(5 * 1024 * 1024);
    writeFileSync(join(driver.folder, 'in'), bytes);
    const want = sha(bytes);
    for (const source of ['cat in |', '< in']) {
      const line = source.startsWith('<')
        ? `${wrapped} sha256sum - ${source} | cat`
        : `${source} ${wrapped} sha256sum - | cat`;
      const {stdout} = await shell(line, {STAGE_LEGS: '3', STAGE_STREAM: '1'});
      expect(stdout.toString()).toBe(`${want}  -\n`.repeat(3));
    }
    expect(leftOvers()).toEqual([]);
  });

  test('what arrives later reaches a later leg behind what came before', async () => {
    // Leg 1 ends after the first line; the second line is written only then.
    const line =
      `rm -f one; { echo first; until [ -e one ]; do sleep 0.02; done; echo second; } | ` +
      `${wrapped} sh -c 'read a; echo "$a"; if [ -e one ]; then cat; else touch one; fi' | cat`;
    const {stdout} = await shell(line, {STAGE_LEGS: '2', STAGE_STREAM: '1'});
    expect(stdout.toString()).toBe('first\nfirst\nsecond\n');
  });

  test('can be opened by name, as a pipe can', async () => {
    const {stdout, stderr} = await shell(`echo hello | ${wrapped} sh -c 'cat /dev/stdin > /dev/stdout' | cat`);
    expect(stderr).toBe('');
    expect(stdout.toString()).toBe('hello\n');
  });

  test('can be opened by name long after its end, and again', async () => {
    const agent = 'sleep 0.5; cat /dev/stdin; cat /dev/stdin; echo over';
    const {stdout} = await shell(`echo hello | ${wrapped} sh -c '${agent}' | cat`);
    expect(stdout.toString()).toBe('hello\nover\n');
  });

  test('an agent that does not read it ends all the same', async () => {
    const {stdout, code} = await shell(`head -c 3000000 /dev/zero | ${wrapped} echo done | cat`);
    expect(stdout.toString()).toBe('done\n');
    expect(code).toBe(0);
  });

  test('/dev/null is /dev/null', async () => {
    const {stdout} = await shell(`${wrapped} readlink /proc/self/fd/0 < /dev/null | cat`);
    expect(stdout.toString()).toBe('/dev/null\n');
  });
});

describe('the end', () => {
  test('codes and signals come through', async () => {
    for (const [agent, code, want] of [
      ['exit 0', 0, {code: 0, heard: 0}],
      ['exit 7', 7, {code: 7, heard: 0}],
      ['exit 255', 255, {code: 255, heard: 0}],
      ['kill -15 $$', 143, {code: 0, signal: 15, heard: 0}],
      ['kill -11 $$', 139, {code: 0, signal: 11, heard: 0}],
    ] as const) {
      rmSync(note, {force: true});
      const ended = await shell(`${wrapped} sh -c '${agent}' | cat; exit "\${PIPESTATUS[0]}"`);
      expect(ended.code).toBe(code);
      expect(notes().find((one) => one.is === 'exit')).toEqual({is: 'exit', ...want});
    }
  });

  test('a program that is not there is a failure, not a leg', async () => {
    const {code, stderr} = await shell(`${wrapped} no-such-program | cat; exit "\${PIPESTATUS[0]}"`);
    expect(code).toBe(127);
    expect(stderr).toContain('no-such-program is not on PATH');
  });

  test('stop asks, then forces, and says which it was', async () => {
    const stubborn = `sh -c 'trap "" TERM; echo up; while :; do sleep 0.05; done'`;
    const STAGE_STOP = JSON.stringify([
      {signal: 'SIGTERM', waitMs: 200},
      {signal: 'SIGKILL', waitMs: 2000},
    ]);
    await shell(`${wrapped} ${stubborn} | cat`, {STAGE_STOP, STAGE_STREAM: '1'});
    expect(notes()).toContainEqual({is: 'stopped', endedBy: 'SIGKILL', forced: true});
    rmSync(note);
    await shell(`${wrapped} sh -c 'echo up; exec sleep 30' | cat`, {STAGE_STOP, STAGE_STREAM: '1'});
    expect(notes()).toContainEqual({is: 'stopped', endedBy: 'SIGTERM', forced: false});
  });

  test('a SIGTERM that nobody handles ends us and the agent', async () => {
    const line = `${wrapped} sh -c 'echo $$ > pid; exec sleep 30' | cat & until [ -s note ] && grep -q started note && [ -s pid ]; do sleep 0.02; done; kill -TERM $(ps -o ppid= -p $(cat pid)); wait; cat pid`;
    const {stdout} = await shell(line);
    const pid = Number(stdout.toString().trim().split('\n').at(-1));
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => childState(pid)).toBe('gone');
  });
});
