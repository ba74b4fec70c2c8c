// What cannot be saved is named, what was broken is made anew, and nobody is in anybody's way.

import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, readdirSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest';
import {bundle} from '../checkpoint-files-rig.ts';
import {
  checkpointsOf,
  commit,
  contentOf,
  folder,
  git,
  main,
  notOurs,
  objectsOf,
  onDisk,
  repository,
  snapshots,
  withoutSettings,
  write,
} from './rig.ts';

withoutSettings();

describe('what does not fit is left out, and said', () => {
  it('a file that is too large', async () => {
    const root = repository();
    commit(root, {a: '1', big: 'x'.repeat(10)});
    write(root, {big: 'x'.repeat(2000), 'also big': 'y'.repeat(3_000_000), small: 'z'});
    const {take} = snapshots(root, {maxFileBytes: 1000});
    const first = await take();
    expect(Object.keys(contentOf(root, first.tree))).toEqual(['a', 'small']);
    expect(first.complete).toBe(false);
    expect(first.left_out).toEqual([
      {path: 'big', why: '0.0 MB, larger than 0 MB'},
      {path: 'also big', why: '3.0 MB, larger than 0 MB'},
    ]);
    write(root, {big: 'small again', 'also big': null});
    const second = await take();
    expect(contentOf(root, second.tree)).toEqual(onDisk(root, notOurs));
    expect(second).toMatchObject({complete: true, left_out: []});
  });

  it('what is too much together: the small ones first', async () => {
    const root = folder();
    write(root, {a: 'x'.repeat(500_000), b: 'x'.repeat(400_000), c: 'x'.repeat(300_000)});
    const taken = await snapshots(root, {maxTotalBytes: 800_000}).take();
    expect(Object.keys(contentOf(root, taken.tree))).toEqual(['b', 'c']);
    expect(taken).toMatchObject({complete: false, left_out: [{path: 'a', why: expect.stringContaining('no room')}]});
  });

  it('what time does not suffice for; the next snapshot goes on from there', async () => {
    const root = repository();
    write(root, Object.fromEntries(Array.from({length: 300}, (_, n) => [`f${n}`, `${n}`])));
    let calls = 0;
    // The clock jumps past the deadline after some files have been read.
    const now = () => {
      calls += 1;
      return Date.now() + (calls > 200 ? 3_600_000 : 0);
    };
    const taken = await snapshots(root, {now}).take();
    const saved = Object.keys(contentOf(root, taken.tree)).length;
    expect(saved).toBeGreaterThan(0);
    expect(saved).toBeLessThan(300);
    expect(taken.complete).toBe(false);
    expect(taken.left_out).toHaveLength(101);
    expect(taken.left_out.at(-1)).toEqual({path: `… and ${300 - saved - 100} more`, why: 'time ran out'});
    const next = await snapshots(root).take();
    expect(contentOf(root, next.tree)).toEqual(onDisk(root, notOurs));
    expect(next.complete).toBe(true);
  });

  it('a pipe in place of a file', async () => {
    const root = repository();
    commit(root, {a: '1', b: '2'});
    write(root, {a: null});
    execFileSync('mkfifo', [join(root, 'a'), join(root, 'new pipe')]);
    const taken = await snapshots(root).take();
    expect(contentOf(root, taken.tree)).toEqual({b: '100644 2'});
  });
});

describe('a folder of git that cannot be written', () => {
  it('is a failure that says so', async () => {
    const root = repository();
    commit(root, {a: '1'});
    const checkpoints = checkpointsOf(root);
    chmodSync(join(root, '.git', 'objects'), 0o555);
    const somebody = process.getuid?.() === 0 ? '12345' : '';
    if (somebody !== '') execFileSync('chown', ['-R', somebody, root]);
    const program = await bundle('tests/io/tree/take-once.ts');
    onTestFinished(program.remove);
    const told = spawnSync(process.execPath, [program.file, root, checkpoints, somebody], {
      ...{encoding: 'utf8', cwd: root, env: {PATH: process.env.PATH, HOME: root}},
    });
    expect(told.stderr).toBe('');
    expect(JSON.parse(told.stdout)).toMatchObject({ok: false, failure: {is: 'system', code: 'EACCES'}});
    // The kernel's lock leaves its file; the one by link, where somebody may not load the addon, leaves none.
    expect(readdirSync(join(checkpoints, 'workspace')).filter((name) => name !== 'LATEST.lock')).toEqual([]);
  });
});

describe('what is broken is made anew', () => {
  const privateDir = (root: string): string => {
    const workspace = join(checkpointsOf(root), 'workspace');
    const [name = ''] = readdirSync(workspace).filter((entry) => /^[0-9a-f]{16}$/.test(entry));
    return join(workspace, name);
  };

  const indexIn = (dir: string): string => join(dir, readdirSync(dir).find((name) => /^index\.\w+$/.test(name)) ?? '');

  it.each([
    ['the index', (dir: string) => writeFileSync(indexIn(dir), 'DIRC rubbish')],
    ['the state', (dir: string) => truncateSync(join(dir, 'state.json'), 40)],
    ['the index gone', (dir: string) => rmSync(indexIn(dir))],
    ['the whole folder gone', (dir: string) => rmSync(dir, {recursive: true})],
    ['locks of a killed git', (dir: string) => writeFileSync(`${indexIn(dir)}.lock`, '')],
    ['the shared part of the index gone', (dir: string) => removeShared(dir)],
  ])('%s', async (_what, harm) => {
    const root = repository();
    commit(root, {a: '1', b: '2'});
    write(root, {c: '3'});
    const {take} = snapshots(root);
    await take();
    harm(privateDir(root));
    write(root, {a: 'changed', d: '4', c: null});
    expect(contentOf(root, (await take()).tree)).toEqual(onDisk(root, notOurs));
    write(root, {a: 'again'});
    expect(contentOf(root, (await take()).tree)).toEqual(onDisk(root, notOurs));
  });

  const removeShared = (dir: string): void => {
    for (const name of readdirSync(dir)) if (name.startsWith('sharedindex')) rmSync(join(dir, name));
  };

  it.each([
    ['in git', repository],
    ['outside git', folder],
  ])('objects that were collected, %s', async (_where, make) => {
    const root = make();
    write(root, {a: '1', 'deep/b': '2'});
    const {take} = snapshots(root);
    const {ref} = await take();
    git(root, ...objectsOf(root), 'update-ref', '-d', ref);
    git(root, ...objectsOf(root), 'gc', '-q', '--prune=now');
    write(root, {c: '3'});
    expect(contentOf(root, (await take()).tree)).toEqual(onDisk(root, notOurs));
  });
});

describe('several at once', () => {
  let program: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    program = await bundle('tests/io/tree/take-once.ts');
  });
  afterAll(() => program.remove());

  it('take their turns', async () => {
    const root = repository();
    commit(root, {a: '1'});
    write(root, {b: '2'});
    const {trees} = snapshots(root);
    const taken = await Promise.all(Array.from({length: 8}, (_, n) => trees.take({track: main, message: `${n}`})));
    expect(taken.filter(({ok}) => !ok)).toEqual([]);
    const all = taken.map((one) => (one.ok ? one.value : undefined));
    expect(new Set(all.map((one) => one?.tree)).size).toBe(1);
    expect(new Set(all.map((one) => one?.ref)).size).toBe(8);
    expect(contentOf(root, all[0]?.tree ?? '')).toEqual(onDisk(root, notOurs));
  });

  it('and one that is killed at any moment spoils nothing', async () => {
    const root = repository();
    commit(root, Object.fromEntries(Array.from({length: 200}, (_, n) => [`f${n}`, `${n}`])));
    const {take} = snapshots(root);
    await take();
    for (let round = 0; round < 12; round += 1) {
      write(root, {[`f${round}`]: `changed ${round}`, [`new ${round}`]: 'x', [`f${round + 20}`]: null});
      spawnSync(process.execPath, [program.file, root, checkpointsOf(root)], {
        ...{cwd: root, killSignal: 'SIGKILL', timeout: 80 + round * 20},
      });
      const {tree, complete} = await take();
      expect(complete).toBe(true);
      expect(contentOf(root, tree)).toEqual(onDisk(root, notOurs));
    }
    expect(git(root, 'fsck', '--no-dangling')).toBe('');
  });
});
