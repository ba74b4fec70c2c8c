// Which checkpoints may go. What a person or an agent saved stays, and so does whatever somebody may have to go back to.

import type {CheckpointId} from '../core/ids.ts';
import type {Checkpoint, Trigger} from './checkpoint.ts';

/** Nobody asked for it by name: the run made it. Only these are limited in number. */
export const isAutomatic = ({trigger}: {trigger: Trigger}): boolean => trigger !== 'manual' && trigger !== 'agent';

export interface PruneRule {
  /** So many of the newest stay. */
  keep: number;
  /** Only what was born before this goes (milliseconds since 1970). */
  bornBefore?: number | undefined;
  /** What people and agents saved may go too. */
  all?: boolean | undefined;
}

export type Reason = 'saved by name' | 'newest of its track' | 'last known good' | 'among the newest' | 'too young';

export interface PrunePlan {
  /** Oldest first. */
  remove: Checkpoint[];
  stay: Map<CheckpointId, Reason>;
}

/** `latest`: the ids that LATEST.json names. They may differ from the newest when a writer was killed before it got there. */
export const planPrune = (history: Checkpoint[], rule: PruneRule, latest: Iterable<CheckpointId>): PrunePlan => {
  const free = history.filter((one) => rule.all === true || isAutomatic(one));
  const newest = new Set(rule.keep === 0 ? [] : free.slice(-rule.keep));
  const pointed = new Set([...latest, ...newestOfTracks(history)]);
  const good = new Set(newestOfTracks(history.filter(({validation}) => validation === 'green')));
  const stay = new Map<CheckpointId, Reason>();
  const remove: Checkpoint[] = [];
  for (const one of history) {
    const reason = whyStay(one, {rule, newest, pointed, good});
    if (reason === undefined) remove.push(one);
    else stay.set(one.id, reason);
  }
  return {remove, stay};
};

interface Known {
  rule: PruneRule;
  newest: Set<Checkpoint>;
  pointed: Set<CheckpointId>;
  good: Set<CheckpointId>;
}

const whyStay = (one: Checkpoint, {rule, newest, pointed, good}: Known): Reason | undefined => {
  if (rule.all !== true && !isAutomatic(one)) return 'saved by name';
  if (pointed.has(one.id)) return 'newest of its track';
  if (good.has(one.id)) return 'last known good';
  if (newest.has(one)) return 'among the newest';
  if (rule.bornBefore !== undefined && Date.parse(one.born) >= rule.bornBefore) return 'too young';
  return undefined;
};

const newestOfTracks = (history: Checkpoint[]): Iterable<CheckpointId> =>
  new Map(history.map(({track, id}) => [track, id])).values();
