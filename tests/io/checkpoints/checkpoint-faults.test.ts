// Full disks, other people's folders, folders that vanish: for real where the system lets us, else by fault injection.

import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {CheckpointId} from '../../../src/core/ids.ts';
import {openCheckpoints} from '../../../src/io/checkpoints/checkpoint-files.ts';
import {type Disk, realDisk} from '../../../src/io/files/atomic-file.ts';
import {bundle, must, tempFolder} from '../checkpoint-files-rig.ts';
import {checkFolder, main} from './checkpoint-check.ts';
import {draftOf} from './checkpoint-files-draft.ts';

let program: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  program = await bundle('tests/io/checkpoints/checkpoint-files-writer.ts');
});
afterAll(() => program.remove());

const write = (dir: string, count: number, uid = '') => [
  ...[process.execPath, program.file, dir, 'w', String(count), 'main', 'kernel', uid],
];

const ackedIn = (stdout: string): CheckpointId[] =>
  stdout.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')[0] as CheckpointId] : []));

const privateMounts = ['unshare', '--user', '--map-root-user', '--mount'];
const mayMount =
  spawnSync(privateMounts[0] ?? '', [...privateMounts.slice(1), 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;

/** Lets so many bytes through. */
const smallDisk = (bytes: number): Disk => {
  let left = bytes;
  return {
    ...realDisk,
    write: (fd, content, from) => {
      left -= content.length - from;
      if (left < 0) throw Object.assign(new Error('ENOSPC: no space left on device'), {code: 'ENOSPC'});
      return realDisk.write(fd, content, from);
    },
  };
};

describe('a full disk', () => {
  const how = mayMount ? 'a real one of 300 kB' : 'injected, since nothing may be mounted here';
  it(`is told, and loses nothing (${how})`, async () => {
    const dir = join(tempFolder('fast'), 'small');
    const kept = tempFolder('fast');
    mkdirSync(dir);
    let acked: CheckpointId[] = [];
    let said = '';
    if (mayMount) {
      const script =
        'mount -t tmpfs -o size=300k none "$1" && { to="$2"; from="$1"; shift 2; "$@"; code=$?; cp -a "$from"/. "$to"; exit $code; }';
      const [file = '', ...rest] = [...privateMounts, 'sh', '-c', script, 'sh', dir, kept, ...write(dir, 10_000)];
      const {status, stdout, stderr} = spawnSync(file, rest, {encoding: 'utf8'});
      expect(status).toBe(1);
      [acked, said] = [ackedIn(stdout), stderr];
    } else {
      const store = openCheckpoints({dir: kept, secrets: [], disk: smallDisk(300_000)});
      for (let saved = await store.save(draftOf()); ; saved = await store.save(draftOf())) {
        if (!saved.ok) {
          said = JSON.stringify(saved.failure);
          break;
        }
        acked.push(saved.value.id);
      }
    }
    expect(said).toContain('the disk is full');
    expect(said).toContain('store-unusable');
    expect(acked.length).toBeGreaterThan(10);
    await checkFolder(kept, acked);
  });
});

describe("somebody else's folder", () => {
  const isRoot = process.getuid?.() === 0;

  it('is told, left as it is, and can be read where that is allowed', async () => {
    const parent = tempFolder('fast');
    const dir = join(parent, 'checkpoints');
    const store = openCheckpoints({dir, secrets: []});
    const {id} = must(await store.save(draftOf()));
    const before = readdirSync(dir).sort();
    // Root writes everywhere: then a child of no rights does it. Anybody else takes the right from himself.
    chmodSync(parent, 0o755);
    chmodSync(dir, isRoot ? 0o755 : 0o500);
    const [file = '', ...args] = write(dir, 1, isRoot ? '65534' : '');
    const {status, stdout, stderr} = spawnSync(file, args, {encoding: 'utf8'});
    chmodSync(dir, 0o700);
    expect({status, stdout}).toEqual({status: 1, stdout: ''});
    expect(JSON.parse(stderr)).toMatchObject({
      is: 'store-unusable',
      path: dir,
      what: expect.stringMatching(/mend its permissions.*EACCES/),
    });
    expect(readdirSync(dir).sort()).toEqual(before);
    expect((await store.latest(main))?.id).toBe(id);
  });

  it('cannot be made where that is not allowed', () => {
    const parent = tempFolder('fast');
    chmodSync(parent, isRoot ? 0o755 : 0o500);
    const dir = join(parent, 'deep', 'checkpoints');
    const [file = '', ...args] = write(dir, 1, isRoot ? '65534' : '');
    const {status, stderr} = spawnSync(file, args, {encoding: 'utf8'});
    chmodSync(parent, 0o700);
    expect(status).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({is: 'store-unusable', path: dir});
    expect(readdirSync(parent)).toEqual([]);
  });
});

describe('a folder that is deleted', () => {
  it('at any call of a save: told or done, and the next save works', async () => {
    let outcomes = '';
    for (let at = 1; at <= 40; at += 1) {
      const dir = join(tempFolder('fast'), 'checkpoints');
      must(await openCheckpoints({dir, secrets: []}).save(draftOf({step: 'before'})));
      let calls = 0;
      const vanish = <T>(act: () => T): T => {
        calls += 1;
        if (calls === at) rmSync(dir, {recursive: true, force: true});
        return act();
      };
      const disk: Disk = {
        ...realDisk,
        open: (path, flags, mode) => vanish(() => realDisk.open(path, flags, mode)),
        write: (fd, bytes, from) => vanish(() => realDisk.write(fd, bytes, from)),
        sync: (fd) => vanish(() => realDisk.sync(fd)),
        rename: (from, to) => vanish(() => realDisk.rename(from, to)),
      };
      const saved = await openCheckpoints({dir, secrets: [], disk}).save(draftOf());
      outcomes += saved.ok ? 'o' : 'f';
      if (!saved.ok)
        expect(saved.failure).toMatchObject({is: 'store-unusable', what: expect.stringContaining('try again')});
      await checkFolder(dir, []);
      if (calls < at) break;
    }
    // Each call of a whole save was tried; at the very last sync everything had been done already.
    expect(outcomes).toMatch(/^f{15,}o{1,2}$/);
  });

  it('between two saves is made anew, for its owner alone', async () => {
    const dir = join(tempFolder('fast'), 'checkpoints');
    const store = openCheckpoints({dir, secrets: []});
    must(await store.save(draftOf()));
    rmSync(dir, {recursive: true});
    must(await store.save(draftOf()));
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(join(dir, 'LATEST.json'), 'utf8')).last_number).toBe(1);
  });
});
