// Two tracks side by side: what came of each.

import type {Checkpoint} from '../baton/checkpoint.ts';
import {cutTo, oneLine} from '../baton/clean.ts';
import {taskCounts} from '../baton/tasks.ts';
import type {Track} from '../core/ids.ts';
import {changeSum, type FileChange} from './file-changes.ts';

export interface OutcomeOfTrack {
  track: Track;
  newest: Checkpoint;
  checkpoints: number;
  legs: number;
  /** From the first checkpoint to the newest. */
  seconds: number;
  /** Of all legs that have ended; undefined when no certificate tells. */
  tokens: number | undefined;
  /** Against what both began with; undefined when the files of either end are not there. */
  files: FileChange[] | undefined;
}

/** What both tracks grew from: the checkpoint that one or both were forked from. */
export const commonStart = (
  all: readonly Checkpoint[],
  one: readonly Checkpoint[],
  other: readonly Checkpoint[],
): Checkpoint | undefined => {
  const origin = (track: readonly Checkpoint[]): string | undefined => track[0]?.extra.forked_from;
  const named = [origin(one), origin(other)].filter((id) => id !== undefined);
  // Forked from the other track itself, or both from a third.
  const id = named.length === 2 && named[0] !== named[1] ? undefined : named[0];
  return all.find((checkpoint) => checkpoint.id === id);
};

export const outcomeOf = (
  checkpoints: readonly Checkpoint[],
  {tokens, files}: Pick<OutcomeOfTrack, 'files'> & {tokens: number[]},
): OutcomeOfTrack | undefined => {
  const [first, newest] = [checkpoints[0], checkpoints.at(-1)];
  if (first === undefined || newest === undefined) return undefined;
  const legs = new Set(checkpoints.flatMap(({run, leg}) => (run === undefined ? [] : [`${run} ${leg ?? 1}`])));
  return {
    track: newest.track,
    newest,
    checkpoints: checkpoints.length,
    legs: legs.size,
    seconds: Math.round((Date.parse(newest.born) - Date.parse(first.born)) / 1000),
    tokens: tokens.length === 0 ? undefined : tokens.reduce((sum, one) => sum + one, 0),
    files,
  };
};

/** The rows of the comparison; the command lays them out. */
export const outcomeRows = (one: OutcomeOfTrack, other: OutcomeOfTrack): [string, string, string][] => {
  const row = (name: string, tell: (outcome: OutcomeOfTrack) => string): [string, string, string] => [
    name,
    tell(one),
    tell(other),
  ];
  return [
    row('tests', ({newest}) => newest.validation),
    row('files', ({files}) => (files === undefined ? 'not saved' : changeSum(files))),
    row('time', ({seconds}) => duration(seconds)),
    row('legs', ({legs}) => String(legs)),
    row('tokens', ({tokens}) => (tokens === undefined ? 'unknown' : tokens.toLocaleString('en'))),
    row('checkpoints', ({checkpoints}) => String(checkpoints)),
    row('tasks', ({newest}) => taskCounts(newest.tasks) ?? 'none'),
    row('branch', ({newest}) => oneLine(newest.branch ?? 'none')),
    row('head', ({newest}) => newest.head?.slice(0, 12) ?? 'none'),
    row('step', ({newest}) => cutTo(oneLine(newest.step), 60)),
    row('next_cmd', ({newest}) => cutTo(oneLine(newest.next_cmd), 60)),
    row('closed', ({newest}) => (newest.closed === undefined ? 'no' : oneLine(`yes ${newest.closed.note}`))),
  ];
};

const duration = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
};
