import {chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir, userInfo} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {socketPlace, sweepSockets} from '../../../src/io/live/socket-place.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ckpt-rt-'));
});
afterEach(() => rmSync(dir, {recursive: true, force: true}));

test('the runtime folder of the person, closed to all others', () => {
  const path = socketPlace({XDG_RUNTIME_DIR: dir}, 'r.sock');
  expect(path).toBe(join(dir, 'ckpt-run', 'r.sock'));
  expect(statSync(join(dir, 'ckpt-run')).mode & 0o777).toBe(0o700);
});

test.each<[why: string, make: () => string]>([
  ['it is not there', () => join(dir, 'nothing', 'here')],
  [
    'its path is too long for a socket',
    () => {
      const long = join(dir, 'x'.repeat(90));
      mkdirSync(long);
      return long;
    },
  ],
  [
    'others may enter it',
    () => {
      mkdirSync(join(dir, 'ckpt-run'));
      chmodSync(join(dir, 'ckpt-run'), 0o755);
      return dir;
    },
  ],
  [
    'a file is in its place',
    () => {
      writeFileSync(join(dir, 'ckpt-run'), '');
      return dir;
    },
  ],
  ['it is relative', () => 'run'],
])('another folder is taken when %s', (_, make) => {
  const path = socketPlace({XDG_RUNTIME_DIR: make()}, 'r.sock');
  expect(path).toBe(join(tmpdir(), `ckpt-run-${userInfo().uid}`, 'r.sock'));
  expect(Buffer.byteLength(path)).toBeLessThan(108);
});

test('when there is no place, every reason is told', () => {
  expect(() => socketPlace({XDG_RUNTIME_DIR: dir}, 'x'.repeat(120))).toThrow(/longer than 107 bytes.*longer than/);
});

test('a socket at which nobody listens goes; one that is alive, or just made, stays', async () => {
  const old = new Date(Date.now() - 60_000);
  const live = createServer().listen(join(dir, 'live.sock'));
  await new Promise((resolve) => live.once('listening', resolve));
  // Node removes the file of a server that is closed: a dead one is made by hand.
  const {execFileSync} = await import('node:child_process');
  for (const name of ['dead', 'young']) {
    const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))`;
    try {
      execFileSync(process.execPath, ['-e', script, join(dir, `${name}.sock`)]);
    } catch {
      // Killed, as it was told.
    }
  }
  utimesSync(join(dir, 'dead.sock'), old, old);
  utimesSync(join(dir, 'live.sock'), old, old);
  await sweepSockets(dir, Date.now());
  expect(['live', 'dead', 'young'].map((name) => existsSync(join(dir, `${name}.sock`)))).toEqual([true, false, true]);
  live.close();
});
