import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, readdirSync, realpathSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {quickGit} from '../../../src/io/repository/quick-git.ts';
import {openWorkspace} from '../../../src/io/repository/workspace.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

afterEach(() => vi.unstubAllEnvs());

const nothing = {branch: undefined, head: undefined, dirty: []};

const repository = (): string => {
  const root = realpathSync(tempFolder());
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {cwd: root});
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'x');
  return root;
};

const look = (root: string, timeoutMs = 5000) =>
  quickGit({root, checkpointDir: join(root, 'runtime', 'checkpoints'), timeoutMs});

/** A program called git that comes before the real one. */
const fakeGit = (script: string): void => {
  const bin = tempFolder();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'git'), 0o755);
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env.PATH ?? ''}`);
};

describe('git at a glance', () => {
  it('says the same as the whole look at the workspace', async () => {
    const root = repository();
    writeFileSync(join(root, 'new file'), '');
    mkdirSync(join(root, 'runtime', 'checkpoints'), {recursive: true});
    writeFileSync(join(root, 'runtime', 'checkpoints', 'x'), '');
    const {branch, head, dirty} = await openWorkspace({
      root,
      checkpointDir: join(root, 'runtime', 'checkpoints'),
    }).facts();
    expect(await look(root)).toEqual({branch, head, dirty});
    expect(dirty).toEqual(['new file']);
  });

  it('is empty outside git, and where git is not installed', async () => {
    expect(await look(tempFolder())).toEqual(nothing);
    const root = repository();
    vi.stubEnv('PATH', '');
    expect(await look(root)).toEqual(nothing);
  });

  it('does not wait for a git that hangs, and ends it', async () => {
    const root = repository();
    const pidFile = join(root, 'pid');
    fakeGit(`echo $$ >> ${pidFile}; exec sleep 60`);
    expect(await look(root, 100)).toEqual(nothing);
    const pids = execFileSync('cat', [pidFile], {encoding: 'utf8'}).trim().split('\n');
    expect(pids).toHaveLength(2);
    await vi.waitFor(() => {
      for (const pid of pids) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    });
  });

  it('asks for less when there is too much to tell', async () => {
    fakeGit('case "$*" in *=all*) head -c 5000000 /dev/zero ;; *) printf "? big/\\0" ;; esac');
    expect(await look(repository())).toMatchObject({dirty: ['big/']});
  });

  it('leaves nothing in the temp folder', async () => {
    const temp = tempFolder();
    vi.stubEnv('TMPDIR', temp);
    expect(await look(repository())).toMatchObject({branch: 'main'});
    expect(readdirSync(temp).filter((name) => name.startsWith('.ckpt-git-'))).toEqual([]);
  });
});
