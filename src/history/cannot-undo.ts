// What no restore brings back: what others have seen. Listed, never hidden.

import type {Checkpoint} from '../baton/checkpoint.ts';
import {cutTo, oneLine} from '../baton/clean.ts';
import type {LaterCommit} from './ports.ts';

export interface CannotUndo {
  /** Calls since then that were felt outside the folder, oldest first, each once. */
  calls: string[];
  /** Undefined: HEAD lies on another line than it did then. */
  commits: LaterCommit[] | undefined;
}

/** Calls of the checkpoints that came after, on any track: the files are the same for all. */
export const outsideCalls = (
  later: readonly Checkpoint[],
  known: ReadonlySet<string>,
  isOutside: (call: string) => boolean,
): string[] => {
  const calls = later.flatMap(({recent_calls: recent, in_flight: open}) => [
    ...recent.filter((call) => !known.has(call) && isOutside(call)),
    ...(open?.outside && open.outcome !== 'none' ? [`${open.call} (outcome: ${open.outcome})`] : []),
  ]);
  return [...new Set(calls)];
};

const maxLines = 10;

export const cannotUndoText = ({calls, commits}: CannotUndo, head: string | undefined): string => {
  const lines = [
    ...calls.slice(0, maxLines).map((call) => `  called:    ${cutTo(oneLine(call), 100)}`),
    ...(calls.length > maxLines ? [`  … and ${calls.length - maxLines} more calls`] : []),
    ...(commits ?? [])
      .filter(({pushed}) => pushed)
      .slice(0, maxLines)
      .map(({id, subject}) => `  pushed:    ${id.slice(0, 12)} ${cutTo(oneLine(subject), 80)}`),
  ];
  const outside = lines.length === 0 ? '' : `cannot be undone:\n${lines.join('\n')}\n`;
  return `${outside}${headText(commits, head)}`;
};

const headText = (commits: LaterCommit[] | undefined, head: string | undefined): string => {
  if (head === undefined) return '';
  if (commits === undefined) return `HEAD stays where it is; it was ${head.slice(0, 12)} then\n`;
  if (commits.length === 0) return '';
  const count = `${commits.length} commit${commits.length === 1 ? '' : 's'}`;
  return `HEAD stays where it is, ${count} further: git reset --soft ${head.slice(0, 12)} takes it back, if you want that\n`;
};
