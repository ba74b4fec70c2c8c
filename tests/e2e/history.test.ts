// Going back and forking with the `ckpt` program itself: real files, real git, real processes.

import {spawnSync} from 'node:child_process';
import {chmodSync, existsSync, readdirSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest';
import type {Track} from '../../src/core/ids.ts';
import {claimTrack} from '../../src/io/runs/track-claim.ts';
import {bundle, tempFolder} from '../io/checkpoint-files-rig.ts';
import {
  checkpointsOf,
  commit,
  folder,
  git,
  notOurs,
  onDisk,
  repository,
  withoutSettings,
  write,
} from '../io/tree/rig.ts';

withoutSettings();

let program: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  program = await bundle('src/ckpt.ts');
});
afterAll(() => program.remove());

const ckpt = (cwd: string, ...args: string[]) => {
  const env = {PATH: process.env.PATH, HOME: process.env.HOME, GIT_CONFIG_NOSYSTEM: '1'};
  const {status, stdout, stderr} = spawnSync(process.execPath, [program.file, ...args], {cwd, encoding: 'utf8', env});
  return {status, stdout, stderr};
};

const done = (cwd: string, ...args: string[]) => {
  const told = ckpt(cwd, ...args);
  expect(told).toMatchObject({status: 0, stderr: ''});
  return told.stdout;
};

const snapshot = (root: string, step: string, ...more: string[]): void => {
  done(root, 'snapshot', '--track', 'main', '--step', step, '--next-cmd', `after ${step}`, ...more);
};

const read = (root: string, ...args: string[]) => JSON.parse(done(root, ...args, '--json'));

describe('restore and rollback', () => {
  it('bring files and baton back; rollback undoes a restore, and another one redoes it', () => {
    const root = repository();
    commit(root, {a: '1', '.gitignore': '*.log\n'});
    write(root, {b: 'new', 'x.log': 'ignored'});
    snapshot(root, 'one');
    const first = onDisk(root, notOurs);
    write(root, {a: '2', b: null, c: 'made since', 'x.log': 'still ignored'});
    snapshot(root, 'two');
    const second = onDisk(root, notOurs);

    const told = done(root, 'restore', '1');
    expect(told).toContain('files: 2 written, 1 removed');
    expect(told).toContain('ckpt rollback brings it back');
    expect(onDisk(root, notOurs)).toEqual({...first, 'x.log': '100644 still ignored'});
    expect(read(root, 'resume')).toMatchObject({step: 'one', next_cmd: 'after one', label: 'restored-1'});

    done(root, 'rollback');
    expect(onDisk(root, notOurs)).toEqual(second);
    expect(read(root, 'resume')).toMatchObject({step: 'two', next_cmd: 'after two'});

    done(root, 'rollback');
    expect(onDisk(root, notOurs)).toEqual({...first, 'x.log': '100644 still ignored'});
    expect(read(root, 'resume')).toMatchObject({step: 'one'});
    expect(read(root, 'list').map(({trigger}: {trigger: string}) => trigger)).toEqual([
      ...['manual', 'manual', 'pre-restore', 'manual', 'pre-restore', 'manual', 'pre-restore', 'manual'],
    ]);
  });

  it('rollback without a restore goes back to the last checkpoint', () => {
    const root = repository();
    write(root, {a: '1'});
    snapshot(root, 'one');
    write(root, {a: '2', b: '3'});
    done(root, 'rollback', '--files');
    expect(onDisk(root, notOurs)).toEqual({a: '100644 1'});
    done(root, 'rollback', '--files');
    expect(onDisk(root, notOurs)).toEqual({a: '100644 2', b: '100644 3'});
  });

  it('some paths only, the baton only, a dry run', () => {
    const root = repository();
    write(root, {'a/x': '1', b: '1'});
    snapshot(root, 'one');
    write(root, {'a/x': '2', 'a/y': '2', b: '2'});
    snapshot(root, 'two');
    const before = onDisk(root, notOurs);
    const dry = read(root, 'restore', '1', '--dry-run');
    expect(dry).toMatchObject({dry_run: true, files: {written: ['a/x', 'b'], removed: ['a/y'], kept: []}});
    expect(onDisk(root, notOurs)).toEqual(before);
    expect(read(root, 'list')).toHaveLength(2);
    done(root, 'restore', '1', '--baton');
    expect(onDisk(root, notOurs)).toEqual(before);
    expect(read(root, 'resume')).toMatchObject({step: 'one'});
    done(root, 'restore', '1', '--files', '--path', 'a');
    expect(onDisk(root, notOurs)).toEqual({'a/x': '100644 1', b: '100644 2'});
    expect(ckpt(root, 'restore', '1', '--baton', '--path', 'a')).toMatchObject({status: 64});
    expect(ckpt(root, 'restore', '99')).toMatchObject({status: 66});
  });

  it('refuse while a live run holds a track, unless forced', async () => {
    const root = repository();
    write(root, {a: '1'});
    snapshot(root, 'one');
    write(root, {a: '2'});
    const release = await claimTrack(checkpointsOf(root), 'main' as Track);
    onTestFinished(() => release?.());
    const refused = ckpt(root, 'restore', '1');
    expect(refused).toMatchObject({status: 64, stdout: ''});
    expect(refused.stderr).toContain('a live run holds "main"');
    expect(onDisk(root, notOurs)).toEqual({a: '100644 2'});
    done(root, 'restore', '1', '--force');
    expect(onDisk(root, notOurs)).toEqual({a: '100644 1'});
  });

  it('tell what cannot be undone', () => {
    const far = folder();
    git(far, 'init', '-q', '--bare');
    const root = repository();
    const head = commit(root, {a: '1'});
    git(root, 'remote', 'add', 'origin', far);
    snapshot(root, 'one');
    commit(root, {a: '2'});
    git(root, 'push', '-q', 'origin', 'main');
    commit(root, {a: '3'});
    const told = done(root, 'restore', '1');
    expect(told).toMatch(/cannot be undone:\n {2}pushed: {4}[0-9a-f]{12} x\n/);
    expect(told).toContain(`HEAD stays where it is, 2 commits further: git reset --soft ${head.slice(0, 12)}`);
  });

  it('work outside git', () => {
    const root = realpathSync(tempFolder());
    write(root, {a: '1'});
    snapshot(root, 'one');
    write(root, {a: '2', b: '3'});
    done(root, 'restore', '1');
    expect(onDisk(root, notOurs)).toEqual({a: '100644 1'});
  });

  it('a checkpoint without files says why it has none', () => {
    const root = repository();
    commit(root, {a: '1'});
    snapshot(root, 'one', '--no-files');
    const told = ckpt(root, 'restore', '1', '--files');
    expect(told).toMatchObject({status: 66});
    expect(told.stderr).toContain('checkpoint 1 holds no files');
    // As in a sandbox where git's folder cannot be written: the checkpoint is saved all the same, with the reason.
    rmSync(join(root, '.git', 'objects', 'pack'), {recursive: true});
    write(root, {'.git/objects/pack': 'not a folder', a: '2'});
    snapshot(root, 'two');
    expect(read(root, 'show', '2').extra.workspace).toMatch(/^not saved: /);
    expect(read(root, 'show', '2')).not.toHaveProperty('workspace');
  });
});

describe('fork and compare', () => {
  it('one fork per prompt, in worktrees and on tracks of their own; then side by side', () => {
    const root = join(folder(), 'project');
    git(folder(), 'init', '-q', '-b', 'main', root);
    const head = commit(root, {a: '1', '.gitattributes': '*.txt text eol=crlf\n', 'c.txt': 'x\r\n'});
    write(root, {b: 'untracked', a: 'changed'});
    snapshot(root, 'one', '--validation', 'green');
    write(root, {a: 'later'});
    const forks = read(root, 'fork', '1', '--prompt', 'do it with maps', '--prompt', "do it with 'lists'");
    expect(forks).toMatchObject([
      {track: 'fork-1-1', dir: `${root}-fork-1-1`, branch: 'ckpt-fork-1-1', files: {kept: []}},
      {track: 'fork-1-2', dir: `${root}-fork-1-2`, branch: 'ckpt-fork-1-2', files: {kept: []}},
    ]);
    for (const {dir, branch, track, start} of forks) {
      expect(onDisk(dir, notOurs)).toEqual({...onDisk(root, notOurs), a: '100644 changed'});
      expect(git(dir, 'rev-parse', 'HEAD')).toBe(head);
      expect(git(dir, 'symbolic-ref', '--short', 'HEAD')).toBe(branch);
      expect(git(dir, 'status', '--porcelain')).toBe('M a\n?? b');
      expect(start).toContain(`ckpt-run --checkpoint-dir ${checkpointsOf(root)} --track ${track}`);
    }
    expect(read(root, 'resume', '--track', 'fork-1-2')).toMatchObject({
      goal: "do it with 'lists'",
      next_cmd: "do it with 'lists'",
      branch: 'ckpt-fork-1-2',
    });
    expect(onDisk(root, notOurs).a).toBe('100644 later');
    expect(read(root, 'resume')).toMatchObject({track: 'main'});

    const [one, two] = forks as {dir: string; track: string}[];
    if (one === undefined || two === undefined) throw new Error('two forks were asked for');
    write(one.dir, {a: '1\n2\n', maps: 'x\n'});
    write(two.dir, {b: null});
    const inFork = (dir: string, track: string, validation: string) =>
      done(
        dir,
        '--checkpoint-dir',
        checkpointsOf(root),
        'snapshot',
        '--track',
        track,
        '--step',
        'tried it',
        '--next-cmd',
        'x',
        '--validation',
        validation,
      );
    inFork(one.dir, one.track, 'green');
    inFork(two.dir, two.track, 'failed');
    const told = done(root, 'compare', 'fork-1-1', 'fork-1-2');
    expect(told).toMatch(/^ +fork-1-1 +fork-1-2\n/);
    expect(told).toMatch(/tests +green +failed/);
    expect(told).toMatch(/files +2 files, \+3 -1 +1 file, \+0 -1/);
    expect(told).toContain('both from checkpoint 1');
    expect(told).toContain('D maps');
    const compared = read(root, 'compare', 'fork-1-1', 'main');
    expect(compared).toMatchObject({start: {number: 1}, tracks: [{validation: 'green'}, {track: 'main'}]});
    // A second fork of the same checkpoint finds a name of its own.
    expect(read(root, 'fork', '1')).toMatchObject([{track: 'fork-1b', branch: 'ckpt-fork-1b'}]);
  });

  it('is all or nothing', () => {
    const root = repository();
    commit(root, {a: '1'});
    snapshot(root, 'one');
    const taken = folder();
    write(taken, {x: 'there'});
    expect(ckpt(root, 'fork', '1', '--dir', taken)).toMatchObject({status: 64});
    expect(ckpt(root, 'fork', '1', '--track', 'main')).toMatchObject({status: 64});
    const bad = ckpt(root, 'fork', '1', '--dir', join(root, 'a', 'inside a file'));
    expect(bad.status).toBe(71);
    expect(git(root, 'branch', '--list', 'ckpt*')).toBe('');
    expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(read(root, 'tracks')).toHaveLength(1);
  });

  it('without any commit, and outside git', () => {
    for (const root of [repository(), folder()]) {
      write(root, {a: '1', 'deep/b': '2'});
      snapshot(root, 'one');
      const dir = join(folder(), 'fork');
      expect(read(root, 'fork', '1', '--dir', dir)).toMatchObject([{dir, track: 'fork-1'}]);
      expect(onDisk(dir, notOurs)).toEqual({a: '100644 1', 'deep/b': '100644 2'});
      if (existsSync(join(root, '.git'))) expect(git(dir, 'status', '--porcelain')).toContain('?? a');
    }
  });
});

describe('looking at files', () => {
  it('show --files, diff --files between two, and against now', () => {
    const root = repository();
    commit(root, {a: '1\n', b: '2\n', bin: Buffer.from([0, 1, 2])});
    write(root, {a: '1\n2\n', new: 'x\n'});
    snapshot(root, 'one');
    write(root, {b: null, bin: Buffer.from([0, 1, 3]), new: {run: 'x\n'}});
    chmodSync(join(root, 'new'), 0o755);
    snapshot(root, 'two');
    write(root, {a: '1\n'});
    expect(done(root, 'show', '1', '--files')).toMatch(/2 files, \+2 -0\nM a {2}\+1 -0\nA new {2}\+1 -0\n$/);
    expect(done(root, 'diff', '1', '2', '--files')).toMatch(
      /D b {2}\+0 -1\nM bin\nm new {2}\(mode\)\n3 files, \+0 -1\n$/,
    );
    expect(read(root, 'diff', '2', '--files')).toMatchObject({
      to: 'now',
      files: [{path: 'a', is: 'changed', removed: 1}],
    });
    expect(ckpt(root, 'diff', '2')).toMatchObject({status: 64});
  });
});

describe('keeping house', () => {
  it('prune drops the files of what it removes, gc what nobody names, rebuild names again what is there', () => {
    const root = repository();
    commit(root, {a: '0'});
    for (let n = 1; n <= 4; n += 1) {
      write(root, {a: String(n)});
      snapshot(root, String(n), '--trigger', 'interval');
    }
    const refs = () => git(root, 'for-each-ref', '--format=%(refname)', 'refs/ckpt').split('\n').filter(Boolean);
    expect(refs()).toHaveLength(4);
    done(root, 'prune', '--keep', '2');
    expect(refs()).toHaveLength(2);
    // One that was lost, and one that nobody names and that is old.
    const [lost = ''] = refs();
    git(root, 'update-ref', 'refs/ckpt/main/20200101T000000000Z-00000000', 'HEAD');
    git(root, 'update-ref', '-d', lost);
    expect(done(root, 'gc')).toBe('dropped 1 snapshot that no checkpoint names; 1 stay\n');
    rmSync(join(checkpointsOf(root), 'LATEST.json'));
    expect(read(root, 'rebuild')).toEqual({checkpoints: 2, tracks: 1, pinned: 1, files_gone: []});
    expect(refs()).toContain(lost);
    expect(read(root, 'resume')).toMatchObject({step: '4'});
    git(root, 'update-ref', '-d', lost);
    git(root, 'gc', '-q', '--prune=now');
    expect(read(root, 'rebuild')).toMatchObject({pinned: 0, files_gone: [{number: 3}]});
    expect(readdirSync(checkpointsOf(root))).toContain('LATEST.json');
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('4');
  });
});
