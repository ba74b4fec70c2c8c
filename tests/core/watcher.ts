// What must hold in every run, whatever happens. Throws at the first breach.

import type {Effect} from '../../src/core/effects.ts';
import type {RunEvent} from '../../src/core/events.ts';
import type {CaptureNumber, CheckpointId, LegNumber, Millis} from '../../src/core/ids.ts';
import type {Policy} from '../../src/core/policy.ts';
import type {Death, RunState} from '../../src/core/state.ts';

export interface Moment {
  before: RunState;
  event: RunEvent;
  after: RunState;
  effects: Effect[];
}

export interface Watcher {
  begin(effects: Effect[]): void;
  see(moment: Moment): void;
}

/** `steady`: the clock only goes on, so that the budget can be counted over again. */
export const newWatcher = (policy: Policy, {steady}: {steady: boolean}): Watcher => {
  const seen: Seen = {
    leg: undefined,
    baton: undefined,
    legIsGone: true,
    death: undefined,
    deathCapture: undefined,
    certified: new Set(),
    failures: [],
    noMore: undefined,
    isDone: false,
    asks: false,
    nudges: 0,
    idles: 0,
    given: undefined,
    taken: undefined,
    untaken: 0,
    moved: false,
    takeovers: 0,
    finishes: 0,
  };
  return {
    begin: (effects) => {
      const first = effects.find((effect) => effect.do === 'spawn-leg');
      seen.leg = first?.leg;
      seen.baton = first?.baton;
      seen.given = first?.baton;
      seen.legIsGone = false;
    },
    see: (moment) => {
      overIsFinal(moment, seen);
      alertsChangeNothing(moment);
      firstCauseStays(moment, seen);
      note(moment, seen, policy);
      for (const effect of moment.effects) {
        if (effect.do === 'spawn-leg') spawns(effect, moment, {seen, policy, steady});
        if (effect.do === 'stop-agent') stops(effect, moment, seen);
        if (effect.do === 'certify') certifies(effect, moment, seen);
        if (effect.do === 'change-agent') changes(effect, moment, {seen, policy});
        if (effect.do === 'nudge') nudges(effect, seen, policy);
        if (effect.do === 'capture' && effect.death) seen.deathCapture = effect.capture;
      }
      check(!(policy.attended && moment.after.at === 'waiting'), 'an attended run waits');
      check(!(policy.headless && moment.after.at === 'waiting'), 'a headless agent has no prompt to wait at');
      if (moment.after.at === 'over') {
        check(seen.finishes === 1, `finish was asked for ${seen.finishes} times`);
        check(!seen.death || seen.certified.has(moment.after.leg), `leg ${moment.after.leg} has no certificate`);
      }
    },
  };
};

interface Seen {
  leg: LegNumber | undefined;
  /** The newest checkpoint: what the next leg must get. */
  baton: CheckpointId | undefined;
  /** Its process has ended, or never came. */
  legIsGone: boolean;
  /** Of this leg, as it was decided. */
  death: Death | undefined;
  deathCapture: CaptureNumber | undefined;
  certified: Set<number>;
  /** When legs died without progress, by nobody's fault but theirs. */
  failures: Millis[];
  /** Why no further leg may come. */
  noMore: string | undefined;
  /** Done was said, and nothing since that takes it back. */
  isDone: boolean;
  /** A question is open on its screen, and no proof has come since that it is not. */
  asks: boolean;
  nudges: number;
  /** Nudges at the prompt since the work last moved, in this leg. */
  idles: number;
  /** The baton of this leg, of the last that took its own up, and how many did not since. */
  given: CheckpointId | undefined;
  taken: CheckpointId | undefined;
  untaken: number;
  /** Did the newest checkpoint see the leg move the work? */
  moved: boolean;
  /** How many agents have taken over. */
  takeovers: number;
  finishes: number;
}

const check = (holds: boolean, breach: string): void => {
  if (!holds) throw new Error(breach);
};

const overIsFinal = ({before, after, effects}: Moment, seen: Seen): void => {
  if (before.at === 'over') {
    check(after === before, 'over was left');
    check(
      effects.every((effect) => effect.do === 'stop-agent'),
      'something was done after the end',
    );
  }
  const finishes = effects.filter((effect) => effect.do === 'finish').length;
  seen.finishes += finishes;
  check((finishes === 1) === (before.at !== 'over' && after.at === 'over'), `finish × ${finishes} on ${after.at}`);
};

/** A screen may tell the person, or that somebody is there; nothing that cannot be undone. */
const alertsChangeNothing = ({before, event, after, effects}: Moment): void => {
  // Somebody has asked to go back: that is done as soon as the agent is there.
  if (!('proof' in event) || event.proof || before.ledger.back !== undefined) return;
  const harmless = after.at === before.at || after.at === 'working';
  check(harmless, `an alert of ${event.type} led from ${before.at} to ${after.at}`);
  const strong = effects.find(({do: what}) => what !== 'tell' && what !== 'set-timer' && what !== 'cancel-timer');
  check(strong === undefined, `an alert of ${event.type} led to ${strong?.do}`);
};

/** A death is decided once; only a checkpoint that could not be written recalls it. */
const firstCauseStays = ({before, event, after}: Moment, seen: Seen): void => {
  if (after.at === 'capturing' && before.at !== 'capturing') seen.death = after.death;
  if (after.at === 'restoring') seen.death ??= after.dead?.death;
  if (before.at === 'capturing' && after.at === 'working') {
    check(event.type === 'checkpoint-failed', `a death was recalled by ${event.type}`);
    seen.death = undefined;
    seen.deathCapture = undefined;
  }
  if ('death' in after && seen.death) {
    const {cause, at, evidence} = after.death;
    const same = cause === seen.death.cause && at === seen.death.at && evidence === seen.death.evidence;
    check(same, `the death was ${seen.death.cause} and became ${cause}`);
  }
};

const note = ({before, event}: Moment, seen: Seen, policy: Policy): void => {
  const isIts = !('leg' in event) || event.leg === before.leg;
  if (before.at === 'over' || !isIts) return;
  if (event.type === 'agent-exited' || event.type === 'spawn-failed') seen.legIsGone = true;
  if (event.type === 'checkpoint-written' && event.capture === before.ledger.captures) {
    seen.baton = event.id;
    if (event.moved) seen.idles = 0;
    if (event.moved) seen.nudges = 0;
    seen.moved = event.progress;
  }
  if (event.type === 'restored' && before.at === 'restoring') {
    seen.baton = event.id;
    seen.untaken = 0;
  }
  if (event.type === 'restore-asked') seen.isDone = false;
  if (event.type === 'quit-asked' || event.type === 'hangup') seen.noMore = event.type;
  if (
    event.type === 'agent-exited' &&
    event.meaning === 'clean' &&
    before.at !== 'stopping' &&
    before.at !== 'restoring' &&
    before.at !== 'resting'
  ) {
    const goesOn = policy.headless && policy.untilDone && (before.at === 'working' || before.at === 'waiting');
    const isAsked = seen.death !== undefined && (seen.death.cause === 'handoff' || before.ledger.back !== undefined);
    if (!isAsked && !goesOn) seen.noMore = 'a clean exit that we had not asked for';
  }
  const works = before.at === 'starting' || before.at === 'working' || before.at === 'waiting';
  if (event.type === 'uptake-seen' && works && before.ledger.uptake !== 'none') {
    seen.taken = seen.given;
    seen.untaken = 0;
  }
  if (event.type === 'done-asked') seen.isDone = !policy.attended;
  if (event.type === 'handoff-asked' || (event.type === 'busy' && event.proof)) seen.isDone = false;
  if (event.type === 'idle' && event.proof) seen.nudges = 0;
  if ((event.type === 'idle' || event.type === 'busy') && event.proof) seen.asks = false;
  if (event.type === 'waiting-for-person' && (before.at === 'working' || before.at === 'waiting')) seen.asks = true;
};

const spawns = (
  {leg, baton}: Extract<Effect, {do: 'spawn-leg'}>,
  {event}: Moment,
  {seen, policy, steady}: {seen: Seen; policy: Policy; steady: boolean},
): void => {
  const last = seen.leg ?? 0;
  check(leg === last + 1, `leg ${leg} after leg ${last}`);
  // The third leg in a row that must take a baton up gets the last one that was taken up, and no other.
  const wanted = seen.untaken < 2 ? seen.baton : seen.taken;
  check(baton === wanted, `leg ${leg} gets ${baton}, and should get ${wanted}`);
  check(seen.untaken < 3, `a leg after ${seen.untaken} that did not take their batons up`);
  seen.given = baton;
  check(seen.legIsGone, `leg ${leg} is started while leg ${last} may be alive`);
  check(leg <= policy.maxLegs, `leg ${leg} of at most ${policy.maxLegs}`);
  check(seen.noMore === undefined, `a leg after ${seen.noMore}`);
  check(!seen.isDone, 'a leg after the work was done');
  check(seen.certified.has(last), `leg ${leg} comes and leg ${last} has no certificate`);
  const recent = seen.failures.filter((at) => at > event.at - policy.budget.windowMs).length;
  if (steady) check(recent < policy.budget.legs, `a leg after ${recent} without progress`);
  seen.leg = leg;
  seen.legIsGone = false;
  seen.death = undefined;
  seen.deathCapture = undefined;
  seen.nudges = 0;
  seen.asks = false;
  if (seen.moved) seen.idles = 0;
};

/** Each agent once, in the order given, always with a leg of its own; what the one before could not do is forgotten. */
const changes = (
  {to}: Extract<Effect, {do: 'change-agent'}>,
  {effects, after}: Moment,
  {seen, policy}: {seen: Seen; policy: Policy},
): void => {
  seen.takeovers += 1;
  check(to === seen.takeovers, `takeover ${to} after ${seen.takeovers - 1}`);
  check(to <= policy.takeovers.length, `takeover ${to} of at most ${policy.takeovers.length}`);
  check(after.ledger.takenOver.length === to, 'the ledger does not know of the takeover');
  check(effects.at(-1)?.do === 'spawn-leg', 'a takeover without a leg');
  seen.failures = [];
  seen.untaken = 0;
};

/** Nothing is handed on that is not on disk. */
const stops = (effect: Extract<Effect, {do: 'stop-agent'}>, {event, before}: Moment, seen: Seen): void => {
  check(effect.leg === before.leg, `leg ${effect.leg} is stopped in leg ${before.leg}`);
  if (effect.because === 'finish') return;
  const isWritten = event.type === 'checkpoint-written' && event.capture === seen.deathCapture;
  check(isWritten, `stopped for a handoff by ${event.type}`);
};

const certifies = (effect: Extract<Effect, {do: 'certify'}>, {event, before}: Moment, seen: Seen): void => {
  const {leg, death, progress} = effect;
  check(leg === before.leg && !seen.certified.has(leg), `leg ${leg} is certified again`);
  seen.certified.add(leg);
  if (death.cause === 'no-uptake' && !progress) seen.untaken += 1;
  if (seen.death) check(death.cause === seen.death.cause && death.at === seen.death.at, 'certified another death');
  else check(event.type === 'spawn-failed', `leg ${leg} is certified and has not died`);
  if (!progress && death.cause !== 'limit' && death.cause !== 'overload') seen.failures.push(event.at);
};

const nudges = ({why}: Extract<Effect, {do: 'nudge'}>, seen: Seen, policy: Policy): void => {
  check(!policy.attended, 'an attended run nudges');
  check(!policy.headless, 'a headless agent is nudged');
  check(!seen.isDone, 'nudged after the work was done');
  check(!seen.asks, 'typed into a question of the person’s');
  if (why === 'wait-over') seen.nudges += 1;
  if (why === 'next-step') seen.idles += 1;
  check(seen.nudges <= policy.nudge.max, `${seen.nudges} nudges of at most ${policy.nudge.max}`);
  check(seen.idles <= policy.nudge.max, `${seen.idles} nudges at idle of at most ${policy.nudge.max}`);
};
