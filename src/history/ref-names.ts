// Names of the refs that keep snapshots alive: `refs/ckpt/<track>/<time>-<random>`.

import type {Track} from '../core/ids.ts';

export const refRoot = 'refs/ckpt/';

const maxSlug = 40;

/**
 * A track may be called anything; git's rules for refs are strict, and a file system may not tell `Main` from `main`.
 * What had to be changed gets a hash of the true name behind it, so that two tracks never share a folder.
 */
export const trackSlug = (track: Track, hash: (text: string) => string): string => {
  const plain = track
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, maxSlug);
  return plain === track && plain === plain.toLowerCase() ? plain : `${plain || 'track'}-${hash(track).slice(0, 8)}`;
};

export const snapshotRef = (slug: string, at: number, random: string): string =>
  `${refRoot}${slug}/${new Date(at).toISOString().replace(/[-:.]/g, '')}-${random}`;

/** Ours alone may be dropped. */
export const isSnapshotRef = (ref: string): boolean => /^refs\/ckpt\/[A-Za-z0-9_-]+\/\d{8}T\d{9}Z-[0-9a-f]+$/.test(ref);

/** When it was made, in milliseconds. */
export const refTime = (ref: string): number =>
  Date.parse(ref.replace(/^.*\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-[0-9a-f]+$/, '$1-$2-$3T$4:$5:$6.$7Z'));

/** SHA-1 or SHA-256. What comes out of a file goes to git only when it is one. */
export const isObjectName = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
