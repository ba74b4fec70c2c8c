// What makes a snapshot quick must not make it wrong: the repository as it was the last time is only a guess, and refs are
// written without git.

import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
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

/** Until all is known of the folder, and old enough to be known again by its times. */
const settle = async (take: () => Promise<unknown>): Promise<void> => {
  for (let round = 0; round < 3; round += 1) {
    await sleep(50);
    await take();
  }
};

/** Every call of git from now on, by its own words. */
const gitCalls = (): (() => string[]) => {
  const [bin, log] = [folder(), join(folder(), 'log')];
  const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`, {mode: 0o755});
  const {PATH = ''} = process.env;
  process.env.PATH = `${bin}${delimiter}${PATH}`;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  return () => {
    const calls = readFileSync(log, 'utf8').trimEnd().split('\n');
    writeFileSync(log, '');
    return calls;
  };
};

describe('where all is known', () => {
  it('git is asked for new files, for changed files, and for HEAD, and for nothing else', async () => {
    const root = repository();
    commit(root, {a: '1', 'deep/b': '2'});
    write(root, {c: '3'});
    const calls = gitCalls();
    const {take} = snapshots(root);
    await settle(take);
    calls();
    await take();
    expect(calls().map((call) => /diff-files|ls-files|cat-file/.exec(call)?.[0] ?? call)).toEqual([
      'diff-files',
      'ls-files',
      'cat-file',
    ]);
  });

  it('rules are seen that hide themselves', async () => {
    const root = repository();
    commit(root, {a: '1'});
    write(root, {'deep/er/b': '2'});
    const {take} = snapshots(root);
    await settle(take);
    write(root, {'deep/er/.gitignore': '*\n'});
    expect(contentOf(root, (await take()).tree)).toEqual({a: '100644 1'});
    await settle(take);
    write(root, {'deep/er/.gitignore': null});
    expect(contentOf(root, (await take()).tree)).toEqual({a: '100644 1', 'deep/er/b': '100644 2'});
  });

  it('what is tracked although ignored goes when it is no longer tracked', async () => {
    const root = repository();
    commit(root, {a: '1', '.gitignore': '*.log\n'});
    write(root, {'x.log': '2'});
    const {take} = snapshots(root);
    await settle(take);
    git(root, 'add', '-f', 'x.log');
    await settle(take);
    expect(contentOf(root, (await take()).tree)).toHaveProperty('x.log');
    git(root, 'rm', '-q', '--cached', 'x.log');
    expect(contentOf(root, (await take()).tree)).not.toHaveProperty('x.log');
  });

  it('settings are seen that come into files that were not there', async () => {
    const root = repository();
    commit(root, {a: '1'});
    const {take} = snapshots(root);
    const {HOME = ''} = process.env;
    await settle(take);
    mkdirSync(join(HOME, '.config', 'git'), {recursive: true});
    writeFileSync(join(HOME, '.config', 'git', 'ignore'), '*.tmp\n');
    write(root, {'x.tmp': '1', 'x.old': '2'});
    expect(Object.keys(contentOf(root, (await take()).tree))).toEqual(['a', 'x.old']);
    await settle(take);
    writeFileSync(join(HOME, 'mine'), '*.old\n');
    writeFileSync(join(HOME, 'included'), `[core]\n\texcludesFile = ${join(HOME, 'mine')}\n`);
    writeFileSync(join(HOME, '.gitconfig'), `[include]\n\tpath = ${join(HOME, 'included')}\n`);
    expect(Object.keys(contentOf(root, (await take()).tree))).toEqual(['a', 'x.tmp']);
    await settle(take);
    writeFileSync(join(HOME, 'included'), '');
    expect(Object.keys(contentOf(root, (await take()).tree))).toEqual(['a', 'x.old']);
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
