// The real `ckpt`, bundled as it is shipped, in real repositories, with an environment made from scratch.

import {execFileSync, spawnSync} from 'node:child_process';
import {realpathSync} from 'node:fs';
import {afterAll, beforeAll} from 'vitest';
import {bundle, tempFolder} from '../io/checkpoint-files-rig.ts';

let program: Awaited<ReturnType<typeof bundle>>;

/** Call once per test file. */
export const useCkpt = (): void => {
  beforeAll(async () => {
    program = await bundle('src/ckpt.ts');
  });
  afterAll(() => program.remove());
};

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {cwd, encoding: 'utf8'}).trim();

export const repository = (): string => asRepository(realpathSync(tempFolder()));

export const asRepository = (dir: string): string => {
  git(dir, 'init', '-q', '-b', 'main');
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'x');
  return dir;
};

export interface Call {
  env?: Record<string, string>;
  input?: string;
  /** Words in front of node: a sandbox. */
  within?: string[];
}

export const ckpt = (cwd: string, args: string[], {env = {}, input = '', within = []}: Call = {}) => {
  const [file = '', ...rest] = [...within, process.execPath, program.file, ...args];
  const bare = {PATH: process.env.PATH ?? '', HOME: '/nonexistent', LANG: 'C.UTF-8'};
  const {status, stdout, stderr} = spawnSync(file, rest, {cwd, input, encoding: 'utf8', env: {...bare, ...env}});
  return {status, stdout, stderr};
};

export const snapshot = [
  ...['snapshot', '--step', 'fix landed', '--note', 'proof green', '--next-cmd', 'pytest -q && go on'],
];
