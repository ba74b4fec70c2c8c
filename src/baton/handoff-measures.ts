// How good a handoff was, in numbers that can be compared: how long until the new leg took up, how far to its first edit,
// what it did that had been done already.

import type {CommandRun, LegFacts} from './facts.ts';

export interface HandoffMeasures {
  /** From the start of the new leg to its first tool call, or whatever else showed its uptake; undefined while there is none. */
  secondsToUptake: number | undefined;
  /** Calls that ended before the first edit; undefined while there is none. */
  actionsToFirstEdit: number | undefined;
  /** Commands that had gone through in a leg before and were run again, tests and looks apart; undefined: nobody knows. */
  commandsRepeated: string[] | undefined;
  /** Files that a leg before had read or edited, read again. */
  filesReread: string[] | undefined;
}

/** What the legs so far have done: a leg that dies at its start forgets nothing. */
export interface Known {
  files: string[];
  commands: string[];
}

export const nothingKnown: Known = {files: [], commands: []};

/** So much is remembered of a run of days. */
const MOST = 2000;

export const learn = ({files, commands}: Known, {reads, edits, commands: ran}: LegFacts): Known => ({
  files: [...new Set([...files, ...reads, ...edits])].slice(-MOST),
  commands: [...new Set([...commands, ...ran.filter(isDone).map(({command}) => command)])].slice(-MOST),
});

export interface Measured {
  /** Undefined: the legs before were another process's, and it is gone. */
  known: Known | undefined;
  after: LegFacts;
  /** When the new leg was started, in milliseconds. */
  startedAt: number;
  /** When its uptake was seen, by whatever showed it. */
  uptakeAt?: number | undefined;
}

export const handoffMeasures = ({known, after, startedAt, uptakeAt}: Measured): HandoffMeasures => {
  const took = after.firstCallAt ?? uptakeAt;
  const [files, done] = [new Set(known?.files), new Set(known?.commands)];
  const commands = [...new Set(after.commands.map(({command}) => command))];
  return {
    secondsToUptake: took === undefined ? undefined : Math.max(0, Math.round((took - startedAt) / 100) / 10),
    actionsToFirstEdit: after.callsBeforeEdit,
    commandsRepeated: known && commands.filter((command) => done.has(command)),
    filesReread: known && after.reads.filter((file) => files.has(file)),
  };
};

/** To run a test or to look again is no repetition of work. */
const isDone = ({state, repeats}: CommandRun): boolean => state === 'finished' && repeats !== 'freely';

/** For people: `took up after 4.2 s, first edit after 3 actions, 1 command repeated, 2 files re-read` */
export const measureWords = ({
  secondsToUptake,
  actionsToFirstEdit,
  commandsRepeated,
  filesReread,
}: HandoffMeasures): string =>
  [
    secondsToUptake === undefined ? 'not taken up' : `took up after ${secondsToUptake} s`,
    actionsToFirstEdit === undefined ? 'no edit yet' : `first edit after ${counted(actionsToFirstEdit, 'action')}`,
    ...(commandsRepeated === undefined ? [] : [`${counted(commandsRepeated.length, 'command')} repeated`]),
    ...(filesReread === undefined ? [] : [`${counted(filesReread.length, 'file')} re-read`]),
  ].join(', ');

export const medianOf = (all: number[]): number | undefined =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
