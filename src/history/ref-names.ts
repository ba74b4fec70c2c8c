// Names of the refs that keep snapshots alive: `refs/ckpt/<track>/<time>-<random>`.

import type {Track} from '../core/ids.ts';

export const refRoot = 'refs/ckpt/';

const maxSlug = 40;

/**
 * A track may be called anything; git's rules for refs are strict, and a file system may not tell `Main` from `main`.
 * What had to be changed gets a hash of the true name behind it, so that two tracks never share a folder.
 */
export const trackSlug = (track: Track): string => {
  const plain = track
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, maxSlug);
  return plain === track && plain === plain.toLowerCase()
    ? plain
    : `${plain || 'track'}-${shortHash(track).slice(0, 8)}`;
};

/**
 * 16 hexadecimal digits for a long text; not against malice, and not needed to be. Node's own hashes take 5 ms to load,
 * which every `ckpt snapshot` would pay.
 */
export const shortHash = (text: string): string => {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x9e3779b1);
    two = Math.imul(two ^ code, 0x5f356495);
  }
  return mixed(one, two) + mixed(two, one);
};

/** So that the last characters, too, reach every bit. */
const mixed = (half: number, other: number): string => {
  const once = Math.imul(half ^ (half >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  return ((once ^ (once >>> 16)) >>> 0).toString(16).padStart(8, '0');
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
