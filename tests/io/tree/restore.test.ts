import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {WorkspaceSnapshot} from '../../../src/baton/checkpoint.ts';
import {fail, ok} from '../../../src/core/failure.ts';
import {restoreTree} from '../../../src/io/tree/restore.ts';
import {
  checkpointsOf,
  commit,
  folder,
  git,
  main,
  notOurs,
  onDisk,
  repository,
  restore,
  snapshots,
  withoutSettings,
  write,
} from './rig.ts';

withoutSettings();

describe('a restore is exact', () => {
  it.each([
    ['in git', repository],
    ['outside git', folder],
  ])('%s: what changed is as it was, what was made since is gone, what is ignored stays', async (_where, make) => {
    const root = make();
    write(root, {'.gitignore': '*.log\n', a: '1', 'deep/b': '2', run: {run: 'x'}, link: {link: 'a'}, 'x.log': 'old'});
    const there = await snapshots(root).take();
    const before = onDisk(root, notOurs);
    write(root, {a: 'changed', deep: null, 'new/er/c': '3', 'x.log': 'new', 'y.log': 'more'});
    chmodSync(join(root, 'run'), 0o644);
    rmSync(join(root, 'link'));
    write(root, {link: 'a file now', deep: 'a file now'});
    const changed = onDisk(root, notOurs);
    const done = await restore(root, there);
    expect(done.kept).toEqual([]);
    expect(done.remove).toEqual(['deep', 'new/er/c']);
    expect(onDisk(root, notOurs)).toEqual({...before, 'x.log': '100644 new', 'y.log': '100644 more'});
    expect(existsSync(join(root, 'new'))).toBe(false);
    // And back again: what a restore did can be undone.
    if (done.before === undefined) throw new Error('nothing was saved before');
    expect((await restore(root, done.before)).kept).toEqual([]);
    expect(onDisk(root, notOurs)).toEqual(changed);
  });

  it('leaves HEAD, index, stash and reflog alone', async () => {
    const root = repository();
    commit(root, {a: '1'});
    const there = await snapshots(root).take();
    commit(root, {a: '2', b: '3'});
    write(root, {a: '3', c: '4'});
    git(root, 'add', 'c');
    const index = readFileSync(join(root, '.git', 'index'));
    const log = git(root, 'reflog');
    await restore(root, there);
    expect(onDisk(root, notOurs)).toEqual({a: '100644 1'});
    expect(readFileSync(join(root, '.git', 'index')).equals(index)).toBe(true);
    expect(git(root, 'reflog')).toBe(log);
    expect(git(root, 'status', '--porcelain')).toBe('M a\n D b\nAD c');
  });

  it('of some paths only', async () => {
    const root = repository();
    commit(root, {a: '1', 'b/c': '2', 'b/d': '3', bc: '4'});
    const there = await snapshots(root).take();
    write(root, {a: 'x', 'b/c': 'x', 'b/d': null, 'b/new': 'x', bc: 'x'});
    const done = await restore(root, there, {paths: ['./b/']});
    expect(done).toMatchObject({write: ['b/c', 'b/d'], remove: ['b/new'], kept: []});
    expect(onDisk(root, notOurs)).toEqual({a: '100644 x', 'b/c': '100644 2', 'b/d': '100644 3', bc: '100644 x'});
  });

  it('can be undone under rules that ignore themselves', async () => {
    const root = repository();
    write(root, {'.gitignore': 'out/\n', b: '1', 'c/d': '2'});
    const there = await snapshots(root).take();
    write(root, {'.gitignore': '*\n!a\n', b: null, 'c/d': null});
    const before = onDisk(root, notOurs);
    const done = await restore(root, there);
    expect(done).toMatchObject({write: ['b', 'c/d'], kept: [{path: '.gitignore'}]});
    if (done.before === undefined) throw new Error('nothing was saved before');
    expect(await restore(root, done.before)).toMatchObject({remove: ['b', 'c/d'], kept: []});
    expect(onDisk(root, notOurs)).toEqual(before);
  });

  it('as a dry run says the same and does nothing', async () => {
    const root = repository();
    commit(root, {a: '1', b: '2'});
    const there = await snapshots(root).take();
    write(root, {a: 'x', c: 'new', b: null});
    const before = onDisk(root, notOurs);
    const refs = git(root, 'for-each-ref', 'refs/ckpt');
    const done = await restore(root, there, {dry: true});
    expect(done).toMatchObject({write: ['a', 'b'], remove: ['c'], before: undefined, after: undefined});
    expect(onDisk(root, notOurs)).toEqual(before);
    expect(git(root, 'for-each-ref', 'refs/ckpt')).toBe(refs);
  });

  it('keeps a private file private', async () => {
    const root = repository();
    write(root, {secret: '1', 'secret tool': {run: '1'}});
    chmodSync(join(root, 'secret'), 0o600);
    chmodSync(join(root, 'secret tool'), 0o700);
    const there = await snapshots(root).take();
    write(root, {secret: '2', 'secret tool': '2'});
    await restore(root, there);
    expect(statSync(join(root, 'secret')).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'secret tool')).mode & 0o777).toBe(0o700);
  });

  it('byte for byte where git would convert', async () => {
    const root = repository();
    git(root, 'config', 'core.autocrlf', 'true');
    git(root, 'config', 'filter.big.smudge', 'sleep 1000');
    git(root, 'config', 'filter.big.clean', 'printf pointer');
    commit(root, {'.gitattributes': '*.bin filter=big\n', 'a.txt': 'a\nb\r\n', 'x.bin': 'real'});
    const there = await snapshots(root).take();
    const before = onDisk(root, notOurs);
    write(root, {'a.txt': 'x', 'x.bin': 'y'});
    await restore(root, there);
    expect(onDisk(root, notOurs)).toEqual(before);
  });
});

describe('nothing is lost that is not saved', () => {
  it('an ignored file in the place of one that was saved stays', async () => {
    const root = repository();
    write(root, {a: '1', 'out/x': '2', data: '3'});
    const there = await snapshots(root).take();
    write(root, {a: null, out: null, data: null});
    await snapshots(root).take();
    write(root, {'.gitignore': '/a\n/out\n/data/\n', a: 'precious', out: 'precious', 'data/deep/x': 'precious'});
    const done = await restore(root, there);
    expect(done.kept.map(({path}) => path).sort()).toEqual(['a', 'data', 'out/x']);
    expect(onDisk(root, notOurs)).toEqual({
      a: '100644 precious',
      out: '100644 precious',
      'data/deep/x': '100644 precious',
    });
  });

  it('a file that was ignored then, and is not now, stays', async () => {
    const root = repository();
    write(root, {'.gitignore': '*.log\n', a: '1', 'x.log': 'precious'});
    const there = await snapshots(root).take();
    write(root, {'.gitignore': null, 'y.log': 'also', 'z.txt': 'made since'});
    const done = await restore(root, there);
    expect(done.remove).toEqual(['z.txt']);
    expect(done.kept.map(({path}) => path)).toEqual(['x.log', 'y.log']);
    expect(readFileSync(join(root, 'x.log'), 'utf8')).toBe('precious');
  });

  it('a file too large to be saved stays, and a snapshot that is not complete removes nothing', async () => {
    const root = repository();
    write(root, {a: '1', big: 'x'.repeat(5000)});
    const there = await snapshots(root, {maxFileBytes: 1000}).take();
    write(root, {a: '2', big: 'y'.repeat(6000), b: 'made since'});
    const done = await restore(root, there, {maxFileBytes: 1000});
    expect(done).toMatchObject({write: ['a'], remove: []});
    expect(done.kept).toEqual([{path: 'b', why: 'the snapshot is not complete: it may have been there'}]);
    expect(readFileSync(join(root, 'big'), 'utf8')).toBe('y'.repeat(6000));
  });

  it('repositories inside are named, not changed', async () => {
    const library = repository();
    const first = commit(library, {lib: '1'});
    const root = repository();
    commit(root, {a: '1'});
    git(root, 'submodule', '--quiet', 'add', library, 'sub');
    git(root, 'init', '-q', 'inner');
    commit(join(root, 'inner'), {x: '1'});
    const there = await snapshots(root).take();
    const second = commit(join(root, 'sub'), {lib: '2'});
    commit(join(root, 'inner'), {x: '2'});
    git(root, 'init', '-q', 'later');
    commit(join(root, 'later'), {y: '1'});
    write(root, {a: '2', 'inner/dirty': 'x'});
    const before = onDisk(root, notOurs);
    const done = await restore(root, there);
    expect(done).toMatchObject({write: ['a'], remove: []});
    expect(done.kept.map(({path}) => path).sort()).toEqual(['inner', 'later', 'sub']);
    expect(done.kept.find(({path}) => path === 'sub')?.why).toBe(
      `a repository of its own: it was at ${first.slice(0, 12)}, is at ${second.slice(0, 12)}`,
    );
    expect(onDisk(root, notOurs)).toEqual({...before, a: '100644 1'});
  });

  it('what lies outside a sparse checkout does not appear and is not removed', async () => {
    const root = repository();
    commit(root, {'in/a': '1', 'out/b': '2'});
    git(root, 'sparse-checkout', 'set', '--cone', 'in');
    const there = await snapshots(root).take();
    write(root, {'in/a': 'changed', 'in/c': 'new'});
    expect((await restore(root, there)).kept).toEqual([]);
    expect(onDisk(root, notOurs)).toEqual({'in/a': '100644 1'});
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  it('nothing is touched when the moment before cannot be written down', async () => {
    const root = repository();
    commit(root, {a: '1'});
    const there = await snapshots(root).take();
    write(root, {a: '2'});
    const order = {track: main, to: there, paths: [], dry: false, message: 'x'};
    const refused = {is: 'store-unusable' as const, path: 'x', what: 'full'};
    const done = await restoreTree(
      {root, checkpointDir: checkpointsOf(root)},
      {...order, saved: async () => fail(refused)},
    );
    expect(done).toEqual({ok: false, failure: refused});
    expect(onDisk(root, notOurs)).toEqual({a: '100644 2'});
  });

  it('nothing is touched when a file changes after the moment before was saved', async () => {
    const root = repository();
    commit(root, {a: '1', b: '1'});
    const there = await snapshots(root).take();
    write(root, {a: '2', b: '2'});
    const saved = async () => {
      writeFileSync(join(root, 'b'), 'written behind our back');
      return ok(undefined);
    };
    const order = {track: main, to: there, paths: [], dry: false, message: 'x', saved};
    const done = await restoreTree({root, checkpointDir: checkpointsOf(root)}, order);
    expect(done).toMatchObject({ok: false, failure: {is: 'system', code: 'EBUSY'}});
    expect(onDisk(root, notOurs)).toEqual({a: '100644 2', b: '100644 written behind our back'});
  });

  it('a snapshot that is gone, or was never one, is said to be so', async () => {
    const root = repository();
    commit(root, {a: '1'});
    const there = await snapshots(root).take();
    const attempt = async (to: WorkspaceSnapshot) =>
      restoreTree(
        {root, checkpointDir: checkpointsOf(root)},
        {track: main, to, paths: [], dry: false, message: 'x', saved: async () => ok(undefined)},
      );
    for (const changes of [
      {commit: 'f'.repeat(40)},
      {tree: '--help'},
      {commit: git(root, 'rev-parse', 'HEAD'), tree: 'a'.repeat(40)},
    ]) {
      expect(await attempt({...there, ...changes})).toMatchObject({ok: false, failure: {is: 'not-found'}});
    }
  });
});

describe('odd places', () => {
  it('a folder in place of a link that leads out of the tree', async () => {
    const root = repository();
    const outside = folder();
    write(outside, {x: 'not ours'});
    write(root, {'d/x': 'ours'});
    const there = await snapshots(root).take();
    write(root, {d: null});
    write(root, {d: {link: outside}});
    await restore(root, there);
    expect(onDisk(root, notOurs)).toEqual({'d/x': '100644 ours'});
    expect(readFileSync(join(outside, 'x'), 'utf8')).toBe('not ours');
  });

  it('and a link in place of a folder', async () => {
    const root = repository();
    const outside = folder();
    write(outside, {x: 'not ours'});
    write(root, {d: {link: outside}});
    const there = await snapshots(root).take();
    rmSync(join(root, 'd'));
    write(root, {'d/x': 'ours', 'd/e/f': 'ours'});
    mkdirSync(join(root, 'd', 'empty'));
    await restore(root, there);
    expect(onDisk(root, notOurs)).toEqual({d: `120000 ${outside}`});
    expect(readFileSync(join(outside, 'x'), 'utf8')).toBe('not ours');
  });

  it('a root whose path has blanks and brackets', async () => {
    const root = join(folder(), 'a [b] *ü "c');
    mkdirSync(root);
    execFileSync('git', ['init', '-q'], {cwd: root});
    write(root, {a: '1'});
    const there = await snapshots(root).take();
    write(root, {a: '2'});
    await restore(root, there);
    expect(onDisk(root, notOurs)).toEqual({a: '100644 1'});
  });
});
