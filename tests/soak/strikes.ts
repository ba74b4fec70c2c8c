// What the driver does to a lane from outside. Every act is written down before it is done, for the judge.

import {appendFileSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Dice} from './dice.ts';
import {type LaneFolder, linesOf} from './lane-folder.ts';
import type {Strike, Torn} from './lane-plan.ts';
import type {Life} from './supervisor.ts';

export interface StrikeEntry {
  do: Strike['do'];
  step: number;
  /** The leg that was there, as far as anybody knows. */
  leg: number;
}

export const noteStrike = ({strikeLog}: LaneFolder, entry: StrikeEntry): void =>
  appendFileSync(strikeLog, `${JSON.stringify(entry)}\n`);

/** The newest run's leg, by its own record. */
export const legNow = (lane: LaneFolder): {leg: number; pid: number | undefined} => {
  const spawned = linesOf(join(lane.store, 'journal.jsonl')).flatMap((line) => {
    try {
      const entry = JSON.parse(line) as {event?: string; leg?: number; pid?: number};
      return entry.event === 'leg-spawned' && entry.leg !== undefined ? [{leg: entry.leg, pid: entry.pid}] : [];
    } catch {
      return [];
    }
  });
  return spawned.at(-1) ?? {leg: 1, pid: undefined};
};

export const killAgent = (lane: LaneFolder, pid: number | undefined): void => {
  if (pid === undefined || !isOfLane(lane, pid)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was quicker.
  }
};

const isOfLane = ({mark}: LaneFolder, pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
  } catch {
    return false;
  }
};

export const setFaults = ({faults}: LaneFolder, told: {diskFull?: boolean; clockMs?: number}): void =>
  writeFileSync(faults, JSON.stringify(told));

/** Cut somewhere: half a file, or a last line without its end. */
export const tear = (lane: LaneFolder, files: readonly Torn[], dice: Dice): void => {
  for (const name of files) {
    const path = join(lane.store, name);
    try {
      const {size} = statSync(path);
      const keep = name === 'journal.jsonl' ? size - dice.between(1, Math.min(80, size)) : dice.between(0, size - 1);
      truncateSync(path, keep);
    } catch {
      // Not there yet.
    }
  }
};

/** Carries a strike out; the life may end by it. */
export const carryOut = async (lane: LaneFolder, life: Life, strike: Strike): Promise<void> => {
  const {leg, pid} = legNow(lane);
  noteStrike(lane, {do: strike.do, step: strike.step, leg});
  switch (strike.do) {
    case 'kill-agent':
      killAgent(lane, pid);
      return;
    case 'kill-supervisor':
      life.kill();
      return;
    case 'fill-disk':
    case 'set-clock': {
      setFaults(lane, strike.do === 'fill-disk' ? {diskFull: true} : {clockMs: strike.byMs});
      await new Promise((resolve) => setTimeout(resolve, strike.forMs));
      setFaults(lane, {});
    }
  }
};
