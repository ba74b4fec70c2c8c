// Commits that were made after a checkpoint, and which of them others have.

import type {LaterCommit} from '../../history/ports.ts';
import {isObjectName} from '../../history/ref-names.ts';
import {git, harmless, personsEnv} from './home/git.ts';

const most = 50;

/** Newest first; undefined when HEAD does not grow from there, or there is no git. */
export const laterCommits = async (root: string, head: string): Promise<LaterCommit[] | undefined> => {
  if (!isObjectName(head)) return undefined;
  const ask = (...args: string[]) =>
    git({args: [...harmless, ...args], cwd: root, env: personsEnv(), timeoutMs: 10_000});
  if ((await ask('merge-base', '--is-ancestor', head, 'HEAD')).code !== 0) return undefined;
  const [all, own] = await Promise.all([
    ask('log', `--max-count=${most}`, '--format=%H %s', `${head}..HEAD`),
    ask('rev-list', `${head}..HEAD`, '--not', '--remotes'),
  ]);
  const unpushed = new Set(own.out.split('\n'));
  return all.out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = ''] = line.split(' ', 1);
      const subject = Buffer.from(line.slice(id.length + 1), 'latin1').toString('utf8');
      return {id, subject, pushed: !unpushed.has(id)};
    });
};
