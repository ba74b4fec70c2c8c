// What git goes by when it says where a repository is and how its files are to be seen: `.git` itself, the files of
// settings, the environment. While none of these has moved, it would say the same again.

import {statSync} from 'node:fs';
import {dirname, isAbsolute, join, resolve} from 'node:path';
import {isSettled} from '../../files/settled.ts';
import {personsEnv} from './git.ts';

export interface Grounds {
  env: string;
  /** Those that are not there, too: they might come. */
  files: [path: string, stamp: string][];
}

/** Undefined: something moves at this moment, or not all of it can be watched. `begun`: when it was asked for. */
export const groundsFrom = (files: string[] | undefined, begun: number): Grounds | undefined => {
  const stamps = (files ?? []).map((path) => [path, stampOf(path, begun)] as const);
  if (files === undefined || stamps.some(([, {settled}]) => !settled)) return undefined;
  return {env: envText(), files: stamps.map(([path, {text}]) => [path, text])};
};

export const stillSo = ({env, files}: Grounds): boolean =>
  env === envText() && files.every(([path, stamp]) => stampOf(path).text === stamp);

const envText = (): string => JSON.stringify(personsEnv());

/** Through links, as git reads them. Of a folder only which one it is: its times move with every commit. */
const stampOf = (path: string, now = 0): {text: string; settled: boolean} => {
  try {
    const stat = statSync(path, {bigint: true, throwIfNoEntry: false});
    if (stat === undefined) return {text: '', settled: true};
    const {dev, ino, uid, size, mtimeNs, ctimeNs} = stat;
    if (stat.isDirectory()) return {text: `${dev}.${ino}.${uid}`, settled: true};
    const settled = isSettled(stat, {now: () => now, settleMs: undefined});
    return {text: `${dev}.${ino}.${uid}.${size}.${mtimeNs}.${ctimeNs}`, settled};
  } catch (error) {
    return {text: (error as NodeJS.ErrnoException).code ?? '?', settled: true};
  }
};

/** For a repository; `told` is what `git config --list -z --show-origin` says of it. */
export const filesOfGit = (
  root: string,
  {gitDir, common}: {gitDir: string; common: string},
  told: string,
): string[] | undefined => {
  const named = originsIn(root, told);
  if (named === undefined) return undefined;
  const own = [join(root, '.git'), join(gitDir, 'commondir'), join(common, 'config'), join(gitDir, 'config.worktree')];
  return [...new Set([...own, ...outerFiles(), ...named])];
};

/** Outside git: until some folder above gets a `.git`. One that is there already, and is none, is not to be trusted. */
export const filesOfNone = (root: string): string[] | undefined => {
  const places: string[] = [];
  for (let at = root; ; at = dirname(at)) {
    places.push(join(at, '.git'));
    if (dirname(at) === at) break;
  }
  return places.every((path) => stampOf(path).text === '') ? [...places, ...outerFiles()] : undefined;
};

/** Of the person and of the machine, there or not. */
const outerFiles = (): string[] => {
  const {HOME = '', XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM = '/etc/gitconfig'} = personsEnv();
  const persons = [join(HOME, '.gitconfig'), join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'config')];
  return [...(GIT_CONFIG_GLOBAL === undefined ? persons : [GIT_CONFIG_GLOBAL]), GIT_CONFIG_SYSTEM];
};

/**
 * `file:<path>NUL<name>LF<value>NUL`: the files that say something, and those that they include. Undefined where what is
 * included hangs on more than files: on the branch of the moment.
 */
const originsIn = (root: string, told: string): string[] | undefined => {
  const parts = told.split('\0');
  const found = new Set<string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [origin = '', setting = ''] = [parts[at], parts[at + 1]];
    if (!origin.startsWith('file:')) continue;
    const file = resolve(root, textOf(origin.slice('file:'.length)));
    found.add(file);
    const [, name = '', value = ''] = /^(include(?:if\..*)?\.path)\n(.*)$/s.exec(setting) ?? [];
    if (name === '') continue;
    const path = textOf(value).replace(/^~\//, `${process.env.HOME ?? ''}/`);
    if (/^includeif\.onbranch:/.test(name) || /^[~%]/.test(path)) return undefined;
    found.add(isAbsolute(path) ? path : resolve(dirname(file), path));
  }
  return [...found];
};

const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
