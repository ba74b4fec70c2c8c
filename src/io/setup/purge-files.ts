// What ckpt has left of one repository's work: its checkpoint folder, its refs, the line in info/exclude, its services.
// Only what is known to be ours goes; a folder with other things in it stays, with them.

import {readdirSync, readFileSync, rmdirSync, rmSync} from 'node:fs';
import {homedir} from 'node:os';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {fail, ok, type Result} from '../../core/failure.ts';
import {isSnapshotRef, refRoot} from '../../history/ref-names.ts';
import type {PurgePort} from '../../install/ports.ts';
import {askProgram} from '../machine/ask-program.ts';
import {findRoot, includeInCommits, isExcluded} from '../repository/where.ts';

type Env = Record<string, string | undefined>;

export interface PurgePlace {
  root: string;
  dir: string;
  /** Refs that this folder's checkpoints name. */
  refs: string[];
  env: Env;
}

export const openPurge = (place: PurgePlace): PurgePort => ({
  find: async () => {
    try {
      const names = namesIn(place.dir);
      const where = whereIs(place);
      return ok({
        ours: names.filter(isOurs).map((name) => join(place.dir, name)),
        others: names.filter((name) => !isOurs(name)).map((name) => join(place.dir, name)),
        refs: await refsOf(place),
        excluded: where !== undefined && isExcluded(where),
        services: servicesOf(place),
      });
    } catch (error) {
      return refused(`look at ${place.dir}`, error);
    }
  },
  remove: async (found) => {
    const dropped = await dropRefs(place, found.refs);
    if (!dropped.ok) return dropped;
    try {
      for (const path of found.ours) rmSync(path, {recursive: true, force: true});
      if (found.others.length === 0) removeEmpty(place);
      const where = whereIs(place);
      if (where !== undefined) includeInCommits(where);
      return ok(undefined);
    } catch (error) {
      return refused(`remove ${place.dir}`, error);
    }
  },
});

/** DESIGN §5, and what our own writers leave when they are killed. */
const isOurs = (name: string): boolean =>
  /^(?:LATEST\.(?:md|json|lock)|journal\.jsonl|runs|workspace)(?:\.broken.*)?$/.test(name) ||
  /^context_checkpoint_\d{8}T\d{9}Z_.*\.(?:md|json)(?:\.broken.*)?$/s.test(name) ||
  /^\..+\.\d+\.\d+\.tmp$/.test(name) ||
  /^(?:LATEST|journal|context_checkpoint_).*broken/.test(name);

/** Also the `runtime` above it, if that was made for it. */
const removeEmpty = ({dir, root}: PurgePlace): void => {
  for (const folder of [dir, ...(dir === join(root, 'runtime', 'checkpoints') ? [dirname(dir)] : [])]) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
};

const whereIs = ({root, dir}: PurgePlace): {root: string; dir: string; dotGit: string | undefined} | undefined => {
  const found = findRoot({cwd: root});
  return found.ok ? {...found.value, dir} : undefined;
};

const git = (root: string, args: string[]) => askProgram({file: 'git', args, cwd: root});

/** Worktrees share their refs: where there are several, only what this folder's checkpoints name may go. */
const refsOf = async ({root, refs}: PurgePlace): Promise<string[]> => {
  const [listed, trees] = await Promise.all([
    git(root, ['for-each-ref', '--format=%(refname)', refRoot]),
    git(root, ['worktree', 'list', '--porcelain']),
  ]);
  if (listed.code !== 0) return [];
  const all = listed.stdout.split('\n').filter(isSnapshotRef);
  const alone = trees.stdout.split('\n').filter((line) => line.startsWith('worktree ')).length <= 1;
  return alone ? all : all.filter((ref) => refs.includes(ref));
};

const dropRefs = async ({root}: PurgePlace, refs: string[]): Promise<Result<void>> => {
  for (const ref of refs) {
    const told = await git(root, ['update-ref', '--no-deref', '-d', ref]);
    if (told.code !== 0)
      return fail({is: 'system', doing: `remove ${ref}`, code: String(told.code), message: 'git refused it'});
  }
  return ok(undefined);
};

/** By the folder that their unit or plist works in. */
const servicesOf = ({root, env}: PurgePlace): string[] => {
  const home = env.HOME ?? homedir();
  const config = env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, '.config');
  const [folder, name, line] =
    process.platform === 'darwin'
      ? [join(home, 'Library', 'LaunchAgents'), /ckpt-run\.(.+)\.plist$/, `<string>${xml(root)}</string>`]
      : [
          join(config, 'systemd', 'user'),
          /^ckpt-run-(.+)\.service$/,
          `WorkingDirectory=${root.replaceAll('%', '%%')}\n`,
        ];
  return namesIn(folder).flatMap((file) => {
    const found = name.exec(basename(file))?.[1];
    return found !== undefined && readFileSync(join(folder, file), 'utf8').includes(line) ? [found] : [];
  });
};

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

const refused = (doing: string, error: unknown) => {
  const {code = 'unknown', message} = error as NodeJS.ErrnoException;
  return fail({is: 'system' as const, doing, code, message});
};
