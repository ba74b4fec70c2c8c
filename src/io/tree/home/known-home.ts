// What was found out about a folder's repository, kept for the next snapshot: while nothing has moved that it was found
// out from, git need not be asked again.

import {accessSync, constants, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Grounds, stillSo} from './grounds.ts';
import type {Home} from './home.ts';

export const homeFile = 'home.json';

export const homeText = (home: Home): string => `${JSON.stringify({...home, config: [...home.config].sort()})}\n`;

/** Undefined: none, another folder's, one that may have changed, or one that cannot be written to. */
export const knownHome = (privateDir: string, root: string): Home | undefined => {
  try {
    const stored = JSON.parse(readFileSync(join(privateDir, homeFile), 'utf8')) as Omit<Home, 'config' | 'grounds'> & {
      config: [string, string][];
      grounds?: Grounds;
    };
    const {grounds} = stored;
    if (stored.root !== root || grounds === undefined || !stillSo(grounds)) return undefined;
    accessSync(stored.objects, constants.W_OK);
    return {...stored, config: new Map(stored.config), grounds};
  } catch {
    return undefined;
  }
};
