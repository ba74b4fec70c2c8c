// How many legs in how long; when to rest; when to give up. One sentence: at most `budget.legs` legs without progress
// inside `budget.windowMs`, then the run parks.

import {later, type Millis} from './ids.ts';
import type {Policy} from './policy.ts';
import type {Death, DeathCause, Ledger} from './state.ts';
import {longestWait} from './turns/takeover.ts';
import {unreachable} from './unreachable.ts';

export type Verdict =
  | {go: true; ledger: Ledger; until: Millis; recent: number}
  /** `agent`: this one cannot go on, but another might. `run`: nobody can. */
  | {go: false; ledger: Ledger; why: string; ends: 'agent' | 'run'};

export interface Died {
  at: Millis;
  leg: number;
  death: Death;
  /** Did the leg move the work at all? */
  progress: boolean;
}

export const afterDeath = (before: Ledger, died: Died, policy: Policy): Verdict => {
  const {at, leg, death, progress} = died;
  const ledger = counted(before, died, policy);
  const recent = ledger.failures.length;
  const ended = (why: string, ends: 'agent' | 'run'): Verdict => ({go: false, ledger, why, ends});
  if (leg >= policy.maxLegs) return ended(`leg ${leg} of at most ${policy.maxLegs} (--max-legs)`, 'run');
  if (death.cause === 'refused') return ended('its provider refuses it', 'agent');
  if (recent >= policy.budget.legs) {
    const window = span(policy.budget.windowMs);
    return ended(`${recent} legs without progress in ${window} (last: ${death.cause})`, 'agent');
  }
  if (death.cause === 'unfinished' && ledger.idles > policy.nudge.max) {
    return ended(`${ledger.idles} legs ended without progress and without ckpt done`, 'run');
  }
  const refused = notTakenUp(ledger);
  if (refused) return ended(refused, 'agent');
  const pauseMs = pauseAfter(death, {ledger, progress, at}, policy);
  const tooLong = death.cause === 'limit' ? tooLongToWait(pauseMs, ledger, policy) : undefined;
  if (tooLong) return ended(tooLong, 'agent');
  return {go: true, ledger, until: later(at, pauseMs), recent};
};

/** Limits and overloads are the provider's: they are no failure of a leg. */
const isProviders = (cause: DeathCause): boolean => cause === 'limit' || cause === 'overload';

const counted = (ledger: Ledger, {at, death, progress}: Died, policy: Policy): Ledger => {
  const recent = ledger.failures
    // The clock was set back: what lies in the future was at the latest now, or it would count until then.
    .map((failed) => (failed > at ? at : failed))
    .filter((failed) => failed > at - policy.budget.windowMs);
  if (isProviders(death.cause)) return {...ledger, failures: recent};
  // Whoever got on was answered: the next overload is the first one again.
  if (progress) return {...ledger, failures: recent, streak: 0, idles: 0, overloads: 0};
  return {
    ...{...ledger, failures: [...recent, at], streak: ledger.streak + 1},
    idles: death.cause === 'unfinished' ? ledger.idles + 1 : ledger.idles,
    untaken: death.cause === 'no-uptake' ? ledger.untaken + 1 : ledger.untaken,
  };
};

/** The newest baton twice, then the last one that was taken up, if there is any: more would only burn money. */
const notTakenUp = ({untaken, taken, checkpoint}: Ledger): string | undefined =>
  untaken >= 3 || (untaken === 2 && (taken === undefined || taken === checkpoint))
    ? `${untaken} agents in a row have not taken the baton up`
    : undefined;

const pauseAfter = (
  death: Death,
  {ledger, progress, at}: {ledger: Ledger; progress: boolean; at: Millis},
  policy: Policy,
): number => {
  switch (death.cause) {
    case 'limit':
      return limitWait(death.notBefore, at, policy);
    case 'overload':
      return overloadWait(ledger.overloads - 1, at, policy);
    case 'compaction':
    case 'compaction-failed':
    case 'context-full':
    case 'handoff':
    case 'restore':
    case 'unfinished':
    case 'refused':
      // Nothing is wrong with the machine or the agent: the fresh one may start at once.
      return progress ? 0 : backoff(ledger.streak - 1, policy);
    case 'crashed':
    case 'killed':
    case 'hang':
    case 'no-uptake':
      return backoff(progress ? 0 : ledger.streak - 1, policy);
    default:
      return unreachable(death.cause);
  }
};

const backoff = (times: number, {backoff: {firstMs, maxMs}}: Policy): number => Math.min(firstMs * 2 ** times, maxMs);

/** Until the reset and a margin; where nobody told when that is, a cheap try now and then. */
export const limitWait = (resetsAt: Millis | undefined, at: Millis, {limit}: Policy): number =>
  resetsAt === undefined ? limit.unknownMs : Math.max(0, resetsAt - at) + limit.marginMs;

/** The ladder, with up to a fifth of jitter taken from the time itself: many runs must not come back in step. */
export const overloadWait = (times: number, at: Millis, {overload}: Policy): number => {
  const step = Math.min(overload.firstMs * 2 ** Math.max(0, times), overload.maxMs);
  return Math.round(step * (1 + (at % 997) / 4985));
};

/** Why a limit is not waited out, with the numbers; undefined when it is. */
export const tooLongToWait = (waitMs: number, ledger: Ledger, policy: Policy): string | undefined => {
  const longest = longestWait(ledger, policy);
  if (waitMs <= longest) return undefined;
  const bound = longest === policy.limit.maxWaitMs ? '--max-wait allows' : 'is waited for with another agent at hand';
  return `the usage limit ends in ${span(waitMs)}, later than ${bound} (${span(longest)})`;
};

const units = [
  [86_400_000, 'days'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** In the largest unit that makes at least two of it, so that no sentence says `0 min` or `1 days`. */
const span = (ms: number): string => {
  const unit = units.find(([size]) => ms >= 2 * size);
  return unit ? `${Math.round(ms / unit[0])} ${unit[1]}` : `${Math.round(ms)} ms`;
};
