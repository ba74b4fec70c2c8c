// Finds and reads the two config files. The YAML library is loaded only when there is one.

import {readFileSync, realpathSync, statSync} from 'node:fs';
import {isAbsolute, join, relative, sep} from 'node:path';
import {type Config, makeConfig, type Setting} from '../../config/config.ts';
import type {Author} from '../../config/parse.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import {defaultNotify, type NotifyConfig} from '../../notify/notify-config.ts';

type Env = Record<string, string | undefined>;

export interface ConfigPlaces {
  repository: string;
  /** Undefined when there is no home. */
  person: string | undefined;
}

/** The repository's ckpt.yaml over the person's config.yaml over the defaults. */
export const loadConfig = async (where: {root: string}, env: Env): Promise<Result<Config>> => {
  const {repository, person} = configPlaces(where, env);
  const settings: Setting[] = [];
  for (const [file, author] of [
    [person, 'person'],
    [repository, 'repository'],
  ] as const) {
    const read = file === undefined ? ok([]) : await readOne(file, author, where.root);
    if (!read.ok) return read;
    settings.push(...read.value);
  }
  return ok(makeConfig(settings));
};

/** Whom the person wants to be told, and how: from their own config.yaml alone. */
export const loadNotify = async (env: Env): Promise<Result<NotifyConfig>> => {
  const {person} = configPlaces({root: '/'}, env);
  const text = person === undefined ? ok(undefined) : readBounded(person, undefined);
  if (!text.ok) return text;
  if (person === undefined || text.value === undefined) return ok(defaultNotify);
  return (await import('../../config/parse.ts')).parseNotify(text.value, person);
};

export const configPlaces = ({root}: {root: string}, env: Env): ConfigPlaces => {
  const {XDG_CONFIG_HOME: config = '', HOME: home = ''} = env;
  // The specification says: a path that is not absolute is to be ignored.
  const folder = isAbsolute(config) ? config : isAbsolute(home) ? join(home, '.config') : undefined;
  return {
    repository: join(root, 'ckpt.yaml'),
    person: folder === undefined ? undefined : join(folder, 'ckpt-run', 'config.yaml'),
  };
};

const maxBytes = 256 * 1024;

const readOne = async (file: string, author: Author, root: string): Promise<Result<Setting[]>> => {
  const text = readBounded(file, author === 'repository' ? root : undefined);
  if (!text.ok) return text;
  if (text.value === undefined) return ok([]);
  const {parseConfig} = await import('../../config/parse.ts');
  return parseConfig(text.value, file, author);
};

/** Undefined when there is none. A clone's file may be a link to anywhere, or a pipe that never ends. */
const readBounded = (file: string, within: string | undefined): Result<string | undefined> => {
  const bad = (what: string, fix: string) => fail({is: 'bad-config' as const, file, line: undefined, what, fix});
  try {
    const {size} = statSync(file);
    if (!statSync(file).isFile()) return bad('it is no file', 'write the settings into a plain file of that name');
    if (size > maxBytes) return bad(`it has ${size} bytes`, `a config file has at most ${maxBytes}`);
    if (within !== undefined && !isInside(realpathSync(within), realpathSync(file)))
      return bad('it is a link that leads out of the repository', 'put the file itself there');
    return ok(readFileSync(file, 'utf8'));
  } catch (error) {
    const {code = 'EIO', message} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return ok(undefined);
    return fail({is: 'system', doing: `read ${file}`, code, message});
  }
};

const isInside = (outer: string, inner: string): boolean => {
  const way = relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
