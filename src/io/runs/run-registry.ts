// $XDG_STATE_HOME/ckpt-run/runs/<run-id>.json: the runs of all repositories of this person.

import {lstatSync, readdirSync, unlinkSync} from 'node:fs';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import type {RunRegistry} from '../../watch/ports.ts';
import {isStale, pointerText, type RunPointer, readPointer} from '../../watch/run-pointer.ts';
import {readRunRecord} from '../../watch/run-record.ts';
import {makeFolder, writeWhole} from '../files/atomic-file.ts';
import {readSmall} from '../files/small-file.ts';

type Env = Record<string, string | undefined>;

export const openRunRegistry = (env: Env): RunRegistry => {
  const dir = join(stateHome(env), 'ckpt-run', 'runs');
  const files = (): string[] => namesIn(dir).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  return {
    dir,
    list: () =>
      files()
        .flatMap((name) => pointerAt(join(dir, name)) ?? [])
        .sort((a, b) => (a.run < b.run ? 1 : -1)),
    prune: (now) => files().filter((name) => drop(join(dir, name), now)).length,
  };
};

/**
 * Called once when a run begins. Never throws: a home that cannot be written takes `ckpt runs` away, not the run.
 * What went wrong comes back as words.
 */
export const registerRun = (env: Env, pointer: RunPointer): string | undefined => {
  try {
    const registry = openRunRegistry(env);
    makeFolder(registry.dir);
    writeWhole(join(registry.dir, `${pointer.run}.json`), pointerText(pointer));
    registry.prune(pointer.registeredAt);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** The specification says: a path that is not absolute is to be ignored. */
export const stateHome = (env: Env): string => {
  const {XDG_STATE_HOME: state = '', HOME: home = ''} = env;
  if (isAbsolute(state)) return state;
  return join(isAbsolute(home) ? home : homedir(), '.local', 'state');
};

const pointerAt = (path: string): RunPointer | undefined => {
  const text = readSmall(path);
  return text === undefined ? undefined : readPointer(text);
};

const drop = (path: string, now: number): boolean => {
  try {
    const pointer = pointerAt(path);
    const age = now - lstatSync(path).mtimeMs;
    if (!isStale(pointer, {is: pointer === undefined ? 'gone' : stateOf(pointer), age})) return false;
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
};

const stateOf = ({dir, run}: RunPointer): 'open' | 'over' | 'gone' => {
  const text = readSmall(join(dir, 'runs', run, 'run.json'));
  if (text === undefined) return 'gone';
  const record = readRunRecord(text);
  return 'broken' in record || record.state === 'over' ? 'over' : 'open';
};

const namesIn = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
};
