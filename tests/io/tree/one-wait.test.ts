// What makes a snapshot quick must not make it wrong: the repository as it was the last time is only a guess, and refs are
// written without git.

import {chmodSync, readdirSync, statSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {commit, contentOf, folder, git, repository, snapshots, withoutSettings, write} from './rig.ts';

withoutSettings();

describe('a repository that has changed since the last snapshot', () => {
  it('a setting', async () => {
    const root = repository();
    commit(root, {tool: '1'});
    const {take} = snapshots(root);
    await take('first');
    git(root, 'config', 'core.filemode', 'false');
    chmodSync(join(root, 'tool'), 0o755);
    utimesSync(join(root, 'tool'), 1, 1);
    expect(contentOf(root, (await take('second')).tree)).toEqual({tool: '100644 1'});
    git(root, 'config', 'core.filemode', 'true');
    expect(contentOf(root, (await take('third')).tree)).toEqual({tool: '100755 1'});
  });

  it('its HEAD', async () => {
    const root = repository();
    write(root, {a: '1'});
    const {take} = snapshots(root);
    const unborn = await take('without any commit');
    expect(() => git(root, 'rev-parse', '--verify', '-q', `${unborn.commit}^`)).toThrow();
    for (const text of ['2', '3']) {
      const head = commit(root, {a: text});
      expect(git(root, 'rev-parse', `${(await take('next')).commit}^`)).toBe(head);
    }
  });

  it('git is there, where none was', async () => {
    const root = folder();
    write(root, {a: '1'});
    const {take} = snapshots(root);
    await take('outside git');
    git(root, 'init', '-q');
    const {ref, commit: made} = await take('inside');
    expect(git(root, 'rev-parse', ref)).toBe(made);
  });
});

describe('refs', () => {
  it('are whole refs to git, packed or not, and leave no lock behind', async () => {
    const root = repository();
    commit(root, {a: '1'});
    const {take} = snapshots(root);
    const made = [await take('one'), await take('two')];
    git(root, 'pack-refs', '--all', '--prune');
    made.push(await take('three'));
    const listed = git(root, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/ckpt/').split('\n').sort();
    expect(listed).toEqual(made.map(({ref, commit: name}) => `${ref} ${name}`).sort());
    expect(git(root, 'fsck', '--no-progress')).toBe('');
    expect(readdirSync(join(root, '.git/refs/ckpt/main')).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('of a shared repository are as shared as git makes them', async () => {
    const root = repository();
    commit(root, {a: '1'});
    git(root, 'config', 'core.sharedRepository', 'group');
    const {ref} = await snapshots(root).take('one');
    expect(statSync(join(root, '.git', ref)).mode & 0o660).toBe(0o660);
  });
});
