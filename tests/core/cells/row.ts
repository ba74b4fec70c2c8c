import type {Effect} from '../../../src/core/effects.ts';
import type {RunEvent} from '../../../src/core/events.ts';
import type {Policy} from '../../../src/core/policy.ts';
import type {Death, Ledger, Outcome, RunState} from '../../../src/core/state.ts';
import {cancel, captures, capturing, endTools, evidence, fifth, isOver, quiet, T, told} from '../samples.ts';

/** One cell of the table, in one context. */
export interface Row {
  /** A sentence. */
  name: string;
  state: RunState;
  event: RunEvent;
  /** Attended, with the numbers of samples.ts, unless the row says otherwise. */
  policy?: Policy;
  /** The same state, unless the row says otherwise. */
  to?: RunState;
  /** Nothing, unless the row says otherwise. All effects, in order. */
  does?: Effect[];
}

/** A no-op is a decision, with its reason, and gets its row like any other. */
export const stays = (state: RunState, why: string, ...events: RunEvent[]): Row[] =>
  events.map((event) => ({name: `${wordsOf(event)}: ${why}`, state, event}));

const wordsOf = (event: RunEvent): string => {
  if (event.type === 'timer-fired') return `timer ${event.name}`;
  return 'proof' in event ? `${event.type} by ${event.proof ? 'proof' : 'alert'}` : event.type;
};

/** The end of the run, its effects in order; `first` comes before them. */
export const ends = (
  outcome: Outcome,
  {from, first = []}: {from?: Partial<RunState> | undefined; first?: Effect[]} = {},
): Pick<Row, 'to' | 'does'> => ({
  to: isOver({...(from?.leg && {leg: from.leg}), ...(from?.ledger && {ledger: from.ledger}), outcome}),
  does: [
    ...first,
    ...quiet,
    cancel('rest-over'),
    cancel('time-over'),
    ...(outcome.is === 'parked' ? [told({is: 'parked', why: outcome.why})] : []),
    {do: 'finish', outcome},
  ],
});

/** A death that the row's event has decided. */
export const died = (some: Partial<Death>): Death => ({
  cause: 'crashed',
  at: T,
  evidence,
  exit: undefined,
  notBefore: undefined,
  ...some,
});

/** Its checkpoint is asked for; `some` is what else the ledger has. */
export const dies = (death: Death, some: Partial<Ledger> = {}): Required<Pick<Row, 'to' | 'does'>> => ({
  to: capturing({ledger: fifth(some), death, alive: death.exit === undefined}),
  does: [...quiet, endTools, captures(death.cause === 'compaction' ? 'pre-compaction' : 'death', death)],
});
