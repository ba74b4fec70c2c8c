// The files of ckpt install: what is there, and all of the changes or none. The manifest and the backups are in the
// person's state folder: $XDG_STATE_HOME/ckpt-run/install/.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, isAbsolute, join, relative, sep} from 'node:path';
import {fail, ok, type Result} from '../../core/failure.ts';
import {manifestText, readManifest} from '../../install/manifest.ts';
import type {Change, InstallPort, Seen, Work} from '../../install/ports.ts';
import {sha256} from '../../install/texts/mark.ts';
import {makeFolder, writeWhole} from '../files/atomic-file.ts';
import {stateHome} from '../runs/run-registry.ts';

type Env = Record<string, string | undefined>;

export interface InstallOptions {
  env: Env;
  notices(line: string): void;
  /** A test lets it fail. */
  write?: (path: string, text: string) => void;
}

export const openInstall = ({env, notices, write = writeWhole}: InstallOptions): InstallPort => {
  const state = join(stateHome(env), 'ckpt-run', 'install');
  const files = {
    manifest: join(state, 'manifest.json'),
    backups: join(state, 'backups'),
    launcher: join(state, 'ckpt'),
  };
  return {
    home: env.HOME !== undefined && isAbsolute(env.HOME) ? env.HOME : homedir(),
    look,
    manifest: () => {
      const text = textOf(files.manifest);
      const entries = text === undefined ? [] : readManifest(text);
      if (entries !== undefined) return entries;
      renameSync(files.manifest, `${files.manifest}.broken`);
      notices(`the list of what is installed was broken; it is kept as ${files.manifest}.broken`);
      return [];
    },
    backup: (hash) => {
      const text = textOf(join(files.backups, hash));
      return text !== undefined && sha256(text) === hash ? text : undefined;
    },
    backups: files.backups,
    launcher: files.launcher,
    apply: (work) => apply(work, {...files, write}),
  };
};

const maxBytes = 4_000_000;

const look = (path: string, within: string | undefined): Seen => {
  const missing = missingFolders(dirname(path));
  if (missing.is === 'blocked') return missing;
  try {
    const there = missing.folders[0] === undefined ? dirname(path) : dirname(missing.folders[0]);
    if (!statSync(there).isDirectory()) return {is: 'blocked', what: `${there} is no folder`};
    const link = lstatOf(path);
    if (link?.isSymbolicLink() && !existsSync(path)) return {is: 'blocked', what: 'it is a link to nowhere'};
    const real = realpathSync(link === undefined ? there : path);
    if (within !== undefined && !isInside(realpathSync(within), real))
      return {is: 'blocked', what: `it leads out of ${within} through a symbolic link`};
    if (link === undefined) return {is: 'absent', missing: missing.folders};
    const stat = statSync(path);
    if (!stat.isFile()) return {is: 'blocked', what: 'it is no file'};
    if (stat.size > maxBytes) return {is: 'blocked', what: `it has ${stat.size} bytes`};
    return {is: 'file', text: new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(readFileSync(path))};
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException;
    return {is: 'blocked', what: code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : message};
  }
};

type Missing = {is: 'known'; folders: string[]} | Extract<Seen, {is: 'blocked'}>;

/** Those that are not there, outermost first. */
const missingFolders = (folder: string): Missing => {
  try {
    const link = lstatOf(folder);
    if (link?.isSymbolicLink() && !existsSync(folder)) return {is: 'blocked', what: `${folder} is a link to nowhere`};
    if (link !== undefined || dirname(folder) === folder) return {is: 'known', folders: []};
    const above = missingFolders(dirname(folder));
    return above.is === 'blocked' ? above : {is: 'known', folders: [...above.folders, folder]};
  } catch (error) {
    return {is: 'blocked', what: (error as Error).message};
  }
};

interface Kept {
  manifest: string;
  backups: string;
  launcher: string;
  write(path: string, text: string): void;
}

/** What has been done so far, to be undone in reverse. */
type Undo = (() => void)[];

const apply = (work: Work, kept: Kept): Result<void> => {
  const undo: Undo = [];
  let doing = 'keep the backups';
  try {
    keepBackups(work, kept);
    doing = `write ${kept.manifest}`;
    writeManifest(work, kept, undo);
    doing = `write ${kept.launcher}`;
    putLauncher(work, kept, undo);
    for (const change of work.changes) {
      doing = `${change.to === undefined ? 'remove' : 'write'} ${change.path}`;
      perform(change, kept, undo);
    }
  } catch (error) {
    const {code = 'unknown', message} = error as NodeJS.ErrnoException;
    const stuck = undo.reverse().filter((back) => !worked(back)).length;
    const after = stuck === 0 ? 'everything is as it was' : `${stuck} changes could not be undone`;
    return fail({is: 'system', doing, code, message: `${message}; ${after}`});
  }
  tidy(work, kept);
  return ok(undefined);
};

const keepBackups = ({backups}: Work, kept: Kept): void => {
  for (const text of backups) {
    const path = join(kept.backups, sha256(text));
    if (textOf(path) === text) continue;
    makeFolder(kept.backups);
    kept.write(path, text);
  }
};

/** First: whoever kills us leaves a list that names too much rather than too little. */
const writeManifest = ({manifest}: Work, kept: Kept, undo: Undo): void => {
  const before = textOf(kept.manifest);
  const after = manifest.length === 0 ? undefined : manifestText(manifest);
  if (before === after) return;
  makeFolder(dirname(kept.manifest));
  undo.push(() => put(kept.manifest, before, writeWhole));
  put(kept.manifest, after, kept.write);
};

const putLauncher = ({manifest, launcher}: Work, kept: Kept, undo: Undo): void => {
  const before = textOf(kept.launcher);
  const after = manifest.length === 0 ? undefined : (launcher ?? before);
  const place = (text: string | undefined, write: Kept['write']): void => {
    put(kept.launcher, text, write);
    if (text !== undefined) chmodSync(kept.launcher, 0o700);
  };
  if (before === after) return;
  undo.push(() => place(before, writeWhole));
  place(after, kept.write);
};

const perform = ({path, from, to, folders}: Change, kept: Kept, undo: Undo): void => {
  if (textOf(path) !== from) throw new Error('somebody has changed it just now');
  if (to !== undefined) {
    for (const folder of folders) {
      if (existsSync(folder)) continue;
      mkdirSync(folder);
      undo.push(() => rmdirSync(folder));
    }
  }
  // A link stays a link: what it leads to is written.
  const real = from === undefined ? path : realpathSync(path);
  const mode = from === undefined ? 0o666 & ~process.umask() : statSync(real).mode & 0o7777;
  undo.push(() => {
    put(real, from, writeWhole);
    if (from !== undefined) chmodSync(real, mode);
  });
  put(to === undefined ? path : real, to, kept.write);
  if (to !== undefined) chmodSync(real, mode);
  else
    for (const folder of [...folders].reverse()) {
      if (worked(() => rmdirSync(folder))) undo.push(() => mkdirSync(folder));
    }
};

const put = (path: string, text: string | undefined, write: Kept['write']): void => {
  if (text !== undefined) write(path, text);
  else if (existsSync(path)) unlinkSync(path);
};

/** A backup that has been given back is not needed any more, nor is an empty folder of ours. */
const tidy = ({changes, manifest}: Work, kept: Kept): void => {
  const needed = new Set(manifest.map(({before}) => before));
  for (const {to} of changes) {
    if (to === undefined || needed.has(sha256(to))) continue;
    worked(() => unlinkSync(join(kept.backups, sha256(to))));
  }
  worked(() => rmdirSync(kept.backups));
  worked(() => rmdirSync(dirname(kept.manifest)));
};

const worked = (act: () => void): boolean => {
  try {
    act();
    return true;
  } catch {
    return false;
  }
};

const lstatOf = (path: string) => lstatSync(path, {throwIfNoEntry: false});

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const isInside = (outer: string, inner: string): boolean => {
  const way = relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
