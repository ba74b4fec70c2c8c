// run.json, read: who runs, since when, in which state. Written by run/run-loop.ts; pid and birth by io/runs/run-files.ts.

import type {ExitStatus} from '../core/events.ts';
import {isRunId, type RunId} from '../core/ids.ts';
import type {Outcome} from '../core/state.ts';
import {type Fields, fieldsOf, inside, isFields, listAt, numberAt, textAt, timeAt} from './json-fields.ts';

export interface RunRecord {
  run: RunId;
  agent: string;
  version: string | undefined;
  /** Who has taken over from the agent before, and with which leg. */
  takenOver: {agent: string; leg: number}[];
  argv: string[];
  track: string;
  cwd: string | undefined;
  startedAt: number | undefined;
  /** When it came into this state. */
  since: number | undefined;
  /** A state of core/state.ts, or one that a later version knows. */
  state: string;
  leg: number;
  checkpoint: string | undefined;
  /** What it waits for, and until when. */
  waits: {for: string; until: number} | undefined;
  budget: Budget | undefined;
  outcome: Outcome | undefined;
  pid: number | undefined;
  born: string | undefined;
  /** It has no terminal; its live socket, if it could have one. */
  detached: {socket: string | undefined} | undefined;
}

/** The numbers behind "restart 3 of 5 in 15 min". */
export interface Budget {
  /** Deaths without progress inside the window. */
  failures: number;
  legs: number;
  windowMs: number;
  maxLegs: number | undefined;
  endsAt: number | undefined;
}

/** What is left of a run.json that cannot be used is said in a few words. */
export const readRunRecord = (text: string): RunRecord | {broken: string} => {
  const fields = fieldsOf(text);
  if (fields === undefined) return {broken: 'no JSON object'};
  const run = textAt(fields, 'run') ?? '';
  if (!isRunId(run)) return {broken: 'no run id in it'};
  return {
    run,
    agent: textAt(fields, 'agent') ?? '?',
    version: textAt(fields, 'version'),
    takenOver: listAt(fields, 'taken_over').filter(isFields).flatMap(readTakeover),
    argv: listAt(fields, 'argv').filter((word) => typeof word === 'string'),
    track: textAt(fields, 'track') ?? '?',
    cwd: textAt(fields, 'cwd'),
    startedAt: timeAt(fields, 'started_at'),
    since: timeAt(fields, 'since') ?? timeAt(fields, 'updated_at'),
    state: textAt(fields, 'state') ?? '?',
    leg: numberAt(fields, 'leg') ?? 0,
    checkpoint: textAt(fields, 'checkpoint'),
    waits: readWaits(inside(fields, 'waits')),
    budget: readBudget(inside(fields, 'budget')),
    outcome: readOutcome(fields.outcome),
    pid: numberAt(fields, 'pid'),
    born: textAt(fields, 'born'),
    detached: fields.detached === true ? {socket: textAt(fields, 'socket')} : undefined,
  };
};

const readTakeover = (fields: Fields): RunRecord['takenOver'] => {
  const [agent, leg] = [textAt(fields, 'agent'), numberAt(fields, 'leg')];
  return agent === undefined || leg === undefined ? [] : [{agent, leg}];
};

const readWaits = (waits: Fields): RunRecord['waits'] => {
  const until = timeAt(waits, 'until');
  return until === undefined ? undefined : {for: textAt(waits, 'for') ?? '?', until};
};

const readBudget = (budget: Fields): Budget | undefined => {
  const legs = numberAt(budget, 'legs');
  const windowMs = numberAt(budget, 'window_ms');
  if (legs === undefined || windowMs === undefined) return undefined;
  const failures = numberAt(budget, 'failures') ?? 0;
  return {failures, legs, windowMs, maxLegs: numberAt(budget, 'max_legs'), endsAt: timeAt(budget, 'ends_at')};
};

/** Undefined also for an outcome that a later version may know: then the run is over, and that is all we can say. */
export const readOutcome = (value: unknown): Outcome | undefined => {
  if (!isFields(value)) return undefined;
  const exit = readExit(value.exit);
  switch (textAt(value, 'is')) {
    case 'ended':
      return exit && {is: 'ended', exit};
    case 'done':
      return {is: 'done', note: textAt(value, 'note') ?? ''};
    case 'start-failed':
      return exit && {is: 'start-failed', exit};
    case 'spawn-failed':
      return {is: 'spawn-failed', what: textAt(value, 'what') ?? ''};
    case 'gave-up':
      return exit && {is: 'gave-up', exit, why: textAt(value, 'why') ?? ''};
    case 'parked':
      return {is: 'parked', why: textAt(value, 'why') ?? ''};
    case 'quit':
      return {is: 'quit', signal: numberAt(value, 'signal') ?? 0, exit};
    default:
      return undefined;
  }
};

export const readExit = (value: unknown): ExitStatus | undefined => {
  if (!isFields(value)) return undefined;
  const code = numberAt(value, 'code');
  return code === undefined ? undefined : {code, signal: numberAt(value, 'signal')};
};
