// The private index, begun from the person's own: its entries carry the times and sizes of their files, so that the first
// snapshot of a large repository need not read them all. Only what is surely the same, byte for byte, as its blob may
// stay; the rest is read again. Whatever goes wrong here costs time, nothing else: we begin with an empty index.

import {join} from 'node:path';
import {type GitPath, gitPath, isUnder} from '../../history/git-paths.ts';
import {durable, fleeting, git, harmless, personsEnv} from './home/git.ts';
import {asTheirs, type PrivateDir} from './private-dir.ts';
import {withFolders} from './rules.ts';
import {copyIndex, freshState, newIndex, type TreeState} from './state.ts';

export const seed = async (place: PrivateDir, timeoutMs: number): Promise<TreeState> => {
  const {persons} = place.home;
  const index = newIndex();
  if (persons !== undefined && (await copyIndex(persons.index, join(place.dir, index)))) {
    const kept = await purge(place, index, timeoutMs);
    if (kept !== undefined) return freshState(index, kept.tree, kept.folders);
  }
  return freshState(newIndex(), undefined);
};

const purge = async (
  place: PrivateDir,
  index: string,
  timeoutMs: number,
): Promise<{tree: string; folders: GitPath[]} | undefined> => {
  const {home, own} = place;
  const theirs = (args: string[], {input = '', onPiece}: {input?: string; onPiece?: (piece: string) => void} = {}) =>
    git({
      args: [...harmless, '-c', 'index.sparse=false', '-c', 'core.splitIndex=false', ...args],
      cwd: home.root,
      env: {
        ...personsEnv(),
        GIT_DIR: home.persons?.gitDir ?? home.gitDir,
        GIT_WORK_TREE: home.root,
        GIT_INDEX_FILE: join(place.dir, index),
      },
      input: Buffer.from(input, 'latin1'),
      timeoutMs,
      ...(onPiece === undefined ? {} : {onPiece}),
    });
  const plain = ['update-index', '--no-split-index', '--no-untracked-cache', '--no-fsmonitor'];
  if ((await theirs([...fleeting, ...plain])).code !== 0) return undefined;
  const listed = entryReader(home.config.get('core.sparsecheckout') === 'true');
  if ((await theirs(['ls-files', '-z', '-v', '-s', '--debug'], listed)).code !== 0) return undefined;
  const {entries} = listed;
  const filtered = filterReader();
  const [sizes, filters] = await Promise.all([
    theirs(['cat-file', '--batch-check=%(objectsize)', '--buffer'], {
      input: entries.map(({object}) => `${object}\n`).join(''),
    }),
    theirs(['check-attr', '-z', '--stdin', 'filter', 'ident', 'working-tree-encoding'], {
      input: listOf(entries),
      onPiece: filtered.onPiece,
    }),
  ]);
  if (sizes.code !== 0 || filters.code !== 0) return undefined;
  const blobs = sizes.out.split('\n');
  const isSame = (entry: Entry, at: number): boolean =>
    entry.absent || entry.gitlink || (entry.plain && String(entry.size) === blobs[at]);
  const doubtful = entries.filter(
    (entry, at) =>
      !isSame(entry, at) || filtered.paths.has(entry.path) || (own !== undefined && isUnder(entry.path, own)),
  );
  const dropped = await place.ask(index, {
    args: [...fleeting, 'update-index', '-z', '--force-remove', '--stdin'],
    input: Buffer.from(listOf(doubtful), 'latin1'),
    timeoutMs,
  });
  if (dropped.code !== 0) return undefined;
  const tree = await place.ask(index, {
    args: [...durable, ...asTheirs(home), 'write-tree', '--missing-ok'],
    timeoutMs,
  });
  const folders = withFolders(
    [],
    entries.map(({path}) => gitPath(path)),
  );
  return tree.code === 0 ? {tree: tree.out.trim(), folders} : undefined;
};

const listOf = (entries: Entry[]): string => entries.map(({path}) => `${path}\0`).join('');

interface Entry {
  path: string;
  object: string;
  /** Of the file, when it was last looked at. */
  size: number;
  gitlink: boolean;
  /** Outside a sparse checkout: not on disk, kept as git has it. */
  absent: boolean;
  /** No conflict, no promise to look away, nothing that was only announced. */
  plain: boolean;
}

const announced = 0x20000000;

/**
 * `H 100644 <object> 0\t<path>NUL  ctime: …\n  mtime: …\n  dev: …\n  uid: …\n  size: 620\tflags: 0\n`, again and again. Read
 * as it comes, so that half a million of them do not hold up whoever else needs this thread.
 */
const entryReader = (sparse: boolean): {entries: Entry[]; onPiece(piece: string): void} => {
  const entries: Entry[] = [];
  let rest = '';
  const pattern =
    /([A-Za-z]) (\d{6}) ([0-9a-f]+) (\d)\t([^\0]+)\0 {2}ctime: .*\n {2}mtime: .*\n {2}dev: .*\n {2}uid: .*\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n/gy;
  const onPiece = (piece: string): void => {
    rest += piece;
    let end = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
      const [, tag = '', mode, object = '', stage, path = '', size, flags = ''] = match;
      entries.push({
        ...{path, object, size: Number(size), gitlink: mode === '160000' && stage === '0'},
        absent: sparse && tag === 'S' && stage === '0',
        plain: tag === 'H' && stage === '0' && (Number.parseInt(flags, 16) & announced) === 0,
      });
      end = pattern.lastIndex;
    }
    rest = rest.slice(end);
  };
  return {entries, onPiece};
};

/** `path NUL attribute NUL value NUL`: the paths whose files git would not store as they are. */
const filterReader = (): {paths: Set<string>; onPiece(piece: string): void} => {
  const paths = new Set<string>();
  let rest = '';
  const onPiece = (piece: string): void => {
    const parts = `${rest}${piece}`.split('\0');
    const whole = Math.floor((parts.length - 1) / 3) * 3;
    for (let at = 0; at < whole; at += 3) {
      const [path = '', value = ''] = [parts[at], parts[at + 2]];
      if (value !== 'unspecified' && value !== 'unset') paths.add(path);
    }
    rest = parts.slice(whole).join('\0');
  };
  return {paths, onPiece};
};
