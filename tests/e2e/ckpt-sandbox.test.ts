// `ckpt` as an agent calls it inside Codex's sandbox: git read-only, pids of another namespace, no network, no sockets.

import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {ckpt, git, repository, snapshot, useCkpt} from './ckpt-rig.ts';

useCkpt();

const run = 'r-20261118-091500-4f2a';
const inRun = (root: string) => ({
  CKPT_DIR: join(root, 'runtime', 'checkpoints'),
  CKPT_RUN: run,
  CKPT_LEG: '3',
  CKPT_TRACK: 'main',
});

const works = ([file = '', ...args]: string[]): boolean => spawnSync(file, args).status === 0;

/** The first that this machine allows: as anybody, or as root. */
const namespaces = [
  ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount', '--net'],
  ['unshare', '--pid', '--fork', '--mount', '--net'],
].find((words) => works([...words, 'true']));

/** Words that make `folder` read-only for what comes behind them. */
const readOnly = (folder: string): string[] => {
  if (namespaces !== undefined) {
    const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
    return [...namespaces, 'sh', '-c', script, folder];
  }
  // No namespaces here: the permissions alone. Root would not notice them, but root has namespaces.
  spawnSync('chmod', ['-R', 'a-w', folder]);
  return [];
};

const how = namespaces === undefined ? 'by permissions, since there are no namespaces here' : namespaces.join(' ');

describe(`in a sandbox (${how})`, () => {
  it('saves, resumes, writes tasks and prunes with git read-only', () => {
    const root = repository();
    const env = inRun(root);
    const within = readOnly(join(root, '.git'));
    for (let n = 0; n < 3; n += 1) expect(ckpt(root, snapshot, {env, within})).toMatchObject({status: 0, stderr: ''});
    expect(ckpt(root, ['task', 'add', 'next'], {env, within})).toMatchObject({status: 0, stderr: ''});
    expect(ckpt(root, ['prune'], {env, within})).toMatchObject({status: 0, stderr: ''});
    const list = JSON.parse(ckpt(root, ['list', '--json'], {env, within}).stdout);
    expect(list).toHaveLength(4);
    expect(list[0]).toMatchObject({branch: 'main', head: git(root, 'rev-parse', 'HEAD'), run, leg: 3});
    expect(ckpt(root, ['resume', '--live'], {env, within}).stdout).toContain('drift=none');
    // Git's own folder could not be written: the run keeps the folder out of commits later.
    expect(git(root, 'status', '--porcelain')).toContain('runtime/');
    spawnSync('chmod', ['-R', 'u+w', join(root, '.git')]);
  });

  it('works from a subfolder, and tells the run through its spool', () => {
    const root = repository();
    const env = inRun(root);
    const spool = join(env.CKPT_DIR, 'runs', run, 'spool');
    mkdirSync(spool, {recursive: true});
    mkdirSync(join(root, 'a', 'b'), {recursive: true});
    const within = readOnly(join(root, '.git'));
    expect(ckpt(join(root, 'a', 'b'), snapshot, {env, within})).toMatchObject({status: 0, stderr: ''});
    expect(ckpt(join(root, 'a', 'b'), ['done'], {env, within})).toMatchObject({status: 0, stderr: ''});
    expect(readdirSync(spool).filter((name) => name.endsWith('.done.json'))).toHaveLength(1);
    // What it could not save itself, the run is asked to.
    expect(readdirSync(spool).filter((name) => name.endsWith('.keep-files.json'))).toHaveLength(1);
    spawnSync('chmod', ['-R', 'u+w', join(root, '.git')]);
  });

  it('reads where nothing may be written, a broken LATEST too, and says why it cannot save', () => {
    const root = repository();
    const env = inRun(root);
    expect(ckpt(root, snapshot, {env}).status).toBe(0);
    const within = readOnly(env.CKPT_DIR);
    expect(ckpt(root, ['resume'], {env, within})).toMatchObject({status: 0, stderr: ''});
    const refused = ckpt(root, snapshot, {env, within});
    expect(refused.status).toBe(73);
    expect(refused.stderr).toMatch(/read-only|permissions/);
    spawnSync('chmod', ['-R', 'u+w', env.CKPT_DIR]);
    writeFileSync(join(env.CKPT_DIR, 'LATEST.json'), '{"torn');
    chmodSync(join(env.CKPT_DIR, 'LATEST.json'), 0o600);
    const resumed = ckpt(root, ['resume'], {env, within: readOnly(env.CKPT_DIR)});
    expect(resumed.stdout).toContain('step=fix landed');
    expect(resumed.stderr).toContain('worked out from the checkpoints');
    spawnSync('chmod', ['-R', 'u+w', env.CKPT_DIR]);
  });
});

describe('without any socket', () => {
  const calls = 'socket,socketpair,connect,bind,listen,accept4';
  const canRefuse = works(['strace', '-f', '-o', '/dev/null', 'true']);
  // strace refuses them as the sandbox does.
  const within = canRefuse
    ? ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EPERM`]
    : [];

  it(`saves and resumes, git's state included (${canRefuse ? 'each is refused' : 'strace is not here to refuse them'})`, () => {
    const root = repository();
    const saved = ckpt(root, [...snapshot, '--track', 't', '--json'], {within});
    expect(saved).toMatchObject({status: 0, stderr: ''});
    expect(JSON.parse(saved.stdout)).toMatchObject({branch: 'main', head: git(root, 'rev-parse', 'HEAD')});
    const resumed = ckpt(root, ['resume', '--live'], {within});
    expect(resumed).toMatchObject({status: 0, stderr: ''});
    expect(resumed.stdout).toContain('drift=none');
  });
});
