// What we know of the private index: which tree it stands for. Each snapshot writes a new index file beside the old one,
// and state.json names the one that counts: whoever is killed anywhere leaves the old pair, whole. A git that outlives its
// killed parent writes into a file that nobody looks at any more.

import {lstatSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {chmod, copyFile, rename, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {GitPath} from '../../history/git-paths.ts';
import {type PrivateDir, textOf} from './private-dir.ts';

export interface TreeState {
  /** The name of the index file. */
  index: string;
  /** Every path that the index calls unchanged has in this tree the content it has on disk. Undefined: an empty one. */
  tree: string | undefined;
  /** To be read again, whatever the index says; with the mode known so far. */
  again: [GitPath, string | undefined][];
  /** Tracked by the person although ignored. */
  forced: GitPath[];
  /** All that have something in the index, and what is left of some that had. */
  folders: GitPath[];
  /** How the rules stood that lie in those folders and outside; undefined when that must be looked at again. */
  rules: string | undefined;
  /** In the index although these rules ignore them. */
  ignored: GitPath[];
  /** Ignored, but brought by a restore: they count, so that another restore can take them away again. */
  adopted: GitPath[];
  /** Repositories inside, which the person's does not know. */
  nested: GitPath[];
  /** Packs of ours, small ones, that wait to be joined. */
  packs: string[];
  /** The last snapshot, to be named again while nothing changes. */
  last: LastSnapshot | undefined;
  /** How the person's index stood. */
  persons: string;
}

export interface LastSnapshot {
  commit: string;
  tree: string;
  parent: string | undefined;
  /** While it is there, so are the commit and the tree. */
  pack: string | undefined;
}

export const freshState = (index: string, tree: string | undefined, folders: GitPath[] = []): TreeState => ({
  ...{
    index,
    tree,
    folders,
    rules: undefined,
    ignored: [],
    again: [],
    forced: [],
    adopted: [],
    nested: [],
    packs: [],
    last: undefined,
    persons: '',
  },
});

interface StoredState {
  version: number;
  /** When and how large the index was. */
  stamp: string;
  ground: string;
  state: TreeState;
}

/** Undefined: there is none, or something has been at it; it is then made anew. What strangers left is swept away. */
export const loadState = (place: PrivateDir): TreeState | undefined => {
  const state = readState(place);
  for (const name of readdirSync(place.dir)) {
    const ours = name === state?.index || !/^(?:index|fast_import_crash_|rules-|answer-)/.test(name);
    if (!ours) rmSync(join(place.dir, name), {force: true, recursive: true});
  }
  rmSync(join(place.dir, 'refs', 'heads', 'snapshot.lock'), {force: true});
  return state;
};

const stored = (place: PrivateDir): StoredState =>
  JSON.parse(readFileSync(join(place.dir, 'state.json'), 'utf8')) as StoredState;

/** They are there, whatever has become of the index. */
export const packsOf = (place: PrivateDir): string[] => {
  try {
    return stored(place).state.packs.filter((name) => /^pack-[0-9a-f]+$/.test(name));
  } catch {
    return [];
  }
};

const readState = (place: PrivateDir): TreeState | undefined => {
  try {
    const raw = stored(place);
    const fits = raw.version === 2 && raw.stamp === stampOf(join(place.dir, raw.state.index));
    return fits && raw.ground === groundOf(place) ? raw.state : undefined;
  } catch {
    return undefined;
  }
};

/** Whole or not at all, but not synced: what a power cut takes is made anew. */
export const saveState = async (place: PrivateDir, state: TreeState): Promise<void> => {
  const stamp = stampOf(join(place.dir, state.index));
  const whole: StoredState = {version: 2, stamp, ground: groundOf(place), state};
  await writeFile(join(place.dir, 'state.new'), `${JSON.stringify(whole)}\n`, {mode: 0o600});
  await rename(join(place.dir, 'state.new'), join(place.dir, 'state.json'));
};

/** The next snapshot begins from the person's index. */
export const forgetState = (place: PrivateDir): void => rmSync(join(place.dir, 'state.json'), {force: true});

/** A name for a new index. */
export const newIndex = (): string => `index.${randomHex()}`;

/** Only two of the same folder at the same moment must differ; a better source takes 5 ms to load. */
export const randomHex = (): string => Math.random().toString(16).slice(2, 10).padEnd(8, '0');

/** An entry younger than its index is looked at again by git: so the copy must not look younger than the original. */
export const copyIndex = async (from: string, to: string): Promise<boolean> => {
  try {
    const second = Math.floor((await stat(from)).mtimeMs / 1000);
    await copyFile(from, to);
    await chmod(to, 0o600);
    await utimes(to, second, second);
    return true;
  } catch {
    return false;
  }
};

/** In a sparse checkout git's index decides what is not on disk: whenever it has moved, we begin again. */
const groundOf = ({home}: PrivateDir): string => {
  const {config, persons, objects, root} = home;
  const sparse = persons !== undefined && config.get('core.sparsecheckout') === 'true';
  return JSON.stringify([root, objects, ...(sparse ? [textOf(persons.sparse), stampOf(persons.index)] : [])]);
};

/** Differs when the file was written again; empty when there is none. */
export const stampOf = (path: string): string => {
  try {
    const {ino, mtimeNs, size} = lstatSync(path, {bigint: true});
    return `${ino}.${mtimeNs}.${size}`;
  } catch {
    return '';
  }
};
