// Reads the command lines that need no library: known flags, each with its value. Whatever is not plain — a mistake, a
// call for help, a value that looks like a flag — is left to the whole program, so that there is one judge of it.

import type {SnapshotFlags} from './commands/snapshot-flags.ts';
import type {Common} from './commands/world.ts';
import {type Flag, globalOptions, resumeOptions, snapshotOptions} from './flags.ts';

export type PlainWords =
  | {command: 'snapshot'; flags: SnapshotFlags & Common}
  | {command: 'resume'; flags: Common & {track?: string; live?: boolean}};

/** Undefined: not plain. */
export const plainWords = (args: string[]): PlainWords | undefined => {
  const at = commandAt(args);
  const command = args[at];
  if (command !== 'snapshot' && command !== 'resume') return undefined;
  const known = [...globalOptions, ...(command === 'snapshot' ? snapshotOptions : resumeOptions)];
  const before = readFlags(args.slice(0, at), globalOptions);
  const after = readFlags(args.slice(at + 1), known);
  // The table says which keys there are, and of which kind: what it read fits the flags of that command.
  return before === undefined || after === undefined ? undefined : {command, flags: {...before, ...after}};
};

/** The first word that is neither a global flag nor its value. */
const commandAt = (args: string[]): number => {
  let at = 0;
  while (at < args.length) {
    const flag = globalOptions.find(({name}) => args[at] === `--${name}`);
    if (flag === undefined) break;
    at += flag.value === undefined ? 1 : 2;
  }
  return at;
};

type Flags = Record<string, string | string[] | boolean>;

const readFlags = (words: string[], known: Flag[]): Flags | undefined => {
  const flags: Flags = {};
  for (let at = 0; at < words.length; ) {
    const flag = known.find(({name, negated}) => words[at] === `--${negated === true ? 'no-' : ''}${name}`);
    if (flag === undefined) return undefined;
    const key = keyOf(flag.name);
    at += 1;
    if (flag.value === undefined) {
      flags[key] = flag.negated !== true;
      continue;
    }
    const value = words[at];
    if (value === undefined || value.startsWith('-')) return undefined;
    const before = flags[key];
    flags[key] = flag.many === true ? [...(Array.isArray(before) ? before : []), value] : value;
    at += 1;
  }
  return flags;
};

/** `next-cmd` → `nextCmd`, as commander names them. */
const keyOf = (name: string): string => name.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
