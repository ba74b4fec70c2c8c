// Any tree, any edits: a snapshot, more edits, a restore, and every byte is as it was; then back again.
// What belongs to a tree is asked of git itself, with the person's own index: `git ls-files`.

import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {commit, contentOf, folder, git, onDisk, repository, restore, snapshots, withoutSettings} from './rig.ts';

withoutSettings();

const long = process.env.CKPT_LONG === '1';
const rounds = 10;
const runs = long ? 100 : 10;

const names = [
  ...['a', 'b', 'B.txt', 'two words', 'line\nbreak', 'tab\t', 'ümlaut 漢字 😀', '"q"', '-x', '[1]*?', 'back\\slash'],
  ...['x.log', 'out', 'e\u0301', ' ', '#', '!', '.hidden', 'a.', 'crlf.txt'],
];
const path = fc.array(fc.constantFrom(...names), {minLength: 1, maxLength: 3}).map((parts) => parts.join('/'));
/** In a short form, so that a failing case can be read. */
const content = fc.oneof(
  fc.string({unit: 'binary', maxLength: 20}),
  fc.constantFrom('', 'a\r\nb\r\n', 'a\nb\n', '$Id$', 'same', '\u0000\u00ff', 'large 1', 'large 2'),
);
const bytesOf = (text: string): Buffer =>
  text.startsWith('large')
    ? Buffer.alloc(300_000, text)
    : Buffer.from(text, text.includes('\u00ff') ? 'latin1' : 'utf8');
const rules = fc.constantFrom('*.log\n', '/out\n', 'out/\n', '*\n!a\n!*/\n', '', '# nothing\n\\#\n', 'a\n');

type Edit =
  | {do: 'write'; path: string; content: string; run: boolean}
  | {do: 'link'; path: string; to: string}
  | {do: 'remove'; path: string}
  | {do: 'folder'; path: string}
  | {do: 'ignore'; path: string; rules: string}
  | {do: 'attributes'; rules: string}
  | {do: 'repository'; path: string}
  | {do: 'git'; args: readonly string[]};

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({do: fc.constant('write'), path, content, run: fc.boolean()}) as fc.Arbitrary<Edit>,
  },
  {weight: 4, arbitrary: fc.record({do: fc.constant('remove'), path}) as fc.Arbitrary<Edit>},
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('link'),
      path,
      to: fc.oneof(path, fc.constantFrom('.', '..', '/nowhere/at/all', 'x'.repeat(300))),
    }) as fc.Arbitrary<Edit>,
  },
  {weight: 1, arbitrary: fc.record({do: fc.constant('folder'), path}) as fc.Arbitrary<Edit>},
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ignore'),
      path: fc.constantFrom('.gitignore', 'a/.gitignore', 'out/.gitignore'),
      rules,
    }) as fc.Arbitrary<Edit>,
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('attributes'),
      rules: fc.constantFrom('* text=auto\n', '*.txt eol=crlf\n', 'a ident\nb filter=none\n', ''),
    }) as fc.Arbitrary<Edit>,
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('repository'),
      path: fc.constantFrom('inner', 'a/inner', 'sub'),
    }) as fc.Arbitrary<Edit>,
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('git'),
      args: fc.constantFrom(
        ...[
          ['add', '-A'],
          ['add', '-f', '.'],
          ['commit', '-q', '-m', 'x'],
          ['rm', '-rq', '--cached', '.'],
          ['reset', '-q', '--hard'],
          ['checkout', '-q', '--detach'],
          ['stash', '-q'],
          ['config', 'core.autocrlf', 'input'],
        ],
      ),
    }) as fc.Arbitrary<Edit>,
  },
);

/** What cannot be done here and now (a file where a folder should be) is simply not done. */
const attempt = (act: () => void): void => {
  try {
    act();
  } catch {
    // Part of the game.
  }
};

let commits = 0;

const perform = (root: string, step: Edit): void =>
  attempt(() => {
    const full = 'path' in step ? join(root, step.path) : root;
    if ('path' in step && leadsAway(root, step.path)) return;
    switch (step.do) {
      case 'write':
        mkdirSync(dirname(full), {recursive: true});
        writeFileSync(full, bytesOf(step.content));
        return chmodSync(full, step.run ? 0o755 : 0o644);
      case 'link':
        mkdirSync(dirname(full), {recursive: true});
        return symlinkSync(step.to, full);
      case 'remove':
        return rmSync(full, {recursive: true});
      case 'folder':
        mkdirSync(full, {recursive: true});
        return;
      case 'ignore':
        return writeFileSync(full, step.rules);
      case 'attributes':
        return writeFileSync(join(root, '.gitattributes'), step.rules);
      case 'repository':
        mkdirSync(full, {recursive: true});
        git(full, 'init', '-q');
        commits += 1;
        commit(full, {inside: String(commits)});
        return;
      case 'git':
        if (existsSync(join(root, '.git'))) git(root, ...step.args);
        return;
    }
  });

/** Edits do not reach through links out of the tree, nor into repositories inside, nor into our own folder. */
const leadsAway = (root: string, name: string): boolean => {
  const parts = name.split('/');
  for (let length = 1; length < parts.length; length += 1) {
    const at = join(root, ...parts.slice(0, length));
    if (existsSync(join(at, '.git')) || isLink(at)) return true;
  }
  return false;
};

const isLink = (at: string): boolean => {
  try {
    return lstatSync(at).isSymbolicLink();
  } catch {
    return false;
  }
};

/** Everything on disk; `saved`: what git says belongs to the tree; repositories inside and our folder apart. */
const picture = (root: string) => {
  const inner: string[] = [];
  const all = onDisk(root, (name) => {
    if (name === '.git' || name === 'runtime/checkpoints') return true;
    const full = Buffer.from(`${Buffer.from(root).toString('latin1')}/${name}`, 'latin1').toString('utf8');
    const repo = existsSync(join(full, '.git')) && !isLink(full);
    if (repo) inner.push(name);
    return repo;
  });
  const repo = existsSync(join(root, '.git'))
    ? []
    : ['--git-dir', join(root, 'runtime', 'checkpoints', 'workspace', 'shadow'), '--work-tree', root];
  const list = (...args: string[]) =>
    execFileSync('git', [...repo, '--no-optional-locks', 'ls-files', '-z', ...args], {cwd: root, encoding: 'latin1'})
      .split('\0')
      .filter((name) => name in all);
  const saved = new Set([...(repo.length === 0 ? list('--cached') : []), ...list('--others', '--exclude-standard')]);
  saved.delete('runtime');
  return {all, saved, inner};
};

const only = (all: Record<string, string>, wanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => wanted(name)));

/** Of those, the ones that the rules on disk ignore now. */
const ignoredNow = (root: string, candidates: string[]): Set<string> => {
  if (candidates.length === 0) return new Set();
  const repo = existsSync(join(root, '.git'))
    ? []
    : ['--git-dir', join(root, 'runtime', 'checkpoints', 'workspace', 'shadow'), '--work-tree', root];
  const input = Buffer.from(candidates.map((name) => `${name}\0`).join(''), 'latin1');
  try {
    const args = [...repo, 'check-ignore', '--no-index', '-z', '--stdin'];
    return new Set(execFileSync('git', args, {cwd: root, encoding: 'latin1', input}).split('\0'));
  } catch {
    // Git says 1 when none is.
    return new Set();
  }
};

const roundTrip = async (root: string, {first, second, settleMs}: Round): Promise<void> => {
  for (const step of first) perform(root, step);
  const there = await snapshots(root, {settleMs}).take();
  const then = picture(root);
  const held = Object.entries(contentOf(root, there.tree)).filter(([, what]) => !what.startsWith('160000'));
  expect(Object.fromEntries(held)).toEqual(only(then.all, (name) => then.saved.has(name)));
  for (const step of second) perform(root, step);
  const before = picture(root);
  const done = await restore(root, there, {settleMs});
  const kept = new Set<string>(done.kept.map(({path: name}) => name));
  const after = picture(root);
  // What belonged to the tree is as it was, unless something unsaved is in its place.
  expect(only(after.all, (name) => then.saved.has(name) && !kept.has(name))).toEqual(
    only(then.all, (name) => then.saved.has(name) && !kept.has(name)),
  );
  // What did not belong to it is untouched.
  const unsaved = (name: string): boolean => !before.saved.has(name);
  expect(only(after.all, unsaved)).toEqual({
    ...only(then.all, (name) => unsaved(name) && then.saved.has(name) && !kept.has(name)),
    ...only(before.all, unsaved),
  });
  // What was made since is gone, save what the old rules ignore.
  const extra = Object.keys(after.all).filter((name) => before.saved.has(name) && !then.saved.has(name));
  expect(extra.filter((name) => !kept.has(name))).toEqual([]);
  // Rules that are ignored themselves by now are kept, not brought back: then what the old ones ignored cannot be asked.
  const sameRules = [...kept, ...Object.keys(after.all)].every(
    (name) => !name.endsWith('.gitignore') || (then.saved.has(name) && !kept.has(name)),
  );
  const allowed = ignoredNow(root, extra);
  if (sameRules) expect(extra.filter((name) => !allowed.has(name))).toEqual([]);
  expect(after.inner).toEqual(before.inner);
  // And back.
  if (done.before === undefined) throw new Error('nothing was saved before');
  const undone = await restore(root, done.before, {settleMs});
  const stuck = new Set<string>(undone.kept.map(({path: name}) => name));
  const back = picture(root);
  expect(only(back.all, (name) => !stuck.has(name))).toEqual(only(before.all, (name) => !stuck.has(name)));
};

interface Round {
  first: Edit[];
  second: Edit[];
  settleMs: number;
}

const round: fc.Arbitrary<Round> = fc.record({
  first: fc.array(edit, {maxLength: 12}),
  second: fc.array(edit, {maxLength: 12}),
  // Both ways of knowing a file again: by the index, and by reading it.
  settleMs: fc.constantFrom(0, 1500),
});

/** The failing round is in the message; the whole sequence comes again from its seed. */
const reporter = (told: {failed: boolean; seed: number; numRuns: number; errorInstance: unknown}): void => {
  if (told.failed) throw new Error(`seed ${told.seed}, after ${told.numRuns} runs`, {cause: told.errorInstance});
};

describe('a round trip', () => {
  it.each([
    ['in git', repository],
    ['outside git', folder],
  ])(
    `is exact for ${runs * rounds} random cases %s`,
    async (where, make) => {
      let done = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(round, {minLength: rounds, maxLength: rounds}), async (cases) => {
          const root = make();
          for (const [at, one] of cases.entries()) {
            await roundTrip(root, one).catch((error: Error) => {
              error.message = `round ${at}, ${JSON.stringify(one)}: ${error.message}`;
              throw error;
            });
          }
          rmSync(root, {recursive: true, force: true});
          done += rounds;
          if (long && done % 100 === 0) process.stdout.write(`${done} round trips ${where}\n`);
        }),
        {numRuns: runs, endOnFailure: true, reporter},
      );
    },
    long ? 3_600_000 : 600_000,
  );
});
