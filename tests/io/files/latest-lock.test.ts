import {readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {type Locker, linkLock, lockLatest} from '../../../src/io/files/latest-lock.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

const lockers: [string, Locker][] = [
  ['the kernel lock', lockLatest],
  ['the link lock', linkLock],
];

describe.each(lockers)('%s', (_name, locker) => {
  it('lets one in at a time', async () => {
    const dir = tempFolder();
    let inside = 0;
    let most = 0;
    const enter = async () => {
      const lock = await locker(dir, 10_000);
      if (lock === undefined) throw new Error('no lock');
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((done) => setTimeout(done, 3));
      expect(lock.stillOurs()).toBe(true);
      inside -= 1;
      lock.release();
    };
    await Promise.all(Array.from({length: 20}, enter));
    expect(most).toBe(1);
  });

  it('waits no longer than told', async () => {
    const dir = tempFolder();
    const held = await locker(dir, 100);
    const start = performance.now();
    expect(await locker(dir, 100)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(1000);
    held?.release();
    const next = await locker(dir, 100);
    expect(next).toBeDefined();
    next?.release();
  });

  it('knows that its folder was made anew behind its back', async () => {
    const dir = tempFolder();
    const held = await locker(dir, 100);
    for (const name of readdirSync(dir)) rmSync(join(dir, name));
    expect(held?.stillOurs()).toBe(false);
    const other = await locker(dir, 100);
    expect(other?.stillOurs()).toBe(true);
    held?.release();
    expect(other?.stillOurs()).toBe(true);
    other?.release();
  });
});

describe('the link lock', () => {
  it('takes over from a dead holder after 5 s, by the file system’s clock', async () => {
    const dir = tempFolder();
    const path = join(dir, 'LATEST.lock.held');
    writeFileSync(path, 'aaaaaaaaaaaaaaaa');
    expect(await linkLock(dir, 50)).toBeUndefined();
    const old = new Date(Date.now() - 6000);
    utimesSync(path, old, old);
    const lock = await linkLock(dir, 1000);
    expect(lock?.stillOurs()).toBe(true);
    lock?.release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('gives a corpse to one thief only, and outlives a thief that died', async () => {
    const dir = tempFolder();
    const old = new Date(Date.now() - 60_000);
    for (const name of ['LATEST.lock.held', '.LATEST.lock.aaaaaaaaaaaaaaaa.grave.tmp']) {
      writeFileSync(join(dir, name), 'aaaaaaaaaaaaaaaa');
      utimesSync(join(dir, name), old, old);
    }
    const got = await Promise.all(Array.from({length: 8}, () => linkLock(dir, 300)));
    expect(got.filter((lock) => lock !== undefined)).toHaveLength(1);
  });
});
