// Many processes, eight tracks, one folder; some of them killed at any moment:
//
//   writer 0  ─┐                      ┌─ history: every acknowledged checkpoint, whole
//   …          │                      │
//   writer 31 ─┼─► folder (one lock) ─┤
//   ckpt …     │   ▲ SIGKILL          └─ LATEST: whole at every look, never behind an acknowledged one
//   ckpt …    ─┘

import {type ChildProcess, spawn} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {readLatest} from '../../../src/baton/latest.ts';
import {readCheckpoint} from '../../../src/baton/schema.ts';
import type {Track} from '../../../src/core/ids.ts';
import {openCheckpoints} from '../../../src/io/checkpoints/checkpoint-files.ts';
import {bundle, must, tempFolder} from '../checkpoint-files-rig.ts';

const tracks = ['main', 'a/b', 'Spur Ä', '__proto__', '..', 'x y', '漢字', 'h'] as Track[];
/** `CKPT_LONG=1`: the whole numbers. Else a size that two cores do in seconds. */
const long = process.env.CKPT_LONG === '1';
const size = long ? {each: 200, calls: 5, kills: 1000} : {each: 40, calls: 1, kills: 40};

let program: Awaited<ReturnType<typeof bundle>>;
let ckpt: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  program = await bundle('tests/io/checkpoints/checkpoint-files-writer.ts');
  ckpt = await bundle('src/ckpt.ts');
});
afterAll(() => {
  program.remove();
  ckpt.remove();
});

interface Writer {
  child: ChildProcess;
  /** What it was told is safe. */
  acked: {id: string; track: Track}[];
  over: Promise<{code: number | null; errors: string}>;
}

const started = (child: ChildProcess, takeLine: (line: string) => Writer['acked']): Writer => {
  const writer: Writer = {child, acked: [], over: Promise.resolve({code: 0, errors: ''})};
  let text = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split('\n');
    text = lines.pop() ?? '';
    writer.acked.push(...lines.flatMap(takeLine));
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  writer.over = new Promise((done) => child.on('close', (code) => done({code, errors})));
  return writer;
};

/** Lives long and writes many. */
const startWriter = (dir: string, name: string, count: number, lock: 'kernel' | 'link' = 'kernel'): Writer =>
  started(spawn(process.execPath, [program.file, dir, name, String(count), tracks.join(','), lock]), (line) => {
    const [id = '', track = ''] = line.split('\t');
    return [{id, track: track as Track}];
  });

/** One call of the real command. */
const startCkpt = (dir: string, name: string, track: Track): Writer => {
  const words = ['--checkpoint-dir', dir, 'snapshot', '--track', track, '--step', name, '--next-cmd', 'n'];
  const env = {PATH: process.env.PATH ?? '', HOME: dir};
  return started(spawn(process.execPath, [ckpt.file, ...words], {cwd: dir, env}), (line) => {
    const id = /^checkpoint \d+ saved: (\S+) /.exec(line)?.[1];
    return id === undefined ? [] : [{id, track}];
  });
};

/** Looks at LATEST.json all the time until told to stop; returns how often, and what was torn. */
const watchLatest = (dir: string) => {
  let looks = 0;
  const torn: string[] = [];
  const timer = setInterval(() => {
    try {
      const text = readFileSync(join(dir, 'LATEST.json'), 'utf8');
      looks += 1;
      if ('broken' in readLatest(text)) torn.push(text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }, 1);
  return () => {
    clearInterval(timer);
    return {looks, torn};
  };
};

const check = async (dir: string, writers: Writer[]): Promise<number> => {
  const acked = writers.flatMap((writer) => writer.acked);
  const store = openCheckpoints({dir});
  for (const name of readdirSync(dir).filter((file) => /^context.*\.json$/.test(file))) {
    const read = readCheckpoint(readFileSync(join(dir, name), 'utf8'));
    if (!read.ok || read.complaints.length > 0) expect({name, read}).toBe('whole');
  }
  const history = must(await store.history());
  const there = new Set<string>(history.map(({id}) => id));
  expect(acked.filter(({id}) => !there.has(id))).toEqual([]);
  const numbers = history.flatMap(({number}) => number ?? []);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  for (const track of tracks) {
    const mine = acked.filter((one) => one.track === track).map(({id}) => id);
    if (mine.length === 0) continue;
    const latest = await store.latest(track);
    expect(latest?.track).toBe(track);
    expect((latest?.id ?? '') >= (mine.sort().at(-1) ?? '')).toBe(true);
  }
  return acked.length;
};

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const trackOf = (n: number): Track => tracks[n % tracks.length] ?? ('main' as Track);

describe('many writers on one folder', () => {
  it(`lose nothing: 32 × ${size.each} by long-lived ones, 32 × ${size.calls} by the command`, async () => {
    const dir = tempFolder('fast');
    const stop = watchLatest(dir);
    const writers = Array.from({length: 32}, (_, n) => startWriter(dir, `w${n}`, size.each));
    // Four lanes of calls: each call is a process of its own.
    const calls: Writer[] = [];
    const lane = async (first: number): Promise<void> => {
      for (let n = first; n < 32 * size.calls; n += 4) {
        const call = startCkpt(dir, `call ${n}`, trackOf(n));
        calls.push(call);
        expect(await call.over).toEqual({code: 0, errors: ''});
      }
    };
    await Promise.all([lane(0), lane(1), lane(2), lane(3)]);
    for (const writer of writers) expect(await writer.over).toEqual({code: 0, errors: ''});
    const {looks, torn} = stop();
    expect(torn).toEqual([]);
    expect(looks).toBeGreaterThan(10);
    expect(await check(dir, [...writers, ...calls])).toBe(32 * (size.each + size.calls));
    const history = must(await openCheckpoints({dir}).history());
    expect(history.at(-1)?.number).toBe(32 * (size.each + size.calls));
    for (const track of tracks) {
      const newest = history.findLast((one) => one.track === track);
      expect((await openCheckpoints({dir}).latest(track))?.id).toBe(newest?.id);
    }
  }, 600_000);

  it.each(['kernel', 'link'] as const)(
    'lose nothing acknowledged while random ones are killed (%s lock)',
    async (lock) => {
      const dir = tempFolder('fast');
      const stop = watchLatest(dir);
      const all: Writer[] = [];
      const live = new Set<Writer>();
      const begin = (writer: Writer): void => {
        all.push(writer);
        live.add(writer);
        void writer.over.then(() => live.delete(writer));
      };
      // The link lock takes 5 s to believe in a death: few kills, else it would only wait.
      const [crowd, wanted] = lock === 'kernel' ? [long ? 32 : 10, size.kills] : [6, long ? 20 : 3];
      const written = () => all.reduce((sum, {acked}) => sum + acked.length, 0);
      const moreThan = async (count: number): Promise<void> => {
        const enough = written() + count;
        do await pause(Math.random() * 5);
        while (written() < enough);
      };
      for (let kills = 0; kills < wanted; ) {
        while (live.size < crowd) begin(startWriter(dir, `w${all.length}`, 200, lock));
        if (lock === 'kernel' && all.length % 4 === 0) begin(startCkpt(dir, `call ${all.length}`, trackOf(all.length)));
        // Some work first, however slow the machine is; then at any moment.
        await moreThan(Math.random() * 10);
        const victims = [...live];
        const victim = victims[Math.floor(Math.random() * victims.length)];
        if (victim?.child.kill('SIGKILL')) kills += 1;
      }
      // Those who are left go on.
      await moreThan(20);
      for (const writer of live) writer.child.kill('SIGKILL');
      await Promise.all(all.map((writer) => writer.over));
      const {torn} = stop();
      expect(torn).toEqual([]);
      const acked = await check(dir, all);
      expect(acked).toBeGreaterThan(wanted);
      process.stdout.write(`${lock}: ${wanted} kills, ${acked} acknowledged, 0 lost, 0 torn\n`);
    },
    long ? 600_000 : 120_000,
  );
});
