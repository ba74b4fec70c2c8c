// The part of run.json that lets the same run go on after its supervisor is gone. Written by run/run-loop.ts.

import type {GoBack} from '../core/go-back.ts';
import {type CheckpointId, captureNumber, isCheckpointId, type LegNumber, legNumber, millis} from '../core/ids.ts';
import type {Ledger, Usage} from '../core/state.ts';
import {fieldsOf, flagAt, inside, listAt, numberAt, textAt} from './json-fields.ts';
import type {LegStarted} from './leg-start.ts';

export interface RunRemains {
  agent: string;
  /** ckpt-run's own options and the agent's words, as they were typed. */
  words: string[];
  track: string;
  setCurrent: boolean;
  cwd: string | undefined;
  startedAt: number;
  state: string;
  leg: LegNumber;
  ledger: Ledger;
  sessionLog: string | undefined;
  /** The process of its last agent. */
  agentPid: number | undefined;
  /** Undefined: the leg has never been there. */
  started: LegStarted | undefined;
}

/** A leg may have been started after run.json was written the last time: on a full disk, or at the very moment of a SIGKILL. */
export const withStart = (remains: RunRemains, newest: number, started: LegStarted | undefined): RunRemains =>
  newest > remains.leg && started !== undefined
    ? {...remains, leg: legNumber(newest), state: 'starting', sessionLog: undefined, agentPid: undefined, started}
    : {...remains, started: newest === remains.leg ? started : undefined};

export const readRunRemains = (text: string): RunRemains | {broken: string} => {
  const fields = fieldsOf(text);
  if (fields === undefined) return {broken: 'no JSON object'};
  const told = inside(fields, 'ledger');
  const leg = numberAt(fields, 'leg') ?? 0;
  const startedAt = numberAt(told, 'startedAt');
  const words = listAt(fields, 'words').filter((word) => typeof word === 'string');
  if (startedAt === undefined || !Number.isInteger(leg) || leg < 1 || words.length === 0) {
    return {broken: 'it does not tell how the run was started'};
  }
  return {
    agent: textAt(fields, 'agent') ?? '?',
    words,
    track: textAt(fields, 'track') ?? '',
    setCurrent: fields.set_current !== false,
    cwd: textAt(fields, 'cwd'),
    startedAt,
    state: textAt(fields, 'state') ?? '?',
    leg: legNumber(leg),
    sessionLog: textAt(fields, 'session_log'),
    agentPid: numberAt(fields, 'agent_pid'),
    started: undefined,
    ledger: {
      startedAt: millis(startedAt),
      failures: listAt(told, 'failures').flatMap((at) => (typeof at === 'number' ? [millis(at)] : [])),
      streak: numberAt(told, 'streak') ?? 0,
      overloads: numberAt(told, 'overloads') ?? 0,
      nudges: 0,
      question: 'none',
      idles: numberAt(told, 'idles') ?? 0,
      uptake: 'none',
      untaken: numberAt(told, 'untaken') ?? 0,
      given: undefined,
      taken: checkpointAt(told, 'taken'),
      used: usageAt(told, 'used'),
      using: usageAt(told, 'using'),
      captures: capturesOf(told),
      // Whatever was in the making died with the supervisor.
      reported: capturesOf(told),
      checkpoint: checkpointAt(told, 'checkpoint'),
      takenOver: listAt(told, 'takenOver').flatMap((at) => (typeof at === 'number' ? [legNumber(at)] : [])),
      done: undefined,
      back: backAt(told),
      // Whoever waited in a hook died with its leg.
      asks: [],
    },
  };
};

/** A file that somebody has broken by hand begins to count anew. */
const capturesOf = (fields: ReturnType<typeof inside>): Ledger['captures'] => {
  const told = numberAt(fields, 'captures') ?? 0;
  return captureNumber(Number.isSafeInteger(told) && told >= 0 ? told : 0);
};

const checkpointAt = (fields: ReturnType<typeof inside>, key: string): CheckpointId | undefined => {
  const id = textAt(fields, key) ?? '';
  return isCheckpointId(id) ? id : undefined;
};

/** Somebody had asked to go back, and the supervisor died before it was done. */
const backAt = (fields: ReturnType<typeof inside>): GoBack | undefined => {
  const told = inside(fields, 'back');
  const to = checkpointAt(told, 'to');
  const paths = listAt(told, 'paths').filter((path) => typeof path === 'string');
  return to && {to, files: flagAt(told, 'files') === true, baton: flagAt(told, 'baton') === true, paths};
};

const usageAt = (fields: ReturnType<typeof inside>, key: string): Usage => {
  const told = inside(fields, key);
  return {tokens: numberAt(told, 'tokens') ?? 0, dollars: numberAt(told, 'dollars') ?? 0};
};
