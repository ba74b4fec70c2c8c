import {execFileSync} from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openWorkspace} from '../../../src/io/repository/workspace.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {cwd, encoding: 'utf8'}).trim();

const repository = (): string => {
  const dir = realpathSync(tempFolder());
  git(dir, 'init', '-q', '-b', 'main');
  return dir;
};

const look = (root: string, checkpointDir = join(root, 'runtime', 'checkpoints')) =>
  openWorkspace({root, checkpointDir}).facts();

const commit = (root: string, name: string, content: string): void => {
  writeFileSync(join(root, name), content);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', name);
};

describe('git as it is', () => {
  it('without any commit', async () => {
    const root = repository();
    writeFileSync(join(root, 'new'), '');
    expect(await look(root)).toMatchObject({root, branch: 'main', head: undefined, dirty: ['new'], more: 0});
  });

  it('with a head, clean and dirty', async () => {
    const root = repository();
    commit(root, 'a', '1');
    const clean = await look(root);
    expect(clean).toMatchObject({branch: 'main', head: git(root, 'rev-parse', 'HEAD'), dirty: []});
    writeFileSync(join(root, 'a'), '2');
    mkdirSync(join(root, 'deep', 'er'), {recursive: true});
    writeFileSync(join(root, 'deep', 'er', 'b'), '');
    expect((await look(root)).dirty.sort()).toEqual(['a', 'deep/er/b']);
  });

  it('detached', async () => {
    const root = repository();
    commit(root, 'a', '1');
    git(root, 'checkout', '-q', '--detach');
    expect(await look(root)).toMatchObject({branch: undefined, head: git(root, 'rev-parse', 'HEAD')});
  });

  it.each([
    'two words',
    'line\nbreak',
    'tab\there',
    'Überprüfung 漢字 😀',
    '"quoted"',
    '-dash',
    'a -> b',
    '? x',
    '1 .M N',
  ])('with a file called %j', async (name) => {
    const root = repository();
    commit(root, name, '1');
    writeFileSync(join(root, name), '2');
    writeFileSync(join(root, `${name} new`), '');
    git(root, 'mv', '--', name, `${name} moved`);
    const {dirty} = await look(root);
    expect(dirty.sort()).toEqual([name, `${name} moved`, `${name} new`].sort());
  });

  it('in a merge conflict', async () => {
    const root = repository();
    commit(root, 'a', '1');
    git(root, 'checkout', '-q', '-b', 'side');
    commit(root, 'a', '2');
    git(root, 'checkout', '-q', 'main');
    commit(root, 'a', '3');
    expect(() => git(root, 'merge', 'side')).toThrow();
    expect((await look(root)).dirty).toEqual(['a']);
  });

  it('lists 200 files and counts the rest', async () => {
    const root = repository();
    for (let n = 0; n < 230; n += 1) writeFileSync(join(root, `f${n}`), '');
    const facts = await look(root);
    expect(facts.dirty).toHaveLength(200);
    expect(facts.more).toBe(30);
  });

  it.each(['runtime/checkpoints', 'a*b [1]'])('leaves the checkpoint folder %j out', async (name) => {
    const root = repository();
    commit(root, 'a', '1');
    const before = await look(root, join(root, name));
    mkdirSync(join(root, name), {recursive: true});
    writeFileSync(join(root, name, 'LATEST.json'), '{}');
    expect(await look(root, join(root, name))).toEqual(before);
  });

  it('has a fingerprint that moves when content moves', async () => {
    const root = repository();
    commit(root, 'a', '1');
    writeFileSync(join(root, 'a'), '2');
    const first = (await look(root)).fingerprint;
    expect((await look(root)).fingerprint).toBe(first);
    utimesSync(join(root, 'a'), 1, 1);
    const second = (await look(root)).fingerprint;
    expect(second).not.toBe(first);
    git(root, 'commit', '-q', '-am', 'x');
    expect((await look(root)).fingerprint).not.toBe(second);
  });

  it('touches nothing of git’s own', async () => {
    const root = repository();
    commit(root, 'a', '1');
    // A file whose time differs from the index: a plain `git status` would write the index anew.
    utimesSync(join(root, 'a'), new Date(), new Date(Date.now() - 5000));
    const state = () => {
      const names = readdirSync(join(root, '.git'), {recursive: true, encoding: 'utf8'}).sort();
      const times = names.map((name) => statSync(join(root, '.git', name)).mtimeMs);
      return JSON.stringify([names, times, readFileSync(join(root, '.git', 'index')).toString('base64')]);
    };
    const before = state();
    await look(root);
    expect(state()).toBe(before);
  });

  it('runs no command that the repository configures', async () => {
    const root = repository();
    commit(root, 'a', '1');
    git(root, 'config', 'core.fsmonitor', `touch ${join(root, 'ran')};false`);
    await look(root);
    expect(readdirSync(root)).not.toContain('ran');
  });
});

describe('outside git', () => {
  it('there is no root, but a fingerprint that moves', async () => {
    const root = tempFolder();
    writeFileSync(join(root, 'a'), '1');
    const before = await look(root);
    expect(before).toMatchObject({root: undefined, branch: undefined, head: undefined, dirty: []});
    expect(await look(root)).toEqual(before);
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub', 'b'), '');
    expect((await look(root)).fingerprint).not.toBe(before.fingerprint);
  });

  it('the walk is bounded', async () => {
    const root = tempFolder();
    let at = root;
    for (let n = 0; n < 40; n += 1) at = mkdtempSync(join(at, 'd'));
    for (let n = 0; n < 6000; n += 1) writeFileSync(join(root, `f${n}`), '');
    const start = performance.now();
    await look(root);
    expect(performance.now() - start).toBeLessThan(3000);
  });

  it('a machine without git is the same as a folder without git', async () => {
    const root = repository();
    const path = process.env.PATH;
    process.env.PATH = tempFolder();
    try {
      expect(await look(root)).toMatchObject({root: undefined, head: undefined});
    } finally {
      process.env.PATH = path;
    }
  });
});
