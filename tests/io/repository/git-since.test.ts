import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {gitSince} from '../../../src/io/repository/git-since.ts';

let root = '';
const env = {PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C'};
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=P', '-c', 'user.email=p@example.invalid', ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  }).trim();
const commit = (file: string, subject: string): string => {
  writeFileSync(join(root, file), subject);
  git('add', '.');
  git('commit', '-q', '-m', subject);
  return git('rev-parse', 'HEAD');
};

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ckpt-since-')));
  git('init', '-q', '-b', 'main');
  commit('a', 'Begin');
});
afterEach(() => rmSync(root, {recursive: true, force: true}));

test('nothing has moved', async () => {
  const head = git('rev-parse', 'HEAD');
  expect(await gitSince(root, {branch: 'main', head, worktree: root})).toEqual({
    worktreeGone: false,
    branchGone: false,
    merged: true,
    headIs: 'part',
    commits: [],
  });
});

test('commits have come since', async () => {
  const head = git('rev-parse', 'HEAD');
  const second = commit('b', 'Write "the" parser');
  expect(await gitSince(root, {branch: 'main', head})).toMatchObject({
    headIs: 'part',
    commits: [{id: second, subject: 'Write "the" parser'}],
  });
});

test('the branch was merged and deleted', async () => {
  git('checkout', '-q', '-b', 'work');
  const head = commit('b', 'Work');
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'Merge', 'work');
  git('branch', '-q', '-D', 'work');
  expect(await gitSince(root, {branch: 'work', head})).toMatchObject({branchGone: true, merged: true, headIs: 'part'});
});

test('the branch was squashed and deleted: its work is here, though its commits are not', async () => {
  git('checkout', '-q', '-b', 'work');
  commit('b', 'Half of it');
  const head = commit('[c]*', 'The rest');
  git('checkout', '-q', 'main');
  commit('d', 'Something else');
  git('merge', '-q', '--squash', 'work');
  expect(await gitSince(root, {branch: 'work', head})).toMatchObject({merged: false});
  git('commit', '-q', '-m', 'All of it (#12)');
  git('branch', '-q', '-D', 'work');
  expect(await gitSince(root, {branch: 'work', head})).toMatchObject({
    ...{branchGone: true, merged: true, headIs: 'elsewhere'},
  });
});

test('the branch was deleted with its work, or is on another line', async () => {
  git('checkout', '-q', '-b', 'work');
  const head = commit('b', 'Work');
  git('checkout', '-q', 'main');
  expect(await gitSince(root, {branch: 'work', head})).toMatchObject({
    branchGone: false,
    merged: false,
    headIs: 'elsewhere',
  });
  git('branch', '-q', '-D', 'work');
  expect(await gitSince(root, {branch: 'work', head})).toMatchObject({branchGone: true, merged: false});
});

test('a head that nobody knows, a folder that is gone', async () => {
  const since = await gitSince(root, {branch: 'main', head: 'd'.repeat(40), worktree: join(root, 'gone')});
  expect(since).toMatchObject({headIs: 'gone', worktreeGone: true, commits: []});
});

test('a name that looks like an option is a name', async () => {
  const head = git('rev-parse', 'HEAD');
  expect(await gitSince(root, {branch: '--upload-pack=x', head})).toMatchObject({branchGone: true});
  expect(await gitSince(root, {branch: 'main', head: '--all'})).toBeUndefined();
});

test('outside git there is nothing to tell', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ckpt-nogit-')));
  try {
    expect(await gitSince(folder, {branch: 'main', head: 'a'.repeat(40)})).toBeUndefined();
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
});
