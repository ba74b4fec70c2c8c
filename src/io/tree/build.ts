// A new tree from an old one and what has changed, in one pack. fast-import needs no index and no filter, and syncs one
// file where loose objects would be synced one by one.

import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {Writable} from 'node:stream';
import {fail, ok, type Result} from '../../core/failure.ts';
import {unreachable} from '../../core/unreachable.ts';
import type {GitPath} from '../../history/git-paths.ts';
import {commitEnd, commitStart, entry, fileStart, readMade, removal} from '../../history/import-stream.ts';
import type {Omission} from '../../history/left-out.ts';
import {gitlinkMode} from '../../history/raw-diff.ts';
import {answerOf, durable, type GitAnswer, type GitCall, git, gitFailed, startGit, syncFolder} from './home/git.ts';
import {asTheirs, type PrivateDir} from './private-dir.ts';
import {type Candidate, type FileStamp, type Found, type ReadLimits, readOne} from './read-files.ts';

export interface BuildOrder {
  base: string | undefined;
  parent: string | undefined;
  message: string;
  /** Done while git writes its pack: all files have been read by then. */
  meanwhile(taken: Taken): Promise<void>;
  candidates: Candidate[];
  /** Leave the tree without being looked at. */
  unwanted: GitPath[];
  limits: ReadLimits & {maxTotalBytes: number};
  timeoutMs: number;
}

export interface Built {
  tree: string;
  commit: string;
  /** The pack's name without its ending; undefined when nothing new was in it. */
  pack: string | undefined;
  omissions: Omission[];
}

export interface Taken {
  omissions: Omission[];
  /** Read while they stood still: from now on the index may vouch for them. */
  settled: Map<GitPath, FileStamp>;
  gone: GitPath[];
  unsettled: GitPath[];
  repositories: GitPath[];
}

export const build = async (place: PrivateDir, order: BuildOrder): Promise<Result<Built>> => {
  const edges = join(place.dir, 'made-packs');
  writeFileSync(edges, '', {mode: 0o600});
  const call = {
    args: [
      ...[...durable, ...asTheirs(place.home), '-c', 'fastimport.unpackLimit=0', '-c', 'core.compression=1'],
      ...['fast-import', '--quiet', '--force', '--done', '--depth=0', `--export-pack-edges=${edges}`],
    ],
    cwd: place.home.root,
    env: place.env,
    timeoutMs: order.timeoutMs,
  };
  const {told, omissions} = await (isSmall(order) ? inOnePiece : streamed)(place, order, call);
  // The commit gets its name in the person's repository; this one was for fast-import alone.
  rmSync(join(place.dir, 'refs', 'heads', 'snapshot'), {force: true});
  const made = told.code === 0 ? readMade(told.out) : undefined;
  if (made === undefined) {
    return told.code === 0
      ? fail({is: 'system', doing: 'save the files', code: 'EPROTO', message: `git answered ${told.out.slice(0, 80)}`})
      : gitFailed('save the files', told);
  }
  const pack = packIn(edges);
  if (pack !== undefined) await syncFolder(join(place.home.objects, 'pack'));
  return ok({...made, pack, omissions});
};

const smallBytes = 4_000_000;

/** By what the files were a moment ago; one that has grown meanwhile is still read only up to its own bound. */
const isSmall = ({candidates}: BuildOrder): boolean =>
  candidates.length < 1000 && candidates.reduce((sum, {size = 0}) => sum + size, 0) < smallBytes;

type Feeding = (
  place: PrivateDir,
  order: BuildOrder,
  call: GitCall,
) => Promise<{told: GitAnswer; omissions: Omission[]}>;

/** Read first, then handed over: what is small is not worth a stream, which takes Node milliseconds to make. */
const inOnePiece: Feeding = async (place, order, call) => {
  const pieces: Buffer[] = [];
  const taken = await feed(place, order, {
    broken: false,
    write: async (bytes) => {
      pieces.push(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    },
  });
  const asked = git({...call, input: Buffer.concat(pieces), scratch: place.dir});
  const [told] = await Promise.all([asked, order.meanwhile(taken)]);
  return {told, omissions: taken.omissions};
};

const streamed: Feeding = async (place, order, call) => {
  const child = startGit(call);
  const answer = answerOf(child, call);
  const {stdin} = child;
  if (stdin === null) throw new Error('Internal error: git was started without a pipe');
  const pipe = new Pipe(stdin);
  const taken = await feed(place, order, pipe);
  pipe.end();
  const [told] = await Promise.all([answer, order.meanwhile(taken)]);
  return {told, omissions: taken.omissions};
};

interface Sink {
  readonly broken: boolean;
  write(bytes: string | Buffer): Promise<void>;
}

const readAhead = 8;

const feed = async (place: PrivateDir, order: BuildOrder, pipe: Sink): Promise<Taken> => {
  const {candidates, unwanted, limits, base, parent, message} = order;
  const taken: Taken = {omissions: [], settled: new Map(), gone: [], unsettled: [], repositories: []};
  await pipe.write(commitStart({at: limits.now(), message, parent, base}));
  // All that may go goes first: a file in whose place a folder has come must not take the folder's files along.
  // Repositories stay until they are looked at: one that is not checked out is no reason to forget its commit.
  const links = new Set(candidates.filter(({mode}) => mode === gitlinkMode).map(({path}) => path));
  for (const {path} of candidates) if (!links.has(path)) await pipe.write(removal(path));
  for (const path of unwanted) await pipe.write(removal(path));
  let room = limits.maxTotalBytes;
  const ahead: Promise<Found>[] = [];
  let next = 0;
  for (;;) {
    for (; ahead.length < readAhead; next += 1) {
      const candidate = candidates[next];
      if (candidate === undefined) break;
      room -= candidate.size ?? 0;
      ahead.push(room < 0 ? noRoom(candidate, limits) : readOne(place, candidate, limits));
    }
    const found = await ahead.shift();
    if (found === undefined || pipe.broken) break;
    const goes = found.is === 'gone' || found.is === 'left-out';
    if (goes && links.has(found.path)) await pipe.write(removal(found.path));
    await take(found, taken, pipe);
  }
  await Promise.all(ahead);
  await pipe.write(commitEnd);
  return taken;
};

const noRoom = async ({path}: Candidate, {maxTotalBytes}: {maxTotalBytes: number}): Promise<Found> => ({
  ...{is: 'left-out', path},
  why: `no room: one snapshot takes ${(maxTotalBytes / 1e6).toFixed(0)} MB of changed files`,
});

const take = async (found: Found, taken: Taken, pipe: Sink): Promise<void> => {
  const {path} = found;
  switch (found.is) {
    case 'same':
      return;
    case 'gone':
      taken.gone.push(path);
      return;
    case 'left-out':
      taken.omissions.push({path, why: found.why});
      return;
    case 'repository':
      taken.repositories.push(path);
      return pipe.write(entry(gitlinkMode, found.commit, path));
    case 'file':
      if (found.stamp === undefined) taken.unsettled.push(path);
      else taken.settled.set(path, found.stamp);
      await pipe.write(fileStart(found.mode, path, found.content.length));
      await pipe.write(found.content);
      return pipe.write('\n');
    default:
      return unreachable(found);
  }
};

/** Waits when git does not keep up, and gives up quietly when it is gone: its answer says why. */
class Pipe implements Sink {
  broken = false;
  readonly #to: Writable;

  constructor(to: Writable) {
    this.#to = to;
    to.on('error', () => {
      this.broken = true;
    });
    to.on('close', () => {
      this.broken = true;
    });
  }

  async write(bytes: string | Buffer): Promise<void> {
    if (this.broken) return;
    const accepted = typeof bytes === 'string' ? this.#to.write(bytes, 'latin1') : this.#to.write(bytes);
    if (!accepted) await this.#room();
  }

  end(): void {
    this.#to.end();
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#to.off('drain', done).off('close', done);
        resolve();
      };
      this.#to.on('drain', done).on('close', done);
    });
  }
}

/** Lines of `<pack>: <commit>`. */
const packIn = (edges: string): string | undefined => {
  try {
    const [, file] = /^(.+\.pack): /m.exec(readFileSync(edges, 'utf8')) ?? [];
    return file === undefined ? undefined : basename(file, '.pack');
  } catch {
    return undefined;
  }
};
