// The `ckpt` program as people, agents and a sandbox meet it: real files, real git, real processes.

import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../io/checkpoint-files-rig.ts';
import {ckpt, git, repository, snapshot, useCkpt} from './ckpt-rig.ts';

useCkpt();

describe('by hand', () => {
  it('is the ancestor’s story: snapshot, then resume --live', () => {
    const root = repository();
    const saved = ckpt(root, [
      '--repo-root',
      '.',
      ...snapshot,
      '--label',
      'fix',
      '--track',
      'MIXED',
      '--validation',
      'green',
      '--extra',
      'a=b',
    ]);
    expect(saved).toMatchObject({status: 0, stderr: ''});
    expect(git(root, 'status', '--porcelain')).toBe('');
    const resumed = ckpt(root, ['--repo-root', '.', 'resume', '--track', 'MIXED', '--live']);
    expect(resumed.stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'track=MIXED',
        'step=fix landed',
        'note=proof green',
        'branch=main',
        'next_cmd=pytest -q && go on',
        'extra.a=b',
        'drift=none',
      ]),
    );
    git(root, 'checkout', '-q', '-b', 'other');
    expect(ckpt(root, ['resume', '--live']).stdout).toContain('drift=branch was main, is now other\n');
  });

  it('works from a subfolder and outside git', () => {
    for (const root of [repository(), realpathSync(tempFolder())]) {
      mkdirSync(join(root, 'a'));
      const cwd = existsSync(join(root, '.git')) ? join(root, 'a') : root;
      expect(ckpt(cwd, [...snapshot, '--track', 't'])).toMatchObject({status: 0, stderr: ''});
      expect(readdirSync(join(root, 'runtime', 'checkpoints'))).toContain('LATEST.md');
      expect(ckpt(cwd, ['resume', '--live']).stdout).toContain('drift=none');
    }
  });

  it('writes nothing when the words are wrong', () => {
    const root = repository();
    expect(ckpt(root, [...snapshot, '--track', 't', '--extra', 'malformed'])).toMatchObject({status: 64, stdout: ''});
    expect(existsSync(join(root, 'runtime'))).toBe(false);
  });

  it('heals a broken LATEST.json, says so, and goes on', () => {
    const root = repository();
    ckpt(root, [...snapshot, '--track', 't']);
    writeFileSync(join(root, 'runtime', 'checkpoints', 'LATEST.json'), '{"torn');
    const resumed = ckpt(root, ['resume']);
    expect(resumed.status).toBe(0);
    expect(resumed.stdout).toContain('step=fix landed');
    expect(resumed.stderr).toContain('LATEST.json was broken');
  });

  it('tells a folder that cannot be used, with 73', () => {
    const root = repository();
    writeFileSync(join(root, 'runtime'), 'a file');
    const {status, stderr} = ckpt(root, [...snapshot, '--track', 't']);
    expect(status).toBe(73);
    expect(stderr).toContain('runtime/checkpoints cannot be used');
  });

  it('tells a folder that cannot be read apart from one without the track', () => {
    const root = repository();
    ckpt(root, [...snapshot, '--track', 't']);
    expect(ckpt(root, ['resume', '--track', 'other']).status).toBe(66);
    const file = join(root, 'a-file');
    writeFileSync(file, '');
    const {status, stderr} = ckpt(root, ['--checkpoint-dir', 'a-file', 'resume', '--track', 't']);
    expect(status).toBe(73);
    expect(stderr).toContain('a part of its path is a file');
  });

  it('takes a large document on stdin', () => {
    const root = repository();
    const input = JSON.stringify({step: 's', next_cmd: 'n', track: 't', note: 'ä"\n'.repeat(100_000)});
    expect(ckpt(root, ['snapshot', '--stdin', '--json'], {input}).status).toBe(0);
    expect(JSON.parse(ckpt(root, ['resume', '--json']).stdout).note).toHaveLength(300_000);
  });
});

describe('inside a run', () => {
  const run = 'r-20261118-091500-4f2a';
  const inRun = (root: string) => ({
    CKPT_DIR: join(root, 'runtime', 'checkpoints'),
    CKPT_RUN: run,
    CKPT_LEG: '3',
    CKPT_TRACK: 'main',
  });

  it('needs no track, and its requests land in the spool', () => {
    const root = repository();
    const env = inRun(root);
    expect(ckpt('/', snapshot, {env}).status).toBe(0);
    const resumed = JSON.parse(ckpt(root, ['resume', '--json'], {env}).stdout);
    expect(resumed).toMatchObject({track: 'main', run, leg: 3, trigger: 'agent'});
    const spool = join(env.CKPT_DIR, 'runs', run, 'spool');
    expect(ckpt(root, ['done'], {env})).toMatchObject({status: 66, stderr: expect.stringContaining('is gone')});
    mkdirSync(spool, {recursive: true});
    expect(ckpt(root, ['done', '--note', 'all green'], {env}).status).toBe(0);
    expect(ckpt(root, ['handoff'], {env}).status).toBe(0);
    const dropped = readdirSync(spool).sort();
    expect(dropped.map((name) => name.replace(/^[0-9a-f]{16}/, ''))).toEqual(
      expect.arrayContaining(['.done.json', '.handoff.json']),
    );
    const done = dropped.find((name) => name.endsWith('.done.json')) ?? '';
    expect(JSON.parse(readFileSync(join(spool, done), 'utf8'))).toEqual({note: 'all green'});
  });
});

describe('what is left behind', () => {
  it('is for its owner alone, whatever the umask', () => {
    const root = repository();
    const within = ['sh', '-c', 'umask 000; exec "$@"', 'sh'];
    expect(ckpt(root, [...snapshot, '--track', 't'], {within}).status).toBe(0);
    const listing = execFileSync('find', [join(root, 'runtime'), '-printf', '%m\n'], {encoding: 'utf8'});
    expect([...new Set(listing.trim().split('\n'))].sort()).toEqual(['600', '700']);
  });

  it('is not in the way of a folder that cannot be entered', () => {
    const root = repository();
    mkdirSync(join(root, 'closed'));
    chmodSync(join(root, 'closed'), 0o000);
    expect(ckpt(root, [...snapshot, '--track', 't']).status).toBe(0);
    chmodSync(join(root, 'closed'), 0o700);
  });
});
