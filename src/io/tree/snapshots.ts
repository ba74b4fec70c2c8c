// Whole-tree snapshots: every file that git does not ignore, tracked or not, as a commit under `refs/ckpt/<track>/`.
// The person's index, HEAD, stash, reflog and configuration are looked at and never written.

import {join} from 'node:path';
import type {WorkspaceSnapshot} from '../../baton/checkpoint.ts';
import {fail, ok, type Result} from '../../core/failure.ts';
import type {Track} from '../../core/ids.ts';
import {leftOutOf, type Omission} from '../../history/left-out.ts';
import {snapshotRef, trackSlug} from '../../history/ref-names.ts';
import {asFailure} from '../checkpoints/checkpoint-folder.ts';
import {makeFolder} from '../files/atomic-file.ts';
import {lockLatest} from '../files/latest-lock.ts';
import {findHome} from './home/home.ts';
import {knownHome} from './home/known-home.ts';
import {joinPacks} from './packs.ts';
import {type Present, presentTree} from './present.ts';
import {openPrivateDir, type PrivateDir, privateDirOf} from './private-dir.ts';
import {Folders} from './read-files.ts';
import {createNewRef} from './refs.ts';
import {randomHex, saveState} from './state.ts';

export interface TreeOptions {
  /** The working tree, or a folder inside it. */
  root: string;
  /** The checkpoint folder, absolute: never part of a snapshot. */
  checkpointDir: string;
  /** After so long nothing more is read; what is missing is named. */
  timeBoxMs?: number;
  maxFileBytes?: number;
  /** Of changed files, in one snapshot. */
  maxTotalBytes?: number;
  /** How old a file must be before the index may vouch for it; unless told, what its file system makes necessary. */
  settleMs?: number;
  now?: () => number;
}

export interface TakeOrder {
  track: Track;
  message: string;
  head?: Promise<string | undefined> | undefined;
}

export interface TreeSnapshots {
  take(what: TakeOrder): Promise<Result<WorkspaceSnapshot>>;
}

const defaults = {timeBoxMs: 20_000, maxFileBytes: 50_000_000, maxTotalBytes: 2_000_000_000};

export const openTreeSnapshots = (options: TreeOptions): TreeSnapshots => ({
  take: async ({track, message, head}) => {
    const save = async (ground: Ground): Promise<Result<WorkspaceSnapshot>> => {
      const present = await ground.present(message, head);
      if (!present.ok) return present;
      const named = await ground.name(present.value.commit, track);
      return named.ok ? ok(snapshotOf(present.value, named.value)) : named;
    };
    return inPrivate(options, save);
  },
});

export const snapshotOf = ({tree, commit, omissions}: NamedTree, ref: string): WorkspaceSnapshot => ({
  ...{tree, commit, ref},
  ...leftOutOf(omissions),
});

interface NamedTree {
  tree: string;
  commit: string;
  omissions: Omission[];
}

/** What can be done while nobody else works in the private folder. */
export interface Ground {
  place: PrivateDir;
  /** `head`: of this moment, where the caller asks git for it anyway. */
  present(message: string, head?: Promise<string | undefined>): Promise<Result<Present>>;
  name(commit: string, track: Track): Promise<Result<string>>;
}

export const inPrivate = async <T>(
  options: TreeOptions,
  work: (ground: Ground) => Promise<Result<T>>,
): Promise<Result<T>> => {
  const {checkpointDir, timeBoxMs = defaults.timeBoxMs, now = Date.now} = options;
  try {
    const place = await openPlace(options, timeBoxMs);
    if (!place.ok) return place;
    const ground = groundOf(place.value, {...defaults, ...options, now});
    return await alone(place.value.dir, timeBoxMs, () => work(ground));
  } catch (error) {
    return fail(asFailure(error, checkpointDir, 'save the files'));
  }
};

const openPlace = async ({root, checkpointDir}: TreeOptions, waitMs: number): Promise<Result<PrivateDir>> => {
  const known = knownHome(privateDirOf(checkpointDir, root), root);
  if (known !== undefined) return openPrivateDir(known, checkpointDir);
  return alone(join(checkpointDir, 'workspace'), waitMs, async () => {
    const home = await findHome(root, checkpointDir);
    return home.ok ? openPrivateDir(home.value, checkpointDir) : home;
  });
};

/** With the folder to ourselves; the kernel ends that with our process, however it ends. */
const alone = async <T>(dir: string, waitMs: number, work: () => Promise<Result<T>>): Promise<Result<T>> => {
  makeFolder(dir);
  const lock = await lockLatest(dir, waitMs);
  if (lock === undefined) return fail(busy(waitMs));
  try {
    return await work();
  } finally {
    lock.release();
  }
};

const busy = (ms: number) => ({
  ...{is: 'system' as const, doing: 'save the files', code: 'EBUSY'},
  message: `another snapshot was being taken for ${ms} ms`,
});

type Limits = Required<Omit<TreeOptions, 'settleMs'>> & Pick<TreeOptions, 'settleMs'>;

const groundOf = (place: PrivateDir, limits: Limits): Ground => {
  const {home} = place;
  return {
    place,
    present: async (message, head) => {
      const deadline = limits.now() + limits.timeBoxMs;
      const order = {message, head, limits: {settleMs: undefined, ...limits, deadline, folders: new Folders()}};
      const present = await presentTree(place, order);
      if (!present.ok) return present;
      const {state} = present.value;
      const packs = await joinPacks(home, state.packs);
      if (packs.length !== state.packs.length) {
        await saveState(place, {...state, packs, last: state.last && {...state.last, pack: undefined}});
      }
      return present;
    },
    name: async (commit, track) => {
      const ref = snapshotRef(trackSlug(track), limits.now(), randomHex());
      const made = await createNewRef(home, ref, commit);
      return made.ok ? ok(ref) : made;
    },
  };
};
