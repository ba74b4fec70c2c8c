// Git for `ckpt`, which agents and hooks call all day: Node's own child process, since execa takes 20 ms to load.
// Its output goes into a file, not a pipe: Node's pipes are sockets, and Codex's sandbox refuses every socket.

import {type ChildProcess, spawn} from 'node:child_process';
import {closeSync, fstatSync} from 'node:fs';
import {tmpdir} from 'node:os';
import type {GitState} from '../../baton/compose-input.ts';
import {namelessFile} from '../files/nameless-file.ts';
import {bytesOf} from '../files/read-range.ts';
import {type GitCall, gitStatus, maxListed, type RunGit, type StatusOptions} from './git-status.ts';

export const quickGit = async (options: StatusOptions): Promise<GitState> => {
  const status = await gitStatus(options, plainGit);
  if (status === undefined) return {branch: undefined, head: undefined, dirty: []};
  const {branch, head, entries} = status;
  return {branch, head, dirty: entries.slice(0, maxListed).map(({path}) => path)};
};

/** Whatever the system refuses: git is not needed to save a checkpoint. */
const plainGit: RunGit = async (call) => {
  try {
    const fd = namelessFile(tmpdir(), '.ckpt-git');
    try {
      return await intoFile(fd, call);
    } finally {
      closeSync(fd);
    }
  } catch {
    return {is: 'refused'};
  }
};

const intoFile = async (fd: number, {args, cwd, env, timeoutMs, maxBuffer}: GitCall): ReturnType<RunGit> => {
  const child = spawn('git', args, {cwd, env: {...process.env, ...env}, stdio: ['ignore', fd, 'ignore']});
  const ended = await endOf(child, timeoutMs);
  if (ended === 'too-slow' || fstatSync(fd).size > maxBuffer) return {is: 'too-much'};
  return ended === 0 ? {is: 'told', stdout: bytesOf(fd, 0, fstatSync(fd).size).toString('utf8')} : {is: 'refused'};
};

const endOf = (child: ChildProcess, timeoutMs: number): Promise<number | 'failed' | 'too-slow'> =>
  new Promise((done) => {
    const end = (how: number | 'failed' | 'too-slow'): void => {
      clearTimeout(timer);
      done(how);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      end('too-slow');
    }, timeoutMs);
    child.on('error', () => end('failed'));
    child.on('exit', (code) => end(code ?? 'failed'));
  });
