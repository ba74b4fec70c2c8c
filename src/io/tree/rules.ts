// Where rules lie that say what is ignored, and how they stood. A rule may hide itself (`*` in a folder's own .gitignore),
// so that git's own look does not see it come; but to ask git about every file it knows takes it longer than all else.

import {lstatSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {foldersOf, type GitPath, gitPath} from '../../history/git-paths.ts';
import {isSettled, type Settling} from '../files/settled.ts';
import {onDisk, type PrivateDir} from './private-dir.ts';

/** With folders for all that the index holds: those that were known, and those of files that have come. */
export const withFolders = (known: GitPath[], paths: Iterable<GitPath>): GitPath[] => {
  const folders = new Set(known);
  let last = '';
  for (const path of paths) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    // They come in order: a file is mostly in the same folder as the one before it.
    if (folder === last) continue;
    last = folder;
    for (const one of foldersOf(path)) folders.add(one);
  }
  return folders.size === known.length ? known : [...folders];
};

const atOnce = 500;

/** Undefined: one of them is so young that it may change once more and look the same. */
export const rulesNow = async (
  place: PrivateDir,
  folders: GitPath[],
  limits: Settling,
): Promise<string | undefined> => {
  const outer = [join(place.dir, 'info', 'exclude'), excludesFile(place)].map((path) =>
    stampOf(path, limits, statSync),
  );
  const stamps: (string | undefined)[] = outer.map((stamp) => (stamp === '' ? '-' : stamp));
  let done = 0;
  for (const folder of [gitPath(''), ...folders]) {
    const stamp = stampOf(
      onDisk(place, gitPath(folder === '' ? '.gitignore' : `${folder}/.gitignore`)),
      limits,
      lstatSync,
    );
    if (stamp !== '') stamps.push(stamp && `${folder} ${stamp}`);
    done += 1;
    // Others on this thread have waited long enough.
    if (done % atOnce === 0) await new Promise((go) => setImmediate(go));
  }
  return stamps.includes(undefined) ? undefined : stamps.join('\n');
};

/** Where git itself looks when nobody has named another. */
const excludesFile = ({home}: PrivateDir): string => {
  const {HOME = '', XDG_CONFIG_HOME} = process.env;
  return home.config.get('core.excludesfile') ?? join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'ignore');
};

const stampOf = (
  path: string | Buffer,
  limits: Settling,
  look: typeof statSync | typeof lstatSync,
): string | undefined => {
  try {
    const stat = look(path, {bigint: true, throwIfNoEntry: false});
    if (stat === undefined) return '';
    const {dev, ino, size, mtimeNs, ctimeNs} = stat;
    return isSettled(stat, limits) ? `${dev}.${ino}.${size}.${mtimeNs}.${ctimeNs}` : undefined;
  } catch (error) {
    const {code = '?'} = error as NodeJS.ErrnoException;
    // A file where a folder was: no rules there.
    return code === 'ENOTDIR' ? '' : code;
  }
};
