// How good a handoff was, in numbers that can be compared: how long until the new leg took up, how far to its first edit,
// what it did that had been done already.

import type {CommandRun, LegFacts} from './facts.ts';

export interface HandoffMeasures {
  /** From the start of the new leg to its first tool call; undefined while there is none. */
  secondsToUptake: number | undefined;
  /** Calls that ended before the first edit; undefined while there is none. */
  actionsToFirstEdit: number | undefined;
  /** Commands that had gone through in the leg before and were run again, tests and looks apart. */
  commandsRepeated: string[];
  /** Files that the leg before had read or edited, read again. */
  filesReread: string[];
}

export const handoffMeasures = ({
  before,
  after,
  startedAt,
}: {
  before: LegFacts;
  after: LegFacts;
  /** When the new leg was started, in milliseconds. */
  startedAt: number;
}): HandoffMeasures => {
  const known = new Set([...before.reads, ...before.edits]);
  const done = new Set(before.commands.filter(isDone).map(({command}) => command));
  return {
    secondsToUptake:
      after.firstCallAt === undefined ? undefined : Math.max(0, Math.round((after.firstCallAt - startedAt) / 100) / 10),
    actionsToFirstEdit: after.callsBeforeEdit,
    commandsRepeated: [...new Set(after.commands.map(({command}) => command).filter((command) => done.has(command)))],
    filesReread: after.reads.filter((file) => known.has(file)),
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
    `${counted(commandsRepeated.length, 'command')} repeated`,
    `${counted(filesReread.length, 'file')} re-read`,
  ].join(', ');

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
