// What is the person's stays the person's: a hundred snapshots later nothing of theirs has moved.

import {chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {commit, folder, git, repository, snapshots, withoutSettings, write} from './rig.ts';

withoutSettings();

/** All of `.git` that is not an object or a ref of ours, byte by byte and with its time. */
const gitFolder = (root: string): string[] =>
  readdirSync(join(root, '.git'), {recursive: true, encoding: 'utf8'})
    .filter((name) => !name.startsWith('objects') && !name.startsWith('refs/ckpt') && name !== 'refs')
    .sort()
    .map((name) => {
      const path = join(root, '.git', name);
      const stat = statSync(path);
      return stat.isFile() ? `${name} ${stat.mtimeMs} ${readFileSync(path, 'base64')}` : name;
    });

const persons = (root: string) => ({
  status: git(root, '--no-optional-locks', 'status', '--porcelain=v2', '--branch'),
  stash: git(root, 'stash', 'list'),
  reflog: git(root, 'reflog', 'show', '--all'),
  config: git(root, 'config', '--list', '--local'),
  branches: git(root, 'branch', '--all', '--verbose'),
  files: gitFolder(root),
});

const busyRepository = (): string => {
  const root = repository();
  commit(root, {a: '1', b: '2', c: '3'});
  write(root, {a: 'stashed'});
  git(root, 'stash');
  commit(root, {d: '4'});
  write(root, {a: 'changed', 'new file': 'x', 'staged too': 'y'});
  git(root, 'add', 'staged too');
  write(root, {'staged too': 'and changed again'});
  // A file whose time differs from the index: a plain `git status` would write the index anew.
  utimesSync(join(root, 'b'), new Date(), new Date(Date.now() - 5000));
  return root;
};

describe('the person’s repository', () => {
  it('is the same before and after 100 checkpoints', async () => {
    const root = busyRepository();
    writeFileSync(join(root, '.git', 'info', 'exclude'), '/runtime/\n');
    const before = persons(root);
    const {take} = snapshots(root);
    for (let n = 0; n < 100; n += 1) {
      write(root, {'new file': `${n}`});
      await take(`number ${n}`);
    }
    write(root, {'new file': 'x'});
    expect(persons(root)).toEqual(before);
    expect(git(root, 'for-each-ref', 'refs/ckpt').split('\n')).toHaveLength(100);
    // Housekeeping is not provoked either: our packs are joined as they gather.
    const packs = readdirSync(join(root, '.git', 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
    expect(packs.length).toBeLessThan(25);
    expect(git(root, 'fsck', '--no-dangling')).toBe('');
  });

  it('does not send the snapshots away with an ordinary push, nor to a clone', async () => {
    const root = busyRepository();
    const far = folder();
    git(far, 'init', '-q', '--bare');
    git(root, 'remote', 'add', 'origin', far);
    await snapshots(root).take();
    git(root, 'push', '-q', '-u', 'origin', 'main');
    git(root, 'push', '-q', '--all');
    git(root, 'push', '-q', '--tags');
    expect(git(far, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    const clone = join(folder(), 'clone');
    git(folder(), 'clone', '-q', root, clone);
    expect(git(clone, 'for-each-ref', 'refs/ckpt')).toBe('');
  });

  it('runs none of its hooks, monitors, filters or signers', async () => {
    const root = busyRepository();
    const trap = join(folder(), 'ran');
    const script = join(folder(), 'trap.sh');
    writeFileSync(script, `#!/bin/sh\necho "$0" >> ${trap}\nexit 1\n`);
    chmodSync(script, 0o755);
    for (const hook of ['reference-transaction', 'post-index-change', 'pre-commit', 'post-checkout', 'pre-auto-gc']) {
      write(root, {[`.git/hooks/${hook}`]: {run: readFileSync(script, 'utf8')}});
    }
    for (const [name, value] of [
      ['core.fsmonitor', script],
      ['commit.gpgSign', 'true'],
      ['gpg.program', script],
      ['filter.x.clean', script],
      ['filter.x.process', script],
      ['core.hooksPath', join(root, '.git', 'hooks')],
    ] as const) {
      git(root, '-c', 'core.fsmonitor=false', 'config', name, value);
    }
    write(root, {'.gitattributes': '* filter=x\n', more: 'x'});
    await snapshots(root).take();
    write(root, {more: 'y'});
    await snapshots(root).take();
    expect(() => readFileSync(trap)).toThrow(/ENOENT/);
  });

  it('is not mistaken for another: variables of a hook or a rebase lead nowhere', async () => {
    const root = busyRepository();
    const other = repository();
    const before = persons(root);
    const names = {GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, 'stray')};
    Object.assign(process.env, names);
    try {
      const {tree} = await snapshots(root).take();
      for (const name of Object.keys(names)) delete process.env[name];
      expect(git(root, 'ls-tree', '--name-only', tree).split('\n')).toContain('a');
      expect(readdirSync(other)).toEqual(['.git']);
      expect(persons(root).files).toEqual(before.files);
    } finally {
      for (const name of Object.keys(names)) delete process.env[name];
    }
  });
});
