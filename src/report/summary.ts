// The end of a run in a few lines: legs, causes, how long the handoffs took.

import type {ProcessNote} from '../baton/checkpoint.ts';
import {counted, medianOf} from '../baton/handoff-measures.ts';
import {processWords} from '../baton/left-running.ts';
import type {RunEvent} from '../core/events.ts';
import type {Outcome, RunState} from '../core/state.ts';
import {type Handoff, type HandoffFields, handoffFields} from './handoff.ts';
import {duration, outcomeWords} from './messages.ts';

export interface Tally {
  see(event: RunEvent, to: RunState): void;
  facts(outcome: Outcome, at: number, seen: {processes: ProcessNote[]; handoffs: Handoff[]}): Summary;
}

export interface Summary {
  legs: number;
  /** How many of them were whose, of those that this process has seen. */
  agents: Record<string, number>;
  deaths: Record<string, number>;
  /** Death → the next leg's process, in milliseconds; waits for limits included. */
  handoff_ms: number[];
  /** A later leg's process → its first tool call. */
  uptake_ms: number[];
  /** How well each leg took its baton up. */
  handoffs: HandoffFields[];
  seconds: number;
  /** Started by its agents and still running. */
  processes: ProcessNote[];
  outcome: Outcome;
}

export const newTally = (startedAt: number): Tally => {
  const deaths = new Map<string, number>();
  const handoffs: number[] = [];
  const uptakes: number[] = [];
  const agents = new Map<string, number>();
  let legs = 0;
  let diedAt: number | undefined;
  let certified = 0;
  return {
    see: (event, to) => {
      if (event.type === 'leg-spawned') {
        legs = event.leg;
        agents.set(event.agent, (agents.get(event.agent) ?? 0) + 1);
        if (diedAt !== undefined) handoffs.push(event.at - diedAt);
        diedAt = undefined;
      }
      if (event.type === 'uptake-seen' && event.leg > 1) uptakes.push(event.afterMs);
      // First cause wins: each leg's death is counted when it is decided.
      if (to.at === 'capturing' && certified !== to.leg) {
        certified = to.leg;
        diedAt = to.death.at;
        deaths.set(to.death.cause, (deaths.get(to.death.cause) ?? 0) + 1);
      }
    },
    facts: (outcome, at, {processes, handoffs: measured}) => ({
      legs,
      agents: Object.fromEntries(agents),
      deaths: Object.fromEntries(deaths),
      handoff_ms: handoffs,
      uptake_ms: uptakes,
      handoffs: measured.map(handoffFields),
      seconds: Math.round((at - startedAt) / 100) / 10,
      processes,
      outcome,
    }),
  };
};

export const summaryWords = ({
  legs,
  agents,
  deaths,
  handoff_ms,
  uptake_ms,
  handoffs,
  seconds,
  outcome,
}: Summary): string => {
  const causes = Object.entries(deaths).map(([cause, times]) => `${cause} ${times}`);
  const [handoff, uptake] = [medianOf(handoff_ms), medianOf(uptake_ms)];
  const whose = Object.entries(agents).map(([agent, times]) => `${agent} ${times}`);
  return [
    `${counted(legs, 'leg')}${whose.length > 1 ? ` (${whose.join(', ')})` : ''} in ${duration(seconds * 1000)}`,
    ...(causes.length === 0 ? [] : [`deaths: ${causes.join(', ')}`]),
    ...(handoff === undefined ? [] : [`median handoff ${duration(handoff)}`]),
    ...(uptake === undefined ? [] : [`median uptake ${duration(uptake)}`]),
    ...doneAgain(handoffs),
    outcomeWords(outcome),
  ].join(' · ');
};

/** Undefined when nothing is. */
export const leftWords = ({processes}: Pick<Summary, 'processes'>): string | undefined =>
  processes.length === 0
    ? undefined
    : `still running, started by this run: ${processes.map(processWords).join('; ')} (--leftovers end ends such processes)`;

/** What cost the new legs time: the way to their first edit, and what had been done before. */
const doneAgain = (handoffs: HandoffFields[]): string[] => {
  if (handoffs.length === 0) return [];
  const edit = medianOf(handoffs.flatMap(({actions_to_first_edit: actions}) => actions ?? []));
  const repeated = handoffs.flatMap(({commands_repeated: commands}) => commands ?? []).length;
  const reread = handoffs.flatMap(({files_reread: files}) => files ?? []).length;
  return [
    ...(edit === undefined ? [] : [`median ${counted(edit, 'action')} to the first edit`]),
    `${counted(repeated, 'command')} repeated, ${counted(reread, 'file')} re-read`,
  ];
};
