// $XDG_STATE_HOME/ckpt-run/waiting/<what is waited for>/room.json: who waits for the same provider. Whatever goes wrong
// here, each run waits for itself alone.

import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {
  askTurn,
  emptyRoom,
  type Turn,
  tellClosed,
  tellLeft,
  tellOpened,
  type Waiter,
  type WaitingRoom,
} from '../../core/turns/shared-wait.ts';
import type {SharedWait} from '../../ports.ts';
import {makeFolder, writeWhole} from '../files/atomic-file.ts';
import {type Locker, lockLatest} from '../files/latest-lock.ts';
import {readSmall} from '../files/small-file.ts';
import {stateHome} from './run-registry.ts';

export interface SharedWaitOptions {
  env: Record<string, string | undefined>;
  agent: string;
  run: string;
  lock?: Locker;
}

/** What tells two accounts or providers apart. No secrets: two keys of one home count as one. */
const accounts = ['HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL'];

/** A holder works for milliseconds. */
const LOCK_MS = 2000;

export const openSharedWait = ({env, agent, run, lock = lockLatest}: SharedWaitOptions): SharedWait => {
  const account = createHash('sha256').update(JSON.stringify(accounts.map((name) => env[name] ?? '')));
  const dir = join(stateHome(env), 'ckpt-run', 'waiting', `${agent}-${account.digest('hex').slice(0, 12)}`);
  const file = join(dir, 'room.json');
  /** Undefined when the room cannot be entered. */
  const inside = async <T>(act: (room: WaitingRoom) => {room: WaitingRoom; told: T}): Promise<T | undefined> => {
    try {
      makeFolder(dir);
      const held = await lock(dir, LOCK_MS);
      if (held === undefined) return undefined;
      try {
        const {room, told} = act(readRoom(readSmall(file)));
        if (held.stillOurs()) writeWhole(file, `${JSON.stringify({schema_version: 1, ...room})}\n`);
        return told;
      } finally {
        held.release();
      }
    } catch {
      return undefined;
    }
  };
  const tell = (act: (room: WaitingRoom) => WaitingRoom): void =>
    void inside((room) => ({room: act(room), told: undefined}));
  return {
    turn: async (until, now): Promise<Turn> => {
      const turn = await inside((before) => {
        const {room, turn: told} = askTurn(before, {run, until, now});
        return {room, told};
      });
      return turn ?? (until > now ? {is: 'wait', until} : {is: 'go'});
    },
    opened: (now) => tell((room) => tellOpened(room, {run, now})),
    closed: (until, now) => tell((room) => tellClosed(room, {run, until, now})),
    left: (now) => tell((room) => tellLeft(room, {run, now})),
  };
};

/** What is torn, or of another version, is an empty room. Exported for its test. */
export const readRoom = (text: string | undefined): WaitingRoom => {
  try {
    const {waiters, probe, opened} = JSON.parse(text ?? '') as Record<string, unknown>;
    return {
      waiters: Array.isArray(waiters) ? waiters.filter(isWaiter) : [],
      probe: hasNumbers(probe, 'at') && typeof probe.run === 'string' ? {run: probe.run, at: probe.at} : undefined,
      opened: hasNumbers(opened, 'at', 'last') ? {at: opened.at, last: opened.last} : undefined,
    };
  } catch {
    return emptyRoom;
  }
};

const hasNumbers = <Name extends string>(
  value: unknown,
  ...names: Name[]
): value is Record<Name, number> & Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => Number.isFinite((value as Record<string, unknown>)[name]));

const isWaiter = (value: unknown): value is Waiter =>
  hasNumbers(value, 'since', 'own', 'until', 'seen') && typeof value.run === 'string';
