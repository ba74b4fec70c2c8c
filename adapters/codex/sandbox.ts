// What Codex's sandbox lets the agent's own `ckpt` write: its working folder, and what --add-dir names.

import type {AgentCode, HookPlan} from '../../src/adapter/adapter.ts';
import {relativeTo} from '../shared/paths.ts';

export const writableArgs = (plan: HookPlan): string[] =>
  isBelow(workingFolder(plan), plan.checkpointDir) || isReadOnly(plan) ? [] : ['--add-dir', plan.checkpointDir];

/** The harness still makes every baton; only the agent's own words are missing from it. */
export const sandboxCaution: NonNullable<AgentCode['caution']> = (plan) =>
  isReadOnly(plan)
    ? 'in its read-only sandbox the agent cannot save checkpoints of its own, nor say that it is done; ckpt-run still makes them'
    : undefined;

const isReadOnly = ({parsed}: HookPlan): boolean =>
  lastValue(parsed, ['-s', '--sandbox']) === 'read-only' ||
  parsed.flags.some(({values}) => /^sandbox_mode=["']?read-only/.test(values[0] ?? ''));

const workingFolder = ({parsed, cwd}: HookPlan): string =>
  relativeTo(undefined, cwd, lastValue(parsed, ['-C', '--cd']) ?? '.');

const isBelow = (folder: string, path: string): boolean => !relativeTo(folder, undefined, path).startsWith('/');

const lastValue = ({flags}: HookPlan['parsed'], names: string[]): string | undefined =>
  flags.findLast(({flag}) => names.includes(flag))?.values[0];
