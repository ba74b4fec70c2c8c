// What makes a snapshot quick must not make it wrong: the repository as it was the last time is only a guess, refs are
// written without git, and several questions go to git through one shell.

import {chmodSync, readdirSync, statSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitTogether} from '../../../src/io/git-batch.ts';
import {personsEnv} from '../../../src/io/tree/git.ts';
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

describe('questions that are asked at once', () => {
  const ask = (args: string[], more: {cwd?: string; env?: Record<string, string>; timeoutMs?: number} = {}) => ({
    ...{args, cwd: '/', env: personsEnv(), timeoutMs: 20_000},
    ...more,
  });
  const say = (text: string) => ['-c', `x.y=${text}`, 'config', 'x.y'];

  it('each gets its own answer, complaint and code', async () => {
    const odd = `it's "odd" $HOME \`pwd\` \\ * ä\nsecond line`;
    const [first, second, third, fourth] = await gitTogether([
      ask(say(odd)),
      ask(['no-such-command']),
      ask(['config', 'no.such']),
      ask(['config', 'a.b'], {
        env: {...personsEnv(), GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: "it's"},
      }),
    ]);
    expect(first).toEqual({code: 0, err: '', timedOut: false, out: Buffer.from(`${odd}\n`).toString('latin1')});
    expect(second).toMatchObject({code: 1, out: '', err: expect.stringContaining('no-such-command')});
    expect(third).toMatchObject({code: 1, out: '', err: ''});
    expect(fourth).toMatchObject({code: 0, out: "it's\n"});
  });

  it('from a folder that is gone, without any git, or for too long: a failure each', async () => {
    const gone = await gitTogether([ask(['version'], {cwd: '/no/such'}), ask(['version'])]);
    expect(gone.map(({code}) => code)).toEqual([expect.any(Number), 0]);
    expect(gone[0]?.code).not.toBe(0);
    const without = await gitTogether([ask(['version'], {env: {PATH: '/no'}}), ask(['version'], {env: {PATH: '/no'}})]);
    expect(without.map(({code, timedOut}) => [code, timedOut])).toEqual([
      [undefined, false],
      [undefined, false],
    ]);
    const slow = ask(['-c', 'alias.z=!sleep 60', 'z'], {timeoutMs: 300});
    const late = await gitTogether([slow, slow]);
    expect(late.map(({code}) => code === 0)).toEqual([false, false]);
  });
});
