// `ckpt install`, `ckpt uninstall` and `ckpt hook` as they are shipped: words in, files out, exit codes as documented.

import {execFileSync} from 'node:child_process';
import {appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {tempFolder} from '../io/checkpoint-files-rig.ts';
import {asRepository, ckpt, git, repository, snapshot, useCkpt} from './ckpt-rig.ts';

useCkpt();

const logs = fileURLToPath(new URL('../fixtures/logs', import.meta.url));

const person = (home = tempFolder()) => ({HOME: home});

describe('wrong words: a clear sentence, the documented code, nothing written', () => {
  test.each<[what: string, args: string[], code: number, says: RegExp]>([
    [
      'an unknown agent',
      ['install', 'emacs'],
      64,
      /no agent called emacs; known: claude, codex, cursor, gemini, openclaw, opencode/,
    ],
    ['no agent', ['install'], 64, /missing required argument 'agent'/],
    ['both scopes', ['install', 'claude', '--user', '--project'], 64, /--user and --project exclude each other/],
    ['hooks where there are none', ['install', 'openclaw', '--hooks'], 64, /OpenClaw/],
    ['an unknown agent to remove', ['uninstall', 'emacs'], 64, /no agent called emacs/],
    ['a purge with nobody to ask', ['uninstall', '--purge'], 64, /nobody is here to be asked/],
  ])('%s', (_, args, code, says) => {
    const [root, env] = [repository(), person()];
    const {status, stdout, stderr} = ckpt(root, args, {env});
    expect(stderr).toMatch(says);
    expect({status, stdout}).toEqual({status: code, stdout: ''});
    expect(readdirSync(env.HOME)).toEqual([]);
    expect(readdirSync(root)).toEqual(['.git']);
  });

  test('a settings file that is broken: 78, with its line', () => {
    const env = person();
    mkdirSync(join(env.HOME, '.claude'));
    writeFileSync(join(env.HOME, '.claude/settings.json'), '{\n  "a": 1\n  "b": 2\n}');
    const {status, stderr} = ckpt(repository(), ['install', 'claude', '--hooks'], {env});
    expect(stderr).toMatch(/settings\.json:3: a comma or } is missing; nothing was written\n {2}mend it/);
    expect(status).toBe(78);
    expect(readdirSync(join(env.HOME, '.claude'))).toEqual(['settings.json']);
  });
});

test('--dry-run says what would be written, and writes nothing', () => {
  const [root, env] = [repository(), person()];
  const {status, stdout} = ckpt(root, ['install', 'codex', '--dry-run'], {env});
  expect(stdout).toMatch(/would write:\n {2}.*\.codex\/skills\/checkpoint\/SKILL\.md\n[\s\S]*nothing was written/);
  expect(status).toBe(0);
  expect(readdirSync(env.HOME)).toEqual([]);
});

test('--json tells machines the same', () => {
  const env = person();
  const told = JSON.parse(ckpt(repository(), ['install', 'gemini', '--json'], {env}).stdout);
  expect(told).toMatchObject({agent: 'gemini', scope: 'user', dry_run: false, kept: [], unchanged: []});
  expect(told.calls).toContainEqual({call: '/ckpt-restore', instead: 'restore'});
  expect(told.remarks.join()).toContain('not tried with Gemini CLI itself');
  expect(told.written).toHaveLength(9);
});

test('in a folder with blanks, quotes and template signs the installed words still call ckpt', () => {
  const top = tempFolder();
  const home = join(top, `it's my "home" $1 {{args}} !{x} @y`);
  mkdirSync(join(top, 're po'));
  const root = asRepository(join(top, 're po'));
  mkdirSync(home);
  ckpt(root, ['install', 'claude'], {env: {HOME: home}});
  const text = readFileSync(join(home, '.claude/commands/checkpoint.md'), 'utf8');
  // What the agents would fill in is only what we meant.
  expect(text.match(/\$ARGUMENTS|\$\d|\{\{args\}\}|!\{|!`|@\{/g)).toEqual(['$ARGUMENTS']);
  const line = /^ {4}(\S.* snapshot .*)$/m.exec(text)?.[1] ?? '';
  const out = execFileSync('/bin/sh', ['-c', line], {cwd: root, env: {PATH: '/usr/bin:/bin'}, encoding: 'utf8'});
  expect(out).toMatch(/^checkpoint 1 saved: .*\(track main\)/);
});

describe('hooks without a run', () => {
  const told = (event: string, more: object) => JSON.stringify({hook_event_name: event, ...more});
  const log = (root: string, name: string): string => {
    cpSync(join(logs, name), join(root, '.git', 'log.jsonl'));
    return join(root, '.git', 'log.jsonl');
  };

  test.each([
    ['claude', 'claude/compact-2.1.326.jsonl'],
    ['codex', 'codex/compact-auto-0.169.0.jsonl'],
  ])('%s: before a compaction the log becomes a checkpoint, after it the baton', (agent, name) => {
    const root = repository();
    const input = told('PreCompact', {trigger: 'auto', transcript_path: log(root, name)});
    expect(ckpt(root, ['hook', agent, 'PreCompact'], {input})).toEqual({status: 0, stdout: '', stderr: ''});
    const [saved, ...more] = JSON.parse(ckpt(root, ['list', '--json']).stdout) as Record<string, unknown>[];
    expect(more).toEqual([]);
    expect(saved).toMatchObject({trigger: 'pre-compaction', track: 'main', label: 'before-compaction'});
    expect(saved).not.toHaveProperty('run');
    expect(JSON.stringify(saved)).not.toMatch(/[Ll]eg 1/);
    expect(String(saved?.goal).length).toBeGreaterThan(3);
    // The same compaction once more, by a second hook: nothing new.
    ckpt(root, ['hook', agent, 'PreCompact'], {input});
    expect(JSON.parse(ckpt(root, ['list', '--json']).stdout)).toHaveLength(1);
    const after = ckpt(root, ['hook', agent, 'SessionStart'], {input: told('SessionStart', {source: 'compact'})});
    const {additionalContext} = JSON.parse(after.stdout).hookSpecificOutput;
    expect(additionalContext).toContain(String(saved?.goal));
    expect(additionalContext).toContain('Next: ');
  });

  test('at a start the old work is only named', () => {
    const root = repository();
    ckpt(root, [...snapshot, '--track', 'main']);
    const {stdout} = ckpt(root, ['hook', 'cursor', 'SessionStart'], {input: told('sessionStart', {source: 'startup'})});
    const {additional_context: hint} = JSON.parse(stdout);
    expect(hint).toMatch(/fix landed.*Only if the person wants to go on with it: run \S+ rehydrate first/s);
    expect(hint.length).toBeLessThan(900);
  });

  test('an agent whose log nobody can read: saved only when something has changed', () => {
    const root = repository();
    ckpt(root, [...snapshot, '--track', 'main']);
    const count = (): number => JSON.parse(ckpt(root, ['list', '--json']).stdout).length;
    const fire = () => ckpt(root, ['hook', 'gemini', 'PreCompact'], {input: told('PreCompress', {trigger: 'auto'})});
    fire();
    expect(count()).toBe(1);
    writeFileSync(join(root, 'new.txt'), 'x');
    fire();
    fire();
    expect(count()).toBe(2);
    expect(ckpt(root, ['resume']).stdout).toContain('next_cmd=pytest -q && go on');
  });

  test('no more of them stay than the config says', () => {
    const root = repository();
    writeFileSync(join(root, 'ckpt.yaml'), 'maxCheckpoints: 2\n');
    for (let file = 0; file < 4; file += 1) {
      writeFileSync(join(root, `${file}.txt`), 'x');
      expect(ckpt(root, ['hook', 'gemini', 'PreCompact'], {input: '{}'})).toMatchObject({status: 0, stderr: ''});
    }
    expect(JSON.parse(ckpt(root, ['list', '--json']).stdout)).toHaveLength(2);
  });

  test.each([
    ['in a run', {CKPT_RUN: 'r-20261118-091500-4f2a'}, ''],
    ['with a broken payload', {}, '{"transcript'],
    ['with a log that is not there', {}, '{"transcript_path": "/nonexistent/log.jsonl"}'],
    ['with a log that is a folder', {}, '{"transcript_path": "/"}'],
  ])('%s it never fails', (_, env, input) => {
    const root = repository();
    for (const event of ['PreCompact', 'SessionStart', 'NoSuchEvent']) {
      expect(ckpt(root, ['hook', 'claude', event], {env, input})).toMatchObject({status: 0});
    }
    if ('CKPT_RUN' in env) expect(readdirSync(root)).toEqual(['.git']);
  });

  test('outside of anything it can write, it says so and does not fail', () => {
    const root = repository();
    writeFileSync(join(root, 'runtime'), 'a file in the way');
    const {status, stdout, stderr} = ckpt(root, ['hook', 'claude', 'PreCompact'], {input: '{}'});
    expect({status, stdout}).toEqual({status: 0, stdout: ''});
    expect(stderr).toMatch(/^ckpt: /);
  });
});

describe('--purge', () => {
  test('takes folder, refs, exclude line and service of this repository, and nothing else', () => {
    const [root, env] = [repository(), person()];
    const exclude = join(root, '.git/info/exclude');
    const before = readFileSync(exclude, 'utf8');
    ckpt(root, [...snapshot, '--track', 'main'], {env});
    appendFileSync(exclude, '*.mine\n');
    const ref = 'refs/ckpt/main/20261118T090000000Z-0a1b';
    git(root, 'update-ref', ref, 'HEAD');
    git(root, 'update-ref', 'refs/heads/mine', 'HEAD');
    const units = join(env.HOME, '.config/systemd/user');
    mkdirSync(units, {recursive: true});
    writeFileSync(join(units, 'ckpt-run-here.service'), `[Service]\nWorkingDirectory=${root}\n`);
    writeFileSync(join(units, 'ckpt-run-there.service'), '[Service]\nWorkingDirectory=/elsewhere\n');
    ckpt(root, ['install', 'claude', '--project'], {env});

    const dry = ckpt(root, ['uninstall', '--purge', '--dry-run'], {env});
    expect(dry.stdout).toMatch(/would purge:\n {2}\d files and folders .*\n {2}\d+ saved working trees/);
    expect(existsSync(join(root, 'runtime/checkpoints/LATEST.json'))).toBe(true);

    const done = ckpt(root, ['uninstall', '--purge', '--yes'], {env});
    expect(done).toMatchObject({status: 0, stderr: ''});
    expect(readdirSync(root)).toEqual(['.git']);
    expect(git(root, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/heads/mine');
    expect(readFileSync(exclude, 'utf8')).toBe(`${before}*.mine\n`);
    if (process.platform === 'linux') expect(readdirSync(units)).toEqual(['ckpt-run-there.service']);
  });

  test('what is not ours in the folder stays, with the folder', () => {
    const [root, env] = [repository(), person()];
    ckpt(root, [...snapshot, '--track', 'main'], {env});
    writeFileSync(join(root, 'runtime/checkpoints/my notes.md'), 'mine');
    const {stdout} = ckpt(root, ['uninstall', '--purge', '--yes'], {env});
    expect(stdout).toContain('these are not ours and stay');
    expect(readdirSync(join(root, 'runtime/checkpoints'))).toEqual(['my notes.md']);
  });

  test('with a second worktree only the refs that this folder’s checkpoints name go', () => {
    const [root, env] = [repository(), person()];
    ckpt(root, [...snapshot, '--track', 'main'], {env});
    git(root, 'worktree', 'add', '-q', join(tempFolder(), 'other'));
    git(root, 'update-ref', 'refs/ckpt/other/20261118T090000000Z-0a1b', 'HEAD');
    ckpt(root, ['uninstall', '--purge', '--yes'], {env});
    expect(git(root, 'for-each-ref', '--format=%(refname)', 'refs/ckpt')).toContain('refs/ckpt/other/');
  });
});
