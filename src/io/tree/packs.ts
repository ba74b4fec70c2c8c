// Each snapshot makes one small pack. Too many of them would slow git down and set its housekeeping in motion, so ours
// are joined now and then; those of the person are never touched.

import {existsSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {syncFolder} from './home/git.ts';
import type {Home} from './home/home.ts';
import {inHome} from './refs.ts';

const mostPacks = 20;
/** A pack of this size is no longer small: it is left to git. */
const largeBytes = 100_000_000;

/** The packs that still wait. Failing is no fault: then they wait on. */
export const joinPacks = async (home: Home, packs: string[]): Promise<string[]> => {
  if (packs.length < mostPacks) return packs;
  const folder = join(home.objects, 'pack');
  // Git's own housekeeping may have taken some of them up already.
  const here = [...new Set(packs)].filter((pack) => existsSync(join(folder, `${pack}.idx`)));
  const small = here.filter((pack) => statSync(join(folder, `${pack}.pack`)).size < largeBytes);
  if (small.length < mostPacks) return small;
  const input = small.map((pack) => `${pack}.pack\n`).join('');
  const told = await inHome(home, ['pack-objects', '--stdin-packs', '-q', '--threads=1', join(folder, 'pack')], input);
  const joined = `pack-${told.out.trim()}`;
  if (told.code !== 0 || !existsSync(join(folder, `${joined}.idx`))) return small;
  await syncFolder(folder);
  for (const pack of small) {
    // The index first: nobody begins to read a pack without one.
    for (const ending of ['idx', 'rev', 'pack']) {
      if (pack !== joined) rmSync(join(folder, `${pack}.${ending}`), {force: true});
    }
  }
  return [joined];
};
