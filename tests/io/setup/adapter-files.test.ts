import {chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {adapterNames, findAdapter, findBinary, relayPath} from '../../../src/io/setup/adapter-files.ts';
import {builtin} from '../../adapter/builtin.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'adapters-')));
});
afterEach(() => rmSync(root, {recursive: true, force: true}));

const put = (path: string, text: string, mode = 0o644): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};

const mine = (code: string): string => `name: mine
code: ${code}
binary: {names: [mine], install: build it}
argv: {}
first-prompt: {args: ['{prompt}'], max-bytes: 1000}
stop: {terminal: [], pipes: []}
exit: {clean: [0]}
`;

describe('adapters', () => {
  test('the built-in ones are there', () => {
    expect(adapterNames({HOME: root})).toEqual(['claude', 'codex', 'generic', 'practice']);
    expect(findAdapter('claude', {HOME: root})).toMatchObject({ok: true, value: {name: 'claude'}});
  });

  test('an unknown name lists the known ones', () => {
    expect(findAdapter('gemini', {HOME: root})).toEqual({
      ok: false,
      failure: {is: 'unknown-agent', name: 'gemini', known: ['claude', 'codex', 'generic', 'practice']},
    });
  });

  test.each<[string, string, (root: string) => Record<string, string>]>([
    ['~/.config, as a file', '.config/ckpt-run/adapters/mine.yaml', (home) => ({HOME: home})],
    ['~/.config, as a folder', '.config/ckpt-run/adapters/mine/adapter.yaml', (home) => ({HOME: home})],
    [
      'XDG_CONFIG_HOME',
      'xdg/ckpt-run/adapters/mine.yaml',
      (home) => ({HOME: '/x', XDG_CONFIG_HOME: join(home, 'xdg')}),
    ],
    [
      'a relative XDG_CONFIG_HOME is ignored',
      '.config/ckpt-run/adapters/mine.yaml',
      (home) => ({HOME: home, XDG_CONFIG_HOME: 'xdg'}),
    ],
  ])('the person’s own: %s', (_, path, env) => {
    const file = put(path, mine('none'));
    expect(findAdapter('mine', env(root))).toMatchObject({ok: true, value: {name: 'mine', file, code: 'none'}});
    expect(adapterNames(env(root))).toContain('mine');
  });

  test('the person’s own comes before ours', () => {
    const file = put('.config/ckpt-run/adapters/claude.yaml', mine('claude'));
    expect(findAdapter('claude', {HOME: root})).toMatchObject({ok: true, value: {file}});
  });

  test('code is ours alone: an unknown one is refused', () => {
    const file = put('.config/ckpt-run/adapters/mine.yaml', mine('./evil.js'));
    expect(findAdapter('mine', {HOME: root})).toMatchObject({ok: false, failure: {is: 'bad-config', file}});
  });

  test('a broken file names itself and its line', () => {
    const file = put('.config/ckpt-run/adapters/mine.yaml', 'name: mine\nwhat: is this\n');
    expect(findAdapter('mine', {HOME: root})).toMatchObject({ok: false, failure: {is: 'bad-config', file, line: 2}});
  });
});

describe('programs', () => {
  const at = (path: string, program?: string) => ({path, program, cwd: root});

  test('on PATH: the first that may be run', () => {
    put('a/claude', 'x', 0o644);
    mkdirSync(join(root, 'b/claude'), {recursive: true});
    const file = put('c/claude', 'x', 0o755);
    const path = `${root}/a:${root}/b:${root}/c`;
    expect(findBinary(builtin('claude'), at(path))).toEqual({ok: true, value: {file, args: []}});
  });

  test('not on PATH: where we looked and how to install it', () => {
    expect(findBinary(builtin('claude'), at('/nonexistent'))).toEqual({
      ok: false,
      failure: {
        is: 'agent-missing',
        agent: 'claude',
        looked: ['/nonexistent/claude'],
        fix: 'npm install -g @anthropic-ai/claude-code',
      },
    });
  });

  test('generic: the person’s word, by PATH or by folder', () => {
    const file = put('bin/my-agent', 'x', 0o755);
    const found = {ok: true, value: {file, args: []}};
    expect(findBinary(builtin('generic'), at(`${root}/bin`, 'my-agent'))).toEqual(found);
    expect(findBinary(builtin('generic'), at('', './bin/my-agent'))).toEqual(found);
    expect(findBinary(builtin('generic'), at('', file))).toEqual(found);
    expect(findBinary(builtin('generic'), at('', './gone'))).toMatchObject({failure: {is: 'agent-missing'}});
    expect(findBinary(builtin('generic'), at('', undefined))).toMatchObject({failure: {is: 'agent-missing'}});
  });

  test('codex: the native program behind npm’s launcher, else the launcher', () => {
    const codex = builtin('codex');
    const inside = codex.binary.native[`${process.platform}-${process.arch}`];
    const launcher = put('lib/node_modules/@openai/codex/bin/codex.js', '#!/usr/bin/env node\n', 0o755);
    mkdirSync(join(root, 'bin'));
    symlinkSync(launcher, join(root, 'bin/codex'));
    expect(findBinary(codex, at(`${root}/bin`))).toEqual({ok: true, value: {file: join(root, 'bin/codex'), args: []}});
    if (!inside) return;
    const native = put(`lib/node_modules/${inside}`, 'elf', 0o755);
    const [scope, name] = inside.split('/');
    put(`lib/node_modules/${scope}/${name}/package.json`, '{}');
    expect(findBinary(codex, at(`${root}/bin`))).toEqual({ok: true, value: {file: native, args: []}});
  });

  test('codex: a native program on PATH is taken as it is', () => {
    const file = put('bin/codex', 'elf', 0o755);
    expect(findBinary(builtin('codex'), at(`${root}/bin`))).toEqual({ok: true, value: {file, args: []}});
  });
});

test('the relay is there and may be run', () => {
  expect(findBinary(builtin('generic'), {path: '', program: relayPath(), cwd: root})).toMatchObject({ok: true});
});
