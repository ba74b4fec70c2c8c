// Where a ground's programs live: folders, PATH, a repository, and an environment from scratch.

import {execFile} from 'node:child_process';
import {chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import type {Cli} from './clis.ts';
import {furnish, type HomePlan} from './homes.ts';

export interface Place {
  root: string;
  project: string;
  home: string;
  env: Record<string, string>;
  /** `NAME=value`: every process that was started from here has it in its environment. */
  mark: string;
}

export interface PlacePlan {
  cli: Cli;
  modelUrl: string;
  through?: 'native' | 'launcher';
  account?: HomePlan['account'];
  env?: Record<string, string>;
  /** The person's own config.yaml of ckpt-run. */
  config?: string;
}

export const settle = async (plan: PlacePlan): Promise<Place> => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'ckpt-ground-')));
  try {
    return await build(root, plan);
  } catch (error) {
    await rm(root, {recursive: true, force: true});
    throw error;
  }
};

const build = async (root: string, {cli, modelUrl, through, account, ...plan}: PlacePlan): Promise<Place> => {
  const folder = async (name: string) => {
    await mkdir(join(root, name));
    return join(root, name);
  };
  const [project, home, bin, tmp] = [
    await folder('project'),
    await folder('home'),
    await folder('bin'),
    await folder('tmp'),
  ];
  await putOnPath(join(bin, cli.word), cli, through ?? 'native');
  const env = {
    ...commonEnv({home, bin, tmp}),
    ...proxied(modelUrl),
    ...(await furnish({cli, home, project, modelUrl, account: account ?? 'key'})),
    PROVING_GROUND: root,
    ...plan.env,
  };
  await commitOne(project, env);
  if (plan.config !== undefined) await writeConfig(join(home, '.config/ckpt-run'), plan.config);
  return {root, project, home, env, mark: `PROVING_GROUND=${root}`};
};

/** npm puts a link there. Claude's launcher is meant to be linked too, but comes without its execute bit. */
const putOnPath = async (path: string, cli: Cli, through: 'native' | 'launcher'): Promise<void> => {
  if (through === 'native' || cli.word === 'codex') return symlink(cli[through], path);
  await writeFile(path, `#!/bin/sh\nexec node '${cli.launcher}' "$@"\n`);
  await chmod(path, 0o755);
};

/** From scratch: nothing of the machine's own settings, keys or sessions gets in. */
const commonEnv = ({home, bin, tmp}: {home: string; bin: string; tmp: string}): Record<string, string> => ({
  PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
  HOME: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local/share'),
  XDG_STATE_HOME: join(home, '.local/state'),
  XDG_CACHE_HOME: join(home, '.cache'),
  // A socket's path has at most 108 bytes, so this one is short.
  XDG_RUNTIME_DIR: tmp,
  TMPDIR: tmp,
  USER: 'person',
  LOGNAME: 'person',
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  TZ: 'UTC',
});

/** Whoever wants to go elsewhere than to the loopback address comes by our own server, is seen there and refused. */
const proxied = (url: string): Record<string, string> => ({
  HTTP_PROXY: url,
  HTTPS_PROXY: url,
  http_proxy: url,
  https_proxy: url,
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
});

const writeConfig = async (folder: string, text: string): Promise<void> => {
  await mkdir(folder, {recursive: true});
  await writeFile(join(folder, 'config.yaml'), text);
};

const commitOne = async (cwd: string, env: Record<string, string>): Promise<void> => {
  const git = (...args: string[]) => promisify(execFile)('git', args, {cwd, env});
  await writeFile(join(cwd, 'README.md'), '# A project\n');
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'Person');
  await git('config', 'user.email', 'person@example.invalid');
  await git('add', '.');
  await git('commit', '--quiet', '--message=Begin');
};
