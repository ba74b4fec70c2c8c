// Where the snapshots of a folder live: in its git repository, or, outside git, in a shadow repository of ours inside
// the checkpoint folder.

import {accessSync, constants, existsSync} from 'node:fs';
import {join} from 'node:path';
import {fail, ok, type Result} from '../../../core/failure.ts';
import {makeFolder} from '../../files/atomic-file.ts';
import {type GitAnswer, git, gitFailed, harmless, personsEnv, privateEnv} from './git.ts';
import {filesOfGit, filesOfNone, type Grounds, groundsFrom} from './grounds.ts';

export interface Home {
  kind: 'git' | 'shadow';
  /** The top of the working tree. */
  root: string;
  /** The repository that keeps the refs. */
  gitDir: string;
  objects: string;
  format: string;
  /** The person's own settings that say how files are to be seen. Names in lower case. */
  config: ReadonlyMap<string, string>;
  /** Of this worktree; undefined outside git. */
  persons: {gitDir: string; index: string; exclude: string; sparse: string} | undefined;
  /** What all this was found out from; undefined when it must be asked for again. */
  grounds: Grounds | undefined;
}

const timeoutMs = 10_000;

export const findHome = async (root: string, checkpointDir: string): Promise<Result<Home>> => {
  const ask = (args: string[]): Promise<GitAnswer> =>
    git({args: [...harmless, ...args], cwd: root, env: personsEnv(), timeoutMs});
  const now = Date.now();
  const [where, settings, origins] = await Promise.all([
    ask(['rev-parse', '--path-format=absolute', '--show-object-format', ...asked]),
    ask(['config', '-z', '--type=path', '--get-regexp', settingNames]),
    ask(['config', '-z', '--show-origin', '--list']),
  ]);
  if (where.code !== 0) {
    if (/not a git repository/.test(where.err)) return shadowHome(root, checkpointDir);
    return gitFailed('look at the repository', where);
  }
  const lines = Buffer.from(where.out, 'latin1').toString('utf8').trimEnd().split('\n');
  const [format, top, gitDir, common, objects, index, exclude, sparse] = lines;
  if (sparse === undefined || lines.length > 8) {
    return fail({is: 'system', doing: 'look at the repository', code: 'EINVAL', message: 'its path has a line break'});
  }
  const home = {root: top, gitDir: common, objects, format} as Pick<Home, 'root' | 'gitDir' | 'objects' | 'format'>;
  const persons = {gitDir, index, exclude, sparse} as NonNullable<Home['persons']>;
  const files = filesOfGit(home.root, {gitDir: persons.gitDir, common: home.gitDir}, origins.out);
  const grounds = groundsFrom(origins.code === 0 ? files : undefined, now);
  return writable({kind: 'git', ...home, config: settingsIn(settings.out), persons, grounds});
};

const asked = [
  ...['--show-toplevel', '--git-dir', '--git-common-dir', '--git-path', 'objects', '--git-path', 'index'],
  ...['--git-path', 'info/exclude', '--git-path', 'info/sparse-checkout'],
];

const settingNames =
  '^(core\\.(filemode|symlinks|ignorecase|precomposeunicode|sharedrepository|excludesfile|trustctime|checkstat|sparsecheckout)|extensions\\.refstorage)$';

const settingsIn = (output: string): Map<string, string> =>
  new Map(
    output.split('\0').flatMap((record) => {
      const [, name, value] = /^([^\n]+)\n(.*)$/s.exec(record) ?? [];
      return name === undefined || value === undefined
        ? []
        : [[name, Buffer.from(value, 'latin1').toString('utf8')] as const];
    }),
  );

/** In Codex's sandbox `.git` is read-only: better said at once than found halfway. */
const writable = (home: Home): Result<Home> => {
  try {
    accessSync(home.objects, constants.W_OK);
    return ok(home);
  } catch (error) {
    const {code = 'unknown', message} = error as NodeJS.ErrnoException;
    return fail({is: 'system', doing: 'save the files: git’s folder cannot be written here', code, message});
  }
};

/** One for all folders that share a checkpoint folder: a fork's files are found there too. */
const shadowHome = async (root: string, checkpointDir: string): Promise<Result<Home>> => {
  const gitDir = join(checkpointDir, 'workspace', 'shadow');
  const made = await makeRepository(gitDir, 'sha1');
  if (!made.ok) return made;
  return writable({
    kind: 'shadow',
    root,
    gitDir,
    objects: join(gitDir, 'objects'),
    format: 'sha1',
    config: made.value,
    persons: undefined,
    grounds: groundsFrom(filesOfNone(root), Date.now()),
  });
};

/** Bare, from no template; what git finds out about the file system comes back. Doing it again changes nothing. */
export const makeRepository = async (gitDir: string, format: string): Promise<Result<ReadonlyMap<string, string>>> => {
  makeFolder(gitDir);
  const here = {cwd: gitDir, env: privateEnv(gitDir), timeoutMs};
  if (!existsSync(join(gitDir, 'HEAD'))) {
    const init = await git({
      ...here,
      args: ['init', '--quiet', '--bare', '--shared=0600', '--template=', `--object-format=${format}`],
    });
    if (init.code !== 0) return gitFailed('make a private repository', init);
  }
  const settings = await git({...here, args: ['config', '-z', '--type=path', '--get-regexp', settingNames]});
  return ok(settingsIn(settings.out));
};
