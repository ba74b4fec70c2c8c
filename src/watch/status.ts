// What is on disk → where a run stands. The shape of `ckpt status --json`.

import type {LatestEntry} from '../baton/latest.ts';
import type {Outcome} from '../core/state.ts';
import {type Handoff, type HandoffFields, handoffFields} from '../report/handoff.ts';
import {outcomeWords} from '../report/messages.ts';
import type {DeathRecord} from './death-record.ts';
import type {Budget, RunRecord} from './run-record.ts';

/** `lost`: its process is gone, yet nobody wrote the end. Killed, or the machine went down. */
export type Standing = 'live' | 'over' | 'lost';

export interface RunStatus {
  run: string;
  standing: Standing;
  agent: string;
  version: string | undefined;
  /** Who has taken over from the agent before, and with which leg. */
  taken_over: {agent: string; leg: number}[];
  track: string;
  leg: number;
  state: string;
  since: string | undefined;
  started_at: string | undefined;
  pid: number | undefined;
  /** Nobody has it in a terminal; `ckpt attach` shows it. */
  detached: boolean;
  cwd: string | undefined;
  waits: {for: string; until: string} | undefined;
  deaths: {total: number; by_cause: Record<string, number>; last: LastDeath | undefined};
  /** How the last leg that was given a baton took it up. */
  handoff: HandoffFields | undefined;
  budget: {failures: number; legs: number; window_ms: number; max_legs?: number; ends_at?: string} | undefined;
  checkpoint: {id: string; born?: string; step?: string; next_cmd?: string; validation?: string} | undefined;
  outcome: Outcome | undefined;
  outcome_words: string | undefined;
}

export interface LastDeath {
  leg: number;
  cause: string;
  at: string | undefined;
  in_words: string | undefined;
}

export interface Seen {
  record: RunRecord;
  alive: boolean;
  deaths: DeathRecord[];
  handoff?: Handoff | undefined;
  /** The newest checkpoint of the run's track. */
  newest: LatestEntry | undefined;
}

export const standingOf = ({state}: RunRecord, alive: boolean): Standing =>
  state === 'over' ? 'over' : alive ? 'live' : 'lost';

export const runStatus = ({record, alive, deaths, handoff, newest}: Seen): RunStatus => ({
  run: record.run,
  standing: standingOf(record, alive),
  agent: record.agent,
  version: record.version,
  taken_over: record.takenOver,
  track: record.track,
  leg: record.leg,
  state: record.state,
  since: iso(record.since),
  started_at: iso(record.startedAt),
  pid: record.pid,
  detached: record.detached !== undefined,
  cwd: record.cwd,
  waits: record.waits && {for: record.waits.for, until: new Date(record.waits.until).toISOString()},
  deaths: countDeaths(deaths),
  handoff: handoff && handoffFields(handoff),
  budget: record.budget && budgetFields(record.budget),
  checkpoint: checkpointOf(record, alive, newest),
  outcome: record.outcome,
  outcome_words: record.outcome && outcomeWords(record.outcome),
});

const iso = (at: number | undefined): string | undefined => (at === undefined ? undefined : new Date(at).toISOString());

const countDeaths = (deaths: DeathRecord[]): RunStatus['deaths'] => {
  const counts = new Map<string, number>();
  for (const {cause} of deaths) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const last = deaths.toSorted((a, b) => a.leg - b.leg).at(-1);
  return {
    total: deaths.length,
    by_cause: Object.fromEntries(counts),
    last: last && {leg: last.leg, cause: last.cause, at: iso(last.at), in_words: last.inWords},
  };
};

const budgetFields = ({failures, legs, windowMs, maxLegs, endsAt}: Budget): RunStatus['budget'] => ({
  failures,
  legs,
  window_ms: windowMs,
  ...(maxLegs === undefined ? {} : {max_legs: maxLegs}),
  ...(endsAt === undefined ? {} : {ends_at: new Date(endsAt).toISOString()}),
});

/** The track's newest is a live run's own: the agent may have written it since run.json was. An old run keeps its own. */
const checkpointOf = (
  {checkpoint, startedAt = 0}: RunRecord,
  alive: boolean,
  newest: LatestEntry | undefined,
): RunStatus['checkpoint'] => {
  const own = newest !== undefined && (newest.id === checkpoint || (alive && Date.parse(newest.born) >= startedAt));
  if (!own) return checkpoint === undefined ? undefined : {id: checkpoint};
  const {id, born, step, next_cmd, validation} = newest;
  return {id, born, step, next_cmd, validation};
};
