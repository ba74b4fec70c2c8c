import type {Adapter, ParsedArgv} from '../../src/adapter/adapter.ts';
import {parseArgv} from '../../src/adapter/argv.ts';
import {findAdapter} from '../../src/io/setup/adapter-files.ts';

/** A built-in adapter, as shipped; no user's folder is looked at. */
export const builtin = (name: string): Adapter => {
  const before = read.get(name);
  if (before !== undefined) return before;
  const found = findAdapter(name, {HOME: '/nonexistent'});
  if (!found.ok) throw new Error(JSON.stringify(found.failure));
  read.set(name, found.value);
  return found.value;
};

/** YAML is slow to read, and properties ask for it thousands of times. */
const read = new Map<string, Adapter>();

export type ParsedRun = Extract<ParsedArgv, {kind: 'run'}>;

export const parseRun = (name: string, args: string[]): ParsedRun => {
  const parsed = parseArgv(args, builtin(name).argv);
  if (parsed.kind !== 'run') throw new Error(`not a run: ${args.join(' ')}`);
  return parsed;
};
