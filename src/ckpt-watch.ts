// The real world of the commands that watch; loaded only for them.

import {examine} from './ckpt-doctor.ts';
import {castLines, castParts} from './io/cast/cast-lines.ts';
import {openKeys} from './io/cast/replay-keys.ts';
import {openRunRegistry} from './io/runs/run-registry.ts';
import {isAlive, openRunShelf, signalRun} from './io/runs/run-shelf.ts';
import {pauser} from './io/self/pause.ts';
import {openLogTail} from './io/session-logs/log-tail.ts';
import {adapterNames} from './io/setup/adapter-files.ts';
import {openServices} from './io/setup/service-files.ts';
import type {WatchPort} from './watch/ports.ts';

type Env = Record<string, string | undefined>;

export const openWatch = ({env, ckptBin}: {env: Env; ckptBin: string}): WatchPort => ({
  now: Date.now,
  screen: {
    terminal: process.stdout.isTTY === true,
    columns: () => process.stdout.columns ?? PIPE_COLUMNS,
    rows: () => process.stdout.rows ?? 24,
  },
  keyboard: process.stdin.isTTY === true,
  view: async (socket) => {
    const [{viewRun}, {modeLedger}] = await Promise.all([
      import('./io/live/viewer.ts'),
      import('./detect/mode-ledger.ts'),
    ]);
    return viewRun(socket, modeLedger());
  },
  pause: pauser(),
  shelf: openRunShelf,
  registry: openRunRegistry(env),
  isAlive,
  askToEnd: (record) => signalRun(record, 'SIGTERM'),
  tail: openLogTail(),
  castParts,
  castLines,
  openKeys,
  agents: () => adapterNames(env),
  service: openServices({env, ckptBin}),
  examine: (asked) => examine({...asked, env, cwd: process.cwd(), now: Date.now()}),
});

/** Whoever reads it from a pipe cuts by themselves. */
const PIPE_COLUMNS = 1000;
