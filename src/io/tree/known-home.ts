// What was found out about a folder's repository, kept for the next snapshot: it can look at the files at once, while git
// says whether all is still so. Nothing is written before it has.

import {accessSync, constants, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Home} from './home.ts';

export const homeFile = 'home.json';

/** HEAD moves all the time, and is asked for every time. */
export const homeText = ({head: _moves, ...home}: Home): string =>
  `${JSON.stringify({...home, config: [...home.config].sort()})}\n`;

/** Undefined: none, another folder's, or one that cannot be written to. */
export const knownHome = (privateDir: string, root: string): Home | undefined => {
  try {
    const stored = JSON.parse(readFileSync(join(privateDir, homeFile), 'utf8')) as Omit<Home, 'config'> & {
      config: [string, string][];
    };
    const home = {...stored, config: new Map(stored.config), head: undefined};
    accessSync(home.objects, constants.W_OK);
    return home.root === root ? home : undefined;
  } catch {
    return undefined;
  }
};
