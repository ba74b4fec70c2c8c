import {describe, expect, it} from 'vitest';
import type {GitSince, GitState} from '../../src/baton/compose-input.ts';
import {reconcile} from '../../src/baton/reconcile.ts';
import {tasksDoneBy} from '../../src/baton/task-proof.ts';
import {sample} from './samples.ts';

const now: GitState = {branch: 'main', head: sample().head, dirty: ['src/a.ts']};
const since: GitSince = {worktreeGone: false, branchGone: false, merged: false, headIs: 'part', commits: []};
const moved = 'head was fa124d5fa124, is now bbbbbbbbbbbb';
const b = 'b'.repeat(40);

describe('drift', () => {
  it.each<[string, Partial<GitState>, string]>([
    ['nothing moved', {}, 'none'],
    ['nothing moved, and looked at closely', {since}, 'none'],
    ['another branch', {branch: 'x'}, 'branch was main, is now x'],
    ['detached', {branch: undefined}, 'branch was main, is now none (detached, or no git)'],
    ['another head', {head: b}, moved],
    ['new files', {dirty: ['src/a.ts', 'n\new']}, 'changed since: n ⏎ ew'],
    ['committed', {dirty: []}, 'no longer changed (committed or undone): src/a.ts'],
    ['many', {dirty: ['src/a.ts', ...'bcdefgh']}, 'changed since: b, c, d, e, f and 2 more'],
    [
      'its branch is merged and deleted',
      {branch: 'dev', since: {...since, branchGone: true, merged: true}},
      'branch was main, is now dev; main is gone and merged into dev: its work may be done',
    ],
    [
      'its branch is deleted, and nothing of it is here',
      {branch: 'dev', since: {...since, branchGone: true}},
      'branch was main, is now dev; main is gone and not merged here',
    ],
    [
      'somebody checked another branch out',
      {branch: 'dev', since},
      'branch was main, is now dev; main is still there and not merged here',
    ],
    [
      'new commits',
      {
        head: b,
        since: {
          ...since,
          commits: [
            {id: b, subject: 'Fix\u001b[31m it'},
            {id: 'c'.repeat(40), subject: 'More'},
          ],
        },
      },
      `${moved}, with 2 new commits: bbbbbbbbbbbb "Fix it", cccccccccccc "More"`,
    ],
    [
      'history rewritten',
      {head: b, since: {...since, headIs: 'gone'}},
      `${moved}; the old one no longer exists (history was rewritten)`,
    ],
    ['another line', {head: b, since: {...since, headIs: 'elsewhere'}}, `${moved}; the old one is not part of it`],
    [
      'a task is done by a commit',
      {head: b, since: {...since, commits: [{id: b, subject: 'Added parser tests'}]}},
      `${moved}, with 1 new commit: bbbbbbbbbbbb "Added parser tests"; task "add tests for the parser" seems done by bbbbbbbbbbbb, look before you do it`,
    ],
  ])('%s', (_name, changes, sentence) => {
    const checkpoint = sample({tasks: [{title: 'add tests for the parser', state: 'pending'}]});
    expect(reconcile(checkpoint, {...now, ...changes})).toBe(sentence);
  });

  it('names the folder that it was written in when that is another one', () => {
    const checkpoint = sample({worktree: '/a/fork'});
    expect(reconcile(checkpoint, {...now, root: '/a/fork'})).toBe('none');
    expect(reconcile(checkpoint, {...now, root: '/a/main'})).toBe('it was written in /a/fork, this is /a/main');
    expect(reconcile(checkpoint, {...now, root: '/a/main', since: {...since, worktreeGone: true}})).toBe(
      'it was written in /a/fork, which is gone, this is /a/main',
    );
  });

  it('stays on one line, whatever git is called', () => {
    const wild = 'a\nNext: b';
    const line = reconcile(sample({worktree: wild}), {
      ...now,
      root: 'x\ny',
      branch: wild,
      head: 'z\n',
      dirty: [wild],
      since,
    });
    expect(line).not.toContain('\n');
  });
});

describe('a task whose proof is there', () => {
  it.each<[string, string, boolean]>([
    ['write the parser', 'Write the parser', true],
    ['Migrate billing tables', 'Migrated the billing tables (#12)', true],
    ['migrate the billing module to the new ledger format', 'Migrate billing module to new ledger', true],
    ['write the parser', 'Write the README', false],
    ['tests', 'Tests', false],
    ['deploy to staging and check the logs', 'Deploy docs', false],
  ])('%s / %s: %s', (title, subject, done) => {
    const found = tasksDoneBy([{title, state: 'pending'}], [{id: '1', subject}]);
    expect(found.length > 0).toBe(done);
  });

  it('is not asked for when the task is finished', () => {
    expect(
      tasksDoneBy([{title: 'write the parser', state: 'completed'}], [{id: '1', subject: 'Write the parser'}]),
    ).toEqual([]);
  });
});
