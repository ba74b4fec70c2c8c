import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {commit, contentOf, folder, git, notOurs, onDisk, repository, snapshots, withoutSettings, write} from './rig.ts';

withoutSettings();

describe('a snapshot holds the whole working tree', () => {
  it('modified, deleted, new, moved, executable, linked; nothing ignored', async () => {
    const root = repository();
    commit(root, {'a.txt': '1', 'b.txt': '2', 'deep/er/c.txt': '3', 'old name': '4', '.gitignore': '*.log\n/out/\n'});
    write(root, {
      ...{'a.txt': 'changed', 'b.txt': null, 'new/d.txt': '5', tool: {run: '#!/bin/sh\n'}, link: {link: 'a.txt'}},
      ...{'x.log': 'ignored', 'out/y': 'ignored'},
    });
    git(root, 'mv', 'old name', 'new name');
    const {tree, commit: made, ref, ...rest} = await snapshots(root).take('hello\nthere');
    expect(rest).toEqual({left_out: [], complete: true});
    expect(contentOf(root, tree)).toEqual({
      ...{'a.txt': '100644 changed', 'deep/er/c.txt': '100644 3', 'new name': '100644 4', 'new/d.txt': '100644 5'},
      ...{tool: '100755 #!/bin/sh\n', link: '120000 a.txt', '.gitignore': '100644 *.log\n/out/\n'},
    });
    expect(git(root, 'rev-parse', ref)).toBe(made);
    expect(git(root, 'rev-parse', `${ref}^`)).toBe(git(root, 'rev-parse', 'HEAD'));
    expect(git(root, 'log', '-1', '--format=%an %ae %B', ref)).toBe('ckpt-run ckpt-run@localhost hello\nthere');
  });

  it('again and again, each with what changed since', async () => {
    const root = repository();
    commit(root, {a: '1', b: '2'});
    const {take} = snapshots(root);
    for (const [files, wanted] of [
      [{}, {a: '100644 1', b: '100644 2'}],
      [{c: '3'}, {a: '100644 1', b: '100644 2', c: '100644 3'}],
      [
        {c: null, a: {link: 'b'}},
        {a: '120000 b', b: '100644 2'},
      ],
      [
        {b: null, 'b/c/d': 'x'},
        {a: '120000 b', 'b/c/d': '100644 x'},
      ],
      [{b: null, a: null}, {}],
      [{a: '1'}, {a: '100644 1'}],
    ] as const) {
      if ('a' in files) write(root, {a: null});
      write(root, files);
      expect(contentOf(root, (await take()).tree)).toEqual(wanted);
    }
  });

  it.each([
    'two words',
    'line\nbreak',
    'tab\there',
    'Überprüfung 漢字 😀',
    '"quoted"',
    '-dash',
    'back\\slash',
    ' blank ',
    ':(top)x',
    '*.log',
  ])('with a file called %j', async (name) => {
    const root = repository();
    commit(root, {[name]: '1', keep: '1'});
    write(root, {[name]: '2', [`new ${name}`]: '3', [`${name} folder/${name}`]: '4'});
    const {take} = snapshots(root);
    const {tree} = await take();
    expect(contentOf(root, tree)).toEqual(onDisk(root, notOurs));
    write(root, {[name]: null, [`${name} folder`]: null});
    expect(contentOf(root, (await take()).tree)).toEqual(onDisk(root, notOurs));
  });

  it('with names that are not UTF-8', async () => {
    const root = repository();
    const odd = Buffer.concat([Buffer.from(`${root}/odd-`), Buffer.from([0xff, 0xfe])]);
    try {
      writeFileSync(odd, 'x');
    } catch {
      // Some file systems refuse such names: then there is nothing to be saved.
      return expect(readdirSync(root)).toEqual(['.git']);
    }
    expect(contentOf(root, (await snapshots(root).take()).tree)).toEqual({'odd-\xff\xfe': '100644 x'});
  });

  it('byte for byte, whatever git would convert or filter', async () => {
    const root = repository();
    git(root, 'config', 'core.autocrlf', 'input');
    git(root, 'config', 'filter.big.clean', 'printf pointer');
    git(root, 'config', 'filter.big.required', 'true');
    commit(root, {
      '.gitattributes': '* text=auto\n*.bin filter=big\n*.id ident\n*.utf16 working-tree-encoding=UTF-16LE-BOM\n',
      ...{'crlf.txt': 'a\r\nb\r\n', 'lf.txt': 'a\n', 'x.bin': 'the real content', 'x.id': '$Id$\n'},
    });
    expect(git(root, 'show', 'HEAD:x.bin')).toBe('pointer');
    // A filter that would hang must never be started.
    git(root, 'config', 'filter.big.clean', 'sleep 1000');
    write(root, {'y.bin': 'new', 'y.txt': 'a\r\n', 'y.utf16': Buffer.from('\ufeffäö', 'utf16le')});
    const {tree} = await snapshots(root).take();
    expect(contentOf(root, tree)).toEqual(onDisk(root, notOurs));
  });
});

describe('wherever git stands', () => {
  const same = async (root: string) => {
    const {tree, commit: made, complete} = await snapshots(root).take();
    expect(contentOf(root, tree)).toEqual(onDisk(root, notOurs));
    expect(complete).toBe(true);
    return made;
  };

  it('without any commit, with and without an index', async () => {
    const root = repository();
    const made = await same(root);
    expect(git(root, 'rev-list', '--parents', made)).toBe(made);
    write(root, {a: '1', b: '2'});
    git(root, 'add', 'a');
    await same(root);
  });

  it('detached', async () => {
    const root = repository();
    commit(root, {a: '1'});
    git(root, 'checkout', '-q', '--detach');
    write(root, {a: '2'});
    await same(root);
  });

  it('in the middle of a rebase with a conflict', async () => {
    const root = repository();
    commit(root, {a: '1', other: 'x'});
    git(root, 'checkout', '-q', '-b', 'side');
    commit(root, {a: '2'});
    git(root, 'checkout', '-q', 'main');
    commit(root, {a: '3'});
    expect(() => git(root, 'rebase', 'side')).toThrow();
    await same(root);
    expect(git(root, 'status', '--porcelain')).toBe('UU a');
    expect(existsSync(join(root, '.git', 'rebase-merge'))).toBe(true);
  });

  it('in a linked worktree, whose .git is a file', async () => {
    const root = repository();
    commit(root, {a: '1', b: '2'});
    const linked = join(folder(), 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    write(linked, {a: 'changed there', c: 'new'});
    await same(linked);
    await same(root);
    expect(git(root, 'for-each-ref', '--format=x', 'refs/ckpt')).toBe('x\nx');
  });

  it('called in a folder inside it', async () => {
    const root = repository();
    commit(root, {'deep/a': '1', b: '2'});
    const taken = await snapshots(root, {root: join(root, 'deep')}).take();
    expect(contentOf(root, taken.tree)).toEqual(onDisk(root, notOurs));
  });

  it('in a sparse checkout: what is not on disk stays as git has it', async () => {
    const root = repository();
    commit(root, {'in/a': '1', 'out/b': '2', 'out/deep/c': '3', top: '4'});
    git(root, 'sparse-checkout', 'set', '--cone', 'in');
    expect(existsSync(join(root, 'out'))).toBe(false);
    write(root, {'in/a': 'changed', 'in/new': '5'});
    const {take} = snapshots(root);
    const wanted = {
      ...{
        'in/a': '100644 changed',
        'in/new': '100644 5',
        'out/b': '100644 2',
        'out/deep/c': '100644 3',
        top: '100644 4',
      },
    };
    expect(contentOf(root, (await take()).tree)).toEqual(wanted);
    // Somebody makes a file where there should be none: it is on disk, so it counts.
    write(root, {'out/b': 'there after all'});
    expect(contentOf(root, (await take()).tree)).toEqual({...wanted, 'out/b': '100644 there after all'});
    write(root, {out: null});
    git(root, 'sparse-checkout', 'disable');
    expect(contentOf(root, (await take()).tree)).toEqual({...wanted, 'out/b': '100644 2'});
  });

  it('with a split index, and with promises to look away', async () => {
    const root = repository();
    commit(root, {a: '1', b: '2', c: '3', d: '4'});
    git(root, 'update-index', '--split-index');
    git(root, 'update-index', '--assume-unchanged', 'a');
    git(root, 'update-index', '--skip-worktree', 'b');
    write(root, {a: 'changed', b: 'changed', 'only announced': 'x'});
    git(root, 'add', '-N', 'only announced');
    await same(root);
  });

  it('with a SHA-256 repository', async () => {
    const root = folder();
    git(root, 'init', '-q', '--object-format=sha256');
    commit(root, {a: '1'});
    write(root, {b: '2'});
    expect(await same(root)).toHaveLength(64);
  });

  it('with files that are tracked although ignored, and ignored ones that were tracked', async () => {
    const root = repository();
    commit(root, {'.gitignore': '*.log\n', a: '1'});
    write(root, {'kept.log': '1', 'other.log': '2'});
    const {take} = snapshots(root);
    const names = async () => Object.keys(contentOf(root, (await take()).tree)).sort();
    expect(await names()).toEqual(['.gitignore', 'a']);
    git(root, 'add', '-f', 'kept.log');
    expect(await names()).toEqual(['.gitignore', 'a', 'kept.log']);
    git(root, 'rm', '-q', '--cached', 'kept.log');
    expect(await names()).toEqual(['.gitignore', 'a']);
    write(root, {'b.tmp': 'x', 'c.tmp': 'y'});
    expect(await names()).toEqual(['.gitignore', 'a', 'b.tmp', 'c.tmp']);
    write(root, {'.gitignore': '*.tmp\n'});
    expect(await names()).toEqual(['.gitignore', 'a', 'kept.log', 'other.log']);
    writeFileSync(join(root, '.git', 'info', 'exclude'), '*.log\n');
    expect(await names()).toEqual(['.gitignore', 'a']);
    expect(readFileSync(join(root, 'b.tmp'), 'utf8')).toBe('x');
  });

  it('with submodules and repositories inside', async () => {
    const library = repository();
    const first = commit(library, {lib: '1'});
    const root = repository();
    commit(root, {a: '1'});
    git(root, 'submodule', '--quiet', 'add', library, 'sub');
    git(root, 'commit', '-q', '-m', 'sub');
    const {take} = snapshots(root);
    expect(contentOf(root, (await take()).tree).sub).toBe(`160000 ${first}`);
    const second = commit(join(root, 'sub'), {lib: '2'});
    expect(contentOf(root, (await take()).tree).sub).toBe(`160000 ${second}`);
    git(join(root, 'sub'), 'checkout', '-q', first);
    expect(contentOf(root, (await take()).tree).sub).toBe(`160000 ${first}`);
    git(root, 'init', '-q', 'inner');
    const empty = await take();
    expect(empty).toMatchObject({
      complete: true,
      left_out: [{path: 'inner', why: expect.stringContaining('repository')}],
    });
    const inner = commit(join(root, 'inner'), {x: '1'});
    const noted = await take();
    expect(contentOf(root, noted.tree).inner).toBe(`160000 ${inner}`);
    expect(noted.left_out).toEqual([{path: 'inner', why: 'a repository of its own: only its commit is kept'}]);
    write(root, {inner: null});
    const gone = await take();
    expect(gone.left_out).toEqual([]);
    expect(contentOf(root, gone.tree)).not.toHaveProperty('inner');
  });

  it('never takes the checkpoint folder along, not even when it is versioned', async () => {
    const root = repository();
    commit(root, {a: '1', 'runtime/checkpoints/LATEST.json': '{}', 'runtime/other': 'x'});
    write(root, {'runtime/checkpoints/LATEST.json': '{"new":1}', '.gitignore': '!runtime/checkpoints/\n'});
    const {take} = snapshots(root);
    expect(Object.keys(contentOf(root, (await take()).tree)).sort()).toEqual(['.gitignore', 'a', 'runtime/other']);
    expect(Object.keys(contentOf(root, (await take()).tree)).sort()).toEqual(['.gitignore', 'a', 'runtime/other']);
    // What git would see of our own folder is the checkpoints alone.
    git(root, 'add', '-A');
    expect(git(root, 'diff', '--cached', '--name-only', 'HEAD')).not.toContain('workspace');
  });

  it('without any git repository: in a shadow one', async () => {
    const root = folder();
    write(root, {a: '1', 'deep/b': '2', '.gitignore': '*.log\n', 'x.log': 'ignored', 'node_modules/m/i.js': 'x'});
    const {take} = snapshots(root);
    const first = await take();
    expect(Object.keys(contentOf(root, first.tree)).sort()).toEqual(['.gitignore', 'a', 'deep/b']);
    expect(first).toMatchObject({complete: true, left_out: [{path: 'node_modules', why: 'never kept outside git'}]});
    write(root, {a: null, 'deep/c': '3'});
    expect(Object.keys(contentOf(root, (await take()).tree)).sort()).toEqual(['.gitignore', 'deep/b', 'deep/c']);
    expect(readdirSync(root).sort()).toEqual(['.gitignore', 'deep', 'node_modules', 'runtime', 'x.log']);
  });
});
