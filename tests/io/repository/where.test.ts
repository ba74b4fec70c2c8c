import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
  excludeFile,
  excludeFromCommits,
  findWhere,
  type Where,
  type WhereOptions,
} from '../../../src/io/repository/where.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {cwd, encoding: 'utf8'}).trim();

const repository = (): string => {
  const dir = realpathSync(tempFolder());
  git(dir, 'init', '-q', '-b', 'main');
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'x');
  return dir;
};

const where = (options: Partial<WhereOptions> & {cwd: string}): Where => {
  const found = findWhere({env: {}, ...options});
  if (!found.ok) throw new Error(JSON.stringify(found.failure));
  return found.value;
};

describe('the checkpoint folder', () => {
  it('is found from a subfolder', () => {
    const root = repository();
    mkdirSync(join(root, 'a', 'b'), {recursive: true});
    expect(where({cwd: join(root, 'a', 'b')})).toEqual({
      root,
      dir: join(root, 'runtime', 'checkpoints'),
      dotGit: join(root, '.git'),
    });
  });

  it('outside git is in the folder we were called in', () => {
    const cwd = tempFolder();
    expect(where({cwd})).toEqual({root: cwd, dir: join(cwd, 'runtime', 'checkpoints'), dotGit: undefined});
  });

  it('comes from the option, then CKPT_DIR, relative to the root or absolute', () => {
    const root = repository();
    mkdirSync(join(root, 'sub'));
    const cwd = join(root, 'sub');
    expect(where({cwd, env: {CKPT_DIR: '/elsewhere'}}).dir).toBe('/elsewhere');
    expect(where({cwd, env: {CKPT_DIR: '/elsewhere'}, checkpointDir: 'x'}).dir).toBe(join(root, 'x'));
    expect(where({cwd, env: {CKPT_DIR: ''}}).dir).toBe(join(root, 'runtime', 'checkpoints'));
    expect(where({cwd, repoRoot: '.'}).root).toBe(cwd);
  });

  it('may not lead out of the repository through a link that came with it', () => {
    const root = repository();
    symlinkSync(tempFolder(), join(root, 'runtime'));
    expect(findWhere({cwd: root, env: {}})).toMatchObject({ok: false, failure: {is: 'store-unusable'}});
    expect(findWhere({cwd: root, env: {}, checkpointDir: '/tmp/mine'})).toMatchObject({ok: true});
  });

  it('of a repository that is not there is not found', () => {
    expect(findWhere({cwd: '/', repoRoot: '/no/such', env: {}})).toMatchObject({ok: false, failure: {is: 'not-found'}});
  });

  it('is not misled by a .git that is none', () => {
    const root = repository();
    mkdirSync(join(root, 'a', '.git'), {recursive: true});
    expect(where({cwd: join(root, 'a')}).root).toBe(root);
  });
});

describe('kept out of commits', () => {
  const asGitSays = (cwd: string): string => resolve(cwd, git(cwd, 'rev-parse', '--git-path', 'info/exclude'));

  it('by one line in info/exclude, once', () => {
    const root = repository();
    const place = where({cwd: root});
    expect(excludeFromCommits(place)).toBe('added');
    expect(excludeFromCommits(place)).toBe('there');
    mkdirSync(place.dir, {recursive: true});
    writeFileSync(join(place.dir, 'x'), '');
    expect(git(root, 'status', '--porcelain')).toBe('');
    const lines = readFileSync(join(root, '.git', 'info', 'exclude'), 'utf8').split('\n');
    expect(lines.filter((line) => line === '/runtime/checkpoints/')).toHaveLength(1);
  });

  it('also in a worktree and in a submodule, where git itself looks', () => {
    const root = repository();
    const tree = join(tempFolder(), 'tree');
    git(root, 'worktree', 'add', '-q', tree);
    expect(excludeFile(join(tree, '.git'))).toBe(asGitSays(tree));
    expect(excludeFromCommits(where({cwd: tree}))).toBe('added');
    mkdirSync(join(tree, 'runtime', 'checkpoints'), {recursive: true});
    writeFileSync(join(tree, 'runtime', 'checkpoints', 'x'), '');
    expect(git(tree, 'status', '--porcelain')).toBe('');
    const outer = repository();
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', root, 'sub');
    expect(excludeFile(join(outer, 'sub', '.git'))).toBe(asGitSays(join(outer, 'sub')));
    expect(where({cwd: join(outer, 'sub')}).root).toBe(join(outer, 'sub'));
  });

  it.each(['a b', 'a*b', 'x[1]', '#hash', '!bang', 'end '])('also when the folder is called %j', (name) => {
    const root = repository();
    const place = where({cwd: root, checkpointDir: name});
    expect(excludeFromCommits(place)).toBe('added');
    mkdirSync(place.dir);
    writeFileSync(join(place.dir, 'f'), '');
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  it('is not needed outside the repository, or when it is the repository', () => {
    const root = repository();
    expect(excludeFromCommits(where({cwd: root, checkpointDir: '/elsewhere'}))).toBe('not-needed');
    expect(excludeFromCommits(where({cwd: root, checkpointDir: '.'}))).toBe('not-needed');
    expect(excludeFromCommits(where({cwd: tempFolder()}))).toBe('not-needed');
  });

  it('is no reason to fail when git’s folder cannot be written', () => {
    const root = repository();
    const file = join(root, '.git', 'info', 'exclude');
    rmSync(dirname(file), {recursive: true, force: true});
    writeFileSync(dirname(file), 'a file where the folder should be');
    expect(excludeFromCommits(where({cwd: root}))).toBe('refused');
  });
});
