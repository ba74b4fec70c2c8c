// Where things live: the repository's root, its checkpoint folder, and the line that keeps it out of commits.
// By files alone, without git: it must be fast, and work in a sandbox and where no git is installed.

import {appendFileSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync} from 'node:fs';
import {dirname, isAbsolute, join, relative, resolve, sep} from 'node:path';
import {fail, ok, type Result} from '../../core/failure.ts';

export interface Where {
  /** The top of the git worktree, else the folder we were called in. */
  root: string;
  /** The checkpoint folder, absolute; it need not exist yet. */
  dir: string;
  /** The worktree's `.git`, folder or file; undefined outside git. */
  dotGit: string | undefined;
}

export interface WhereOptions {
  cwd: string;
  repoRoot?: string | undefined;
  checkpointDir?: string | undefined;
  /** What ckpt.yaml or the person's own config says. */
  configuredDir?: string | undefined;
  env: Record<string, string | undefined>;
}

/** The root alone: what is needed to find ckpt.yaml, which may say where the checkpoints are. */
export const findRoot = ({cwd, repoRoot}: Pick<WhereOptions, 'cwd' | 'repoRoot'>): Result<Omit<Where, 'dir'>> => {
  const start = resolve(cwd, repoRoot ?? '.');
  if (!isFolder(start))
    return fail({is: 'not-found', what: `there is no folder ${start}`, fix: 'give an existing --repo-root'});
  const dotGit = findDotGit(start);
  return ok({root: repoRoot !== undefined || dotGit === undefined ? start : dirname(dotGit), dotGit});
};

/** Option over CKPT_DIR over config over `<root>/runtime/checkpoints`; relative ones count from the root. */
export const findWhere = (options: WhereOptions): Result<Where> => {
  const found = findRoot(options);
  if (!found.ok) return found;
  const {root} = found.value;
  const {checkpointDir, env, configuredDir} = options;
  const named = nonEmpty(checkpointDir) ?? nonEmpty(env.CKPT_DIR) ?? configuredDir;
  const dir = resolve(root, named ?? join('runtime', 'checkpoints'));
  // A cloned repository may bring `runtime` along as a link to somewhere else: what looks inside must be inside.
  if (isInside(root, dir) && !isInside(realpathSync(root), realPathOf(dir))) {
    return fail({
      is: 'store-unusable',
      path: dir,
      what: `it leads out of ${root} through a symbolic link (to ${realPathOf(dir)}); give that path with --checkpoint-dir if you mean it`,
    });
  }
  return ok({...found.value, dir});
};

/**
 * Adds the folder to the repository's own `info/exclude`, once; never to the person's .gitignore.
 * `refused`: git's folder is read-only, as in Codex's sandbox. No reason to stop: the run itself does it later.
 */
export const excludeFromCommits = ({root, dir, dotGit}: Where): 'added' | 'there' | 'not-needed' | 'refused' => {
  if (dotGit === undefined || dir === root || !isInside(dirname(dotGit), dir)) return 'not-needed';
  const line = excludeLine(dotGit, dir);
  try {
    const path = excludeFile(dotGit);
    const text = readIfThere(path);
    if (text.split('\n').some((old) => old.trimEnd() === line)) return 'there';
    mkdirSync(dirname(path), {recursive: true});
    appendFileSync(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
    return 'added';
  } catch {
    return 'refused';
  }
};

/** Is the line there that `excludeFromCommits` adds? */
export const isExcluded = ({dir, dotGit}: Where): boolean =>
  dotGit !== undefined && linesOf(dotGit).some((line) => line.trimEnd() === excludeLine(dotGit, dir));

/** Takes that line out again; every other byte of the file stays. */
export const includeInCommits = (where: Where): void => {
  const {dir, dotGit} = where;
  if (dotGit === undefined || !isExcluded(where)) return;
  const left = linesOf(dotGit).filter((line) => line.trimEnd() !== excludeLine(dotGit, dir));
  writeFileSync(excludeFile(dotGit), left.join(''));
};

const excludeLine = (dotGit: string, dir: string): string =>
  `/${escapePattern(relative(dirname(dotGit), dir).split(sep).join('/'))}/`;

/** Each with its line break. */
const linesOf = (dotGit: string): string[] => readIfThere(excludeFile(dotGit)).split(/(?<=\n)/);

/** What `git rev-parse --git-path info/exclude` says: worktrees share the one of their main repository. */
export const excludeFile = (dotGit: string): string => {
  const gitDir = gitDirOf(dotGit);
  const common = readIfThere(join(gitDir, 'commondir')).trim();
  return join(common === '' ? gitDir : resolve(gitDir, common), 'info', 'exclude');
};

const gitDirOf = (dotGit: string): string => {
  if (isFolder(dotGit)) return dotGit;
  const target = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
  return target === undefined ? dotGit : resolve(dirname(dotGit), target);
};

const findDotGit = (start: string): string | undefined => {
  for (let at = start; ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    if (isThere(dotGit) && isThere(join(gitDirOf(dotGit), 'HEAD'))) return dotGit;
    if (dirname(at) === at) return undefined;
  }
};

/** The real path of what exists of it; the rest as it is. */
const realPathOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), path.slice(dirname(path).length));
  }
};

const isInside = (outer: string, inner: string): boolean => {
  const way = relative(outer, inner);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

const escapePattern = (path: string): string => path.replace(/[\\*?[\]!#]/g, '\\$&').replace(/ (?= *$)/g, '\\ ');

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const isThere = (path: string): boolean => {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
};

const isFolder = (path: string): boolean => isThere(path) && statSync(path).isDirectory();

const readIfThere = (path: string): string => (isThere(path) ? readFileSync(path, 'utf8') : '');
