// The commands that are not snapshot and resume, as people meet them: real files, real processes, real exit codes.

import {existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {ckpt, repository, snapshot, useCkpt} from './ckpt-rig.ts';

useCkpt();

const json = (cwd: string, ...args: string[]) => JSON.parse(ckpt(cwd, [...args, '--json']).stdout);

describe('ckpt.yaml', () => {
  it('says where the checkpoints are, and ckpt config says so', () => {
    const root = repository();
    writeFileSync(join(root, 'ckpt.yaml'), '# ours\ncheckpointDir: notes/ckpt\nmaxCheckpoints: 2\n');
    expect(ckpt(root, [...snapshot, '--track', 't'])).toMatchObject({status: 0, stderr: ''});
    expect(existsSync(join(root, 'notes', 'ckpt', 'LATEST.json'))).toBe(true);
    const config = json(root, 'config');
    expect(config.checkpoint_dir).toEqual({value: join(root, 'notes/ckpt'), from: `${join(root, 'ckpt.yaml')}:2`});
    expect(config.values.maxCheckpoints).toEqual({value: 2, from: `${join(root, 'ckpt.yaml')}:3`});
  });

  it('limits the automatic checkpoints, and only them', () => {
    const root = repository();
    writeFileSync(join(root, 'ckpt.yaml'), 'maxCheckpoints: 2\n');
    for (const trigger of ['manual', 'interval', 'phase', 'interval', 'agent', 'interval']) {
      expect(ckpt(root, [...snapshot, '--track', 't', '--trigger', trigger])).toMatchObject({status: 0, stderr: ''});
    }
    expect(json(root, 'list').map(({number}: {number: number}) => number)).toEqual([1, 4, 5, 6]);
  });

  it('with a mistake is 78 with file, line and key, and nothing is written', () => {
    const root = repository();
    writeFileSync(join(root, 'ckpt.yaml'), 'autoCheckpoint: true\nwebhooks: [https://evil.example]\n');
    const {status, stdout, stderr} = ckpt(root, [...snapshot, '--track', 't']);
    expect({status, stdout}).toEqual({status: 78, stdout: ''});
    expect(stderr).toContain(`${join(root, 'ckpt.yaml')}:2: "webhooks" may not be set by a repository's file`);
    expect(existsSync(join(root, 'runtime'))).toBe(false);
  });

  it('with a mistake does not keep the agent of a run from its checkpoint', () => {
    const root = repository();
    writeFileSync(join(root, 'ckpt.yaml'), 'half: [');
    const env = {CKPT_DIR: join(root, 'runtime', 'checkpoints'), CKPT_TRACK: 't'};
    expect(ckpt(root, snapshot, {env})).toMatchObject({status: 0, stderr: ''});
    expect(ckpt(root, ['resume'], {env}).stdout).toContain('step=fix landed');
  });

  it('of the person may name a folder outside; options and CKPT_DIR win', () => {
    const [root, home] = [repository(), repository()];
    mkdirSync(join(home, '.config', 'ckpt-run'), {recursive: true});
    writeFileSync(join(home, '.config', 'ckpt-run', 'config.yaml'), `checkpointDir: ${join(home, 'mine')}\n`);
    const dirOf = (args: string[], env: Record<string, string> = {}) =>
      JSON.parse(ckpt(root, [...args, 'config', '--json'], {env: {HOME: home, ...env}}).stdout).checkpoint_dir;
    expect(dirOf([])).toMatchObject({value: join(home, 'mine')});
    expect(dirOf([], {CKPT_DIR: '/x'})).toEqual({value: '/x', from: 'CKPT_DIR'});
    expect(dirOf(['--checkpoint-dir', 'y'], {CKPT_DIR: '/x'})).toEqual({
      value: join(root, 'y'),
      from: '--checkpoint-dir',
    });
  });
});

describe('coming from the ancestors', () => {
  it('ckpt import .session, from a subfolder, twice', () => {
    const root = repository();
    mkdirSync(join(root, '.session', 'checkpoints'), {recursive: true});
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, '.session', 'checkpoints', 'cp-20260430-0315.md'), '# Found auth bug\nNext: Test JWT\n');
    writeFileSync(join(root, '.session', 'checkpoints', 'cp-20260430-0345.md'), '# JWT working\nNext: Run tests\n');
    expect(ckpt(join(root, 'src'), ['import', '.session'])).toMatchObject({status: 0, stderr: ''});
    expect(ckpt(root, ['import', '.session']).stdout).toContain('0 imported');
    expect(json(root, 'list').map(({step}: {step: string}) => step)).toEqual(['Found auth bug', 'JWT working']);
    expect(ckpt(root, ['resume']).stdout).toContain('next_cmd=Run tests');
  });

  it('ckpt import runtime/checkpoints, in place: the old files stay, LATEST goes on', () => {
    const root = repository();
    const dir = join(root, 'runtime', 'checkpoints');
    mkdirSync(dir, {recursive: true});
    const entry = {
      step: 'old step',
      note: 'n',
      next_cmd: 'old cmd',
      validation: 'green',
      branch: 'main',
      head: 'fa124d5',
    };
    const old = {timestamp: '2026-04-12T10:11:12Z', track: 'MIXED', label: 'fix', ...entry};
    writeFileSync(join(dir, 'context_checkpoint_20260412T101112Z_fix.json'), JSON.stringify(old));
    writeFileSync(join(dir, 'LATEST.json'), JSON.stringify({current_track: 'MIXED', tracks: {MIXED: entry}}));
    const imported = ckpt(root, ['import', 'runtime/checkpoints']);
    expect(imported.status).toBe(0);
    expect(imported.stdout).toContain('1 imported');
    expect(ckpt(root, ['import', 'runtime/checkpoints']).stdout).toContain('0 imported');
    expect(ckpt(root, ['resume', '--track', 'MIXED']).stdout).toContain('next_cmd=old cmd');
    expect(readFileSync(join(dir, 'context_checkpoint_20260412T101112Z_fix.json'), 'utf8')).toBe(JSON.stringify(old));
    expect(readdirSync(dir).filter((name) => name.startsWith('LATEST.json.broken-'))).toHaveLength(1);
  });
});

describe('tasks and pruning', () => {
  it('a list of tasks goes on from command to command', () => {
    const root = repository();
    expect(ckpt(root, ['task', 'add', 'one', 'two'])).toMatchObject({status: 0, stderr: ''});
    ckpt(root, ['task', 'start', '1']);
    ckpt(root, ['task', 'done', 'one']);
    expect(ckpt(root, ['task', 'fail', 'nothing of the kind']).status).toBe(66);
    expect(json(root, 'task', 'list')).toEqual({
      track: 'main',
      tasks: [
        {title: 'one', state: 'completed'},
        {title: 'two', state: 'pending'},
      ],
    });
    expect(ckpt(root, ['resume']).stdout).toContain('next_cmd=work on the task: two');
    expect(ckpt(root, ['rehydrate']).stdout).toContain('1 completed, 1 pending');
  });

  it('prune --dry-run and prune agree, and numbers stay', () => {
    const root = repository();
    for (let n = 0; n < 5; n += 1) ckpt(root, [...snapshot, '--track', 't', '--trigger', 'interval']);
    const dry = json(root, 'prune', '--keep', '2', '--dry-run');
    expect(dry.removed.map(({number}: {number: number}) => number)).toEqual([1, 2, 3]);
    expect(json(root, 'prune', '--keep', '2').removed).toEqual(dry.removed);
    expect(ckpt(root, ['show', '4']).status).toBe(0);
    expect(ckpt(root, ['show', '1']).status).toBe(66);
    expect(ckpt(root, ['diff', '4', '5']).stdout).toContain('no field differs');
  });
});

describe('events', () => {
  it('are told in words, torn lines left out', () => {
    const root = repository();
    const dir = join(root, 'runtime', 'checkpoints');
    mkdirSync(dir, {recursive: true});
    const line = JSON.stringify({type: 'hangup', at: 0, run: 'r-20261118-091500-4f2a'});
    writeFileSync(join(dir, 'journal.jsonl'), `${line}\n{"torn": \n${line}\n`);
    const told = ckpt(root, ['events']);
    expect(told.status).toBe(0);
    expect(told.stdout.match(/the terminal went away/g)).toHaveLength(2);
    expect(told.stderr).toContain('1 torn line');
  });

  it('are not read through a link', () => {
    const root = repository();
    const dir = join(root, 'runtime', 'checkpoints');
    mkdirSync(dir, {recursive: true});
    symlinkSync('/etc/passwd', join(dir, 'journal.jsonl'));
    expect(ckpt(root, ['events'])).toMatchObject({status: 66, stderr: expect.stringContaining('symbolic link')});
  });
});
