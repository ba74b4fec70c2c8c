import {type ExecFileException, execFile} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {buildDriver, type Driver} from '../../support/driver.ts';

let driver: Driver;
beforeAll(async () => {
  driver = await buildDriver('stage-driver');
});
afterAll(() => driver.remove());

const run = (...words: string[]): Promise<{code: number; signal: string | undefined; stdout: string; stderr: string}> =>
  new Promise((resolve) => {
    const options = {env: {PATH: process.env.PATH, STAGE_KIND: 'bare'}, cwd: driver.folder};
    const done = (error: ExecFileException | null, stdout: string, stderr: string): void => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({code, signal: error?.signal ?? undefined, stdout, stderr});
    };
    execFile(process.execPath, [driver.path, ...words], options, done);
  });

test('output, error output and code are those of the program', async () => {
  const {code, stdout, stderr} = await run('sh', '-c', 'echo out; echo err >&2; exit 7');
  expect({code, stdout, stderr}).toEqual({code: 7, stdout: 'out\n', stderr: 'err\n'});
});

test('death by signal is told as 128 and the signal', async () => {
  expect((await run('sh', '-c', 'kill -9 $$')).code).toBe(137);
});

test('the program has our own stdin, stdout and process group', async () => {
  const {stdout} = await run('sh', '-c', 'readlink /proc/$$/fd/1 /proc/$PPID/fd/1; ps -o pgid= -p $$,$PPID');
  const [own, ours, ownGroup, ourGroup] = stdout.trim().split(/\s+/);
  expect(own).toBe(ours);
  expect(ownGroup).toBe(ourGroup);
});

test('a program that is not there ends with 127 and says so', async () => {
  const {code, stderr} = await run('no-such-program');
  expect(code).toBe(127);
  expect(stderr).toContain('no-such-program');
});

test('SIGTERM to us reaches the program once, and its own answer is the end', async () => {
  const script = 'trap "echo term >> heard; exit 5" TERM; echo $PPID > up; while :; do sleep 0.02; done';
  const ended = run('sh', '-c', script);
  const up = join(driver.folder, 'up');
  await expect.poll(() => existsSync(up) && readFileSync(up, 'utf8').trim() !== '', {timeout: 20_000}).toBe(true);
  process.kill(Number(readFileSync(up, 'utf8')), 'SIGTERM');
  expect((await ended).code).toBe(5);
  expect(readFileSync(join(driver.folder, 'heard'), 'utf8')).toBe('term\n');
});
