// Finds the adapters, ours and the person's, and the program that an adapter names.

import {accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {homedir} from 'node:os';
import {delimiter, dirname, isAbsolute, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {isCodeName} from '../../../adapters/code.ts';
import type {Adapter} from '../../adapter/adapter.ts';
import {parseAdapter} from '../../adapter/parse.ts';
import {fail, ok, type Result} from '../../core/failure.ts';

export type Env = Record<string, string | undefined>;

/** The person's own adapter of a name comes before ours. */
export const findAdapter = (name: string, env: Env): Result<Adapter> => {
  const file = adapterPaths(env).get(name);
  if (!file) return fail({is: 'unknown-agent', name, known: adapterNames(env)});
  const text = readText(file);
  if (!text.ok) return text;
  const parsed = parseAdapter(text.value, file);
  if (!parsed.ok || isCodeName(parsed.value.code)) return parsed;
  const what = `there is no code "${parsed.value.code}"`;
  const fix = 'write code: none, or one of claude, codex when the agent speaks that dialect';
  return fail({is: 'bad-config', file, line: undefined, what, fix});
};

export const adapterNames = (env: Env): string[] => [...adapterPaths(env).keys()].sort();

/** Absolute path of the hook command. */
export const relayPath = (): string => join(packageRoot(), 'adapters', 'relay.sh');

/** `program`: what the person named, for adapters that have no names of their own (argv.ts, splitProgram). */
export const findBinary = (
  adapter: Adapter,
  {path = '', program, cwd}: {path: string | undefined; program: string | undefined; cwd: string},
): Result<{file: string; args: string[]}> => {
  if (adapter.binary.names.includes('{practice}')) {
    const script = join(packageRoot(), 'dist', 'practice.js');
    return isFile(script) ? ok({file: process.execPath, args: [script]}) : missing(adapter, [script]);
  }
  const names = program === undefined ? adapter.binary.names : [program];
  for (const name of names) {
    const file = findProgram(name, path, cwd);
    if (file) return ok({file: nativeBehind(file, adapter) ?? file, args: []});
  }
  return missing(adapter, names.length === 0 ? ['no program was named'] : lookedFor(names, path, cwd));
};

const missing = (adapter: Adapter, looked: string[]) =>
  fail({is: 'agent-missing' as const, agent: adapter.name, looked, fix: adapter.binary.install});

const lookedFor = (names: string[], path: string, cwd: string): string[] =>
  names.flatMap((name) =>
    name.includes('/') ? [resolve(cwd, name)] : folders(path, cwd).map((folder) => join(folder, name)),
  );

/** An empty part of PATH means the current folder, as it does for a shell. */
const folders = (path: string, cwd: string): string[] => path.split(delimiter).map((part) => resolve(cwd, part));

const findProgram = (name: string, path: string, cwd: string): string | undefined =>
  lookedFor([name], path, cwd).find((file) => isFile(file) && mayRun(file));

/** npm's launcher is a Node script; the program itself lies in a package for this platform beside it. */
const nativeBehind = (file: string, adapter: Adapter): string | undefined => {
  const inside = adapter.binary.native[`${process.platform}-${process.arch}`];
  if (!inside) return undefined;
  const launcher = realpathSync(file);
  if (!/\.[cm]?js$/.test(launcher)) return undefined;
  const [scope = '', name = '', ...rest] = inside.split('/');
  try {
    const folder = dirname(createRequire(launcher).resolve(`${scope}/${name}/package.json`));
    const native = join(folder, ...rest);
    return isFile(native) && mayRun(native) ? native : undefined;
  } catch {
    return undefined;
  }
};

/** Name → file. `<name>/adapter.yaml` or `<name>.yaml`; the name of the file is the name of the agent. */
const adapterPaths = (env: Env): Map<string, string> => {
  const found = new Map<string, string>();
  const home = env.HOME ?? homedir();
  // The specification says: a path that is not absolute is to be ignored.
  const config = env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, '.config');
  for (const folder of [join(packageRoot(), 'adapters'), join(config, 'ckpt-run', 'adapters')]) {
    for (const entry of list(folder)) {
      const inFolder = join(folder, entry, 'adapter.yaml');
      if (isFile(inFolder)) found.set(entry, inFolder);
      else if (entry.endsWith('.yaml')) found.set(entry.slice(0, -'.yaml'.length), join(folder, entry));
    }
  }
  return found;
};

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

const readText = (file: string): Result<string> => {
  try {
    return ok(readFileSync(file, 'utf8'));
  } catch (error) {
    const {code = 'EIO', message} = error as NodeJS.ErrnoException;
    return fail({is: 'system', doing: `reading ${file}`, code, message});
  }
};

/** A file where a folder was expected (ENOTDIR) or a folder that may not be entered is no file either. */
const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

const mayRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** From src/ in tests, from dist/ or dist/chunks/ when built: the folder above that has our package.json. */
export const packageRoot = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('Internal error: ckpt-run is not inside its package');
    folder = above;
  }
  return folder;
};
