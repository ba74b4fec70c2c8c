// Real processes, really killed: by strace on entering every system call that changes the folder, and by the clock.

import {spawn, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {CheckpointId} from '../../../src/core/ids.ts';
import {bundle, tempFolder} from '../checkpoint-files-rig.ts';
import {checkFolder} from './checkpoint-check.ts';

let program: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  program = await bundle('tests/io/checkpoints/checkpoint-files-writer.ts');
});
afterAll(() => program.remove());

const hasStrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
const long = process.env.CKPT_LONG === '1';

const writerWords = (dir: string, name: string, count: number): string[] => [
  ...[process.execPath, program.file, dir, name, String(count), 'main', 'kernel'],
];

const ackedIn = (stdout: string): CheckpointId[] =>
  stdout.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')[0] as CheckpointId] : []));

const writeTwo = (dir: string): CheckpointId[] => {
  const [file = '', ...args] = writerWords(dir, 'before', 2);
  return ackedIn(spawnSync(file, args, {encoding: 'utf8'}).stdout);
};

const changing = ['mkdir', 'openat', 'write', 'fsync', 'rename', 'unlink'];

const straced = (options: string[], dir: string, log: string) =>
  spawnSync('strace', ['-f', '-y', '-o', log, ...options, ...writerWords(dir, 'w', 1)], {encoding: 'utf8'});

/** Which calls of the main thread, counted by kind as strace does, change this folder: `rename 3`, … */
const pointsOf = (log: string, dir: string): {call: string; at: number}[] => {
  const lines = readFileSync(log, 'utf8').split('\n');
  const thread = lines[0]?.split(' ')[0] ?? '';
  const counts = new Map<string, number>();
  return lines.flatMap((line) => {
    const [, pid, call = '', rest = ''] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    if (pid !== thread || !changing.includes(call)) return [];
    const at = (counts.get(call) ?? 0) + 1;
    counts.set(call, at);
    const reads = call === 'openat' && !rest.includes('O_CREAT');
    return rest.includes(dir) && !reads ? [{call, at}] : [];
  });
};

/** Spins, since a timer cannot tell microseconds. */
const spin = (micros: number): void => {
  const until = process.hrtime.bigint() + BigInt(Math.round(micros * 1000));
  while (process.hrtime.bigint() < until);
};

/** Killed at a random microsecond after it has begun to write; returns what it had been told is safe. */
const killSometime = (dir: string, name: string): Promise<CheckpointId[]> =>
  new Promise((done) => {
    const [file = '', ...args] = writerWords(dir, name, 100_000);
    const child = spawn(file, args, {stdio: ['ignore', 'pipe', 'inherit']});
    let stdout = '';
    child.stdout.once('data', () => {
      setTimeout(() => {
        spin(Math.random() * 1000);
        child.kill('SIGKILL');
      }, Math.random() * 15);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.on('close', () => done(ackedIn(stdout.slice(0, stdout.lastIndexOf('\n') + 1))));
  });

/** Two at once. The strays and half-done work of each victim are there for the next, until the folder grows too large. */
const killOften = async (kills: number): Promise<void> => {
  const lane = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= perFolder) await killIn(tempFolder('fast'), Math.min(left, perFolder));
  };
  await Promise.all([lane(kills / 2), lane(kills / 2)]);
};

const perFolder = 25;

const killIn = async (dir: string, kills: number): Promise<void> => {
  const acked: CheckpointId[] = [];
  for (let n = 1; n <= kills; n += 1) {
    acked.push(...(await killSometime(dir, `k${n}`)));
    if (n % 10 === 0 || n === kills) await checkFolder(dir, acked.sort());
  }
  expect(acked.length).toBeGreaterThanOrEqual(kills);
};

const killAtEachCall = async (): Promise<void> => {
  const logs = tempFolder('fast');
  const trial = tempFolder('fast');
  writeTwo(trial);
  const traced = straced(['-e', `trace=${changing.join(',')}`], trial, join(logs, 'whole'));
  expect(traced.status).toBe(0);
  const points = pointsOf(join(logs, 'whole'), trial);
  // Four files, each opened, written, synced and renamed; their folder synced twice; and the lock.
  expect(points.length).toBeGreaterThanOrEqual(19);
  let killed = 0;
  for (const {call, at} of points) {
    const dir = tempFolder('fast');
    const acked = writeTwo(dir);
    const options = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${at}`];
    const died = straced(options, dir, '/dev/null');
    if (died.signal === 'SIGKILL') killed += 1;
    await checkFolder(dir, [...acked, ...ackedIn(died.stdout)]);
  }
  process.stdout.write(`strace: killed at ${killed} of ${points.length} calls, 0 torn, 0 lost\n`);
  expect(killed).toBeGreaterThanOrEqual(points.length - 1);
};

describe('a writer that is killed', () => {
  if (hasStrace) it('by strace, on entering each system call that changes the folder', killAtEachCall, 120_000);
  else {
    process.stdout.write('strace is not here, or may not trace: a hundred random kills stand in for it\n');
    it('100 times at a random microsecond, in place of strace', () => killOften(100), 300_000);
  }

  const kills = long ? 1000 : 20;
  it(`${kills} times at a random microsecond`, () => killOften(kills), 900_000);
});
