// Sightings of one leg → signals. One fact told by several channels is one signal; the screen alone proves nothing.
//
// The rules, in full:
// 1. Hook, session log, exit status and process are structured: what they tell is proof. The screen only alerts: the
//    agent may merely be quoting. Screen and any other channel together are proof by the other one.
// 2. ready, busy, idle, waiting-for-person are a state: told when it changes, and again when an alert becomes proof.
// 3. The others are happenings. Each teller (a hook's name, a kind of log line) counts its own; the n-th telling is
//    news only if nobody has told n of them yet. So PostCompact and compact_boundary make one signal, and a teller that
//    is lost costs nothing.
// 4. A held hook is always told: somebody waits for the answer. A limit is told again when its reset time gets known.
// 5. After a failed turn no `idle` until the next `busy`: the prompt that waits there is the failure's.

import type {Sighting} from '../adapter/adapter.ts';
import type {Evidence, Signal, SignalType} from '../core/events.ts';
import type {LegNumber, Millis} from '../core/ids.ts';

export interface Quorum {
  /** Undefined when this is no news. */
  take(sighting: Sighting, at: Millis): Signal | undefined;
}

export const newQuorum = (leg: LegNumber): Quorum => {
  const state: State = {ready: 'untold', activity: 'unknown', proved: false, resetsAt: undefined};
  const counts = new Map<string, number>();
  const turn = new Map<SignalType, Evidence[]>();
  return {
    take(sighting, at) {
      const proof = sighting.evidence.channel !== 'screen';
      if (!isNews(sighting, {proof, state, counts, turn})) return undefined;
      remember(sighting, proof, state);
      if (sighting.type === 'busy' || sighting.type === 'compaction-started') turn.clear();
      const evidence = [...(turn.get(sighting.type) ?? []), sighting.evidence];
      turn.set(sighting.type, evidence);
      return {...sighting, at, leg, evidence, proof};
    },
  };
};

interface State {
  ready: 'untold' | 'alerted' | 'proved';
  activity: 'unknown' | 'busy' | 'idle' | 'waiting-for-person' | 'failed';
  /** Was the activity told by a structured channel? */
  proved: boolean;
  resetsAt: Millis | undefined;
}

interface Known {
  proof: boolean;
  state: State;
  /** How often each teller has told each signal; under the signal's own name, how often it was passed on as proof. */
  counts: Map<string, number>;
  /** What was told since the turn began, with its evidence. */
  turn: Map<SignalType, Evidence[]>;
}

const isNews = (sighting: Sighting, known: Known): boolean => {
  switch (sighting.type) {
    case 'ready':
      return known.proof ? known.state.ready !== 'proved' : known.state.ready === 'untold';
    case 'busy':
    case 'idle':
    case 'waiting-for-person':
      return isNewActivity(sighting.type, known);
    case 'compaction-started':
      return known.proof || !known.turn.has('compaction-started');
    case 'limit':
      return isNewHappening(sighting, known) || isNewReset(sighting.resetsAt, known.state);
    default:
      return isNewHappening(sighting, known);
  }
};

const isNewActivity = (type: State['activity'], {proof, state}: Known): boolean => {
  if (type === state.activity) return proof && !state.proved;
  if (type !== 'idle') return true;
  // While a permission is asked for, some titles look idle.
  return state.activity !== 'failed' && (proof || !(state.activity === 'waiting-for-person' && state.proved));
};

const isNewHappening = ({type, evidence}: Sighting, {proof, counts, turn}: Known): boolean => {
  if (!proof) return !turn.has(type);
  const teller = `${type} ${evidence.channel} ${evidence.detail.split('(', 1)[0]}`;
  const times = (counts.get(teller) ?? 0) + 1;
  counts.set(teller, times);
  if (times <= (counts.get(type) ?? 0)) return false;
  counts.set(type, times);
  return true;
};

const isNewReset = (resetsAt: Millis | undefined, state: State): boolean =>
  resetsAt !== undefined && resetsAt !== state.resetsAt;

const failures: readonly SignalType[] = ['context-full', 'compaction-failed', 'limit', 'overload', 'auth', 'fatal'];

const remember = (sighting: Sighting, proof: boolean, state: State): void => {
  const {type} = sighting;
  if (type === 'ready') state.ready = proof ? 'proved' : 'alerted';
  if (type === 'limit') state.resetsAt = sighting.resetsAt ?? state.resetsAt;
  // A menu that a failed turn puts up, and its end, are still that failure's.
  const isFailures = state.activity === 'failed' && type !== 'busy';
  if (!isFailures && (type === 'busy' || type === 'idle' || type === 'waiting-for-person')) {
    state.activity = type;
    state.proved = proof;
  }
  if (proof && failures.includes(type)) state.activity = 'failed';
};
