// Facts → sentences, here and nowhere else. What the person reads between two legs, and when we must refuse.

import {oneLine} from '../baton/clean.ts';
import type {Notice} from '../core/effects.ts';
import type {ExitStatus} from '../core/events.ts';
import type {Failure} from '../core/failure.ts';
import type {Millis} from '../core/ids.ts';
import type {Death, Outcome} from '../core/state.ts';
import {unreachable} from '../core/unreachable.ts';

export const noticeWords = (notice: Notice): string => {
  switch (notice.is) {
    case 'leg-died':
      return `leg ${notice.leg} ended: ${deathWords(notice.death)}${notice.progress ? '' : '; no progress seen'}`;
    case 'restarting':
      return `leg ${notice.leg} starts ${notice.inMs === 0 ? 'now' : `in ${duration(notice.inMs)}`} with the baton (${notice.recent} of ${notice.budget} legs without progress in ${duration(notice.windowMs)})`;
    case 'taking-over':
      return `${oneLine(notice.agent)} takes over with leg ${notice.leg} and the baton: ${oneLine(notice.why)}`;
    case 'compacting':
      return `leg ${notice.leg} is about to compact its context (${notice.trigger}); ${compactionWords[notice.then]}`;
    case 'limit':
      return `usage limit in leg ${notice.leg}, ${resetWords(notice.until)}${notice.waits ? '; waiting' : ''}${otherWords(notice.other)}`;
    case 'overload':
      return `the provider is overloaded or out of reach (leg ${notice.leg})${notice.waits && notice.until !== undefined ? `; trying again at ${clockTime(notice.until)}` : ''}`;
    case 'nudged':
      return `leg ${notice.leg} waits at its prompt and has not said ckpt done: told to go on (${notice.nudge} of ${notice.max} without progress)`;
    case 'no-uptake':
      return `leg ${notice.leg} has not taken the baton up within ${duration(notice.afterMs)}`;
    case 'woke':
      return `leg ${notice.leg} goes on${notice.by === 'itself' ? ' by itself' : ''}`;
    case 'hang':
      return `leg ${notice.leg} seems to hang: ${notice.what}${notice.ends ? '; a fresh agent takes over' : ''}`;
    case 'needs-person':
      return `leg ${notice.leg} waits for a person: ${oneLine(notice.what)}`;
    case 'trouble':
      return `leg ${notice.leg} cannot go on by itself: ${oneLine(notice.what)}${otherWords(notice.other)}`;
    case 'capture-failed':
      return `the checkpoint of leg ${notice.leg} could not be written: ${oneLine(notice.what)}`;
    case 'approval':
      return `leg ${notice.leg} wants to do what is felt outside this folder: ${oneLine(notice.what)}; say ckpt approve or ckpt deny within ${duration(notice.waitMs)}, else it is denied`;
    case 'restored':
      return `went back to ${notice.to}; ckpt rollback brings the moment before back`;
    case 'restore-failed':
      return `could not go back to ${notice.to}: ${oneLine(notice.what)}; leg ${notice.leg}'s own checkpoint is handed on`;
    case 'parked':
      return `parked: ${oneLine(notice.why)}. Nothing is lost; go on with: ckpt-run --continue-run`;
    default:
      return unreachable(notice);
  }
};

const otherWords = (other: string | undefined): string =>
  other === undefined ? '' : `; ckpt handoff lets ${oneLine(other)} take over`;

const compactionWords = {
  restart: 'a fresh agent takes over',
  reinject: 'it gets its baton back inside',
  observe: 'let through',
} as const;

const causes = {
  compaction: 'its context is full and was about to be compacted',
  'compaction-failed': 'its compaction failed',
  'context-full': 'its context is full',
  crashed: 'it crashed',
  killed: 'it was killed',
  limit: 'usage limit',
  overload: 'the provider is overloaded or out of reach',
  hang: 'it hung',
  unfinished: 'it ended, and the work is not done',
  'no-uptake': 'it did not take the baton up',
  refused: 'its provider refuses it',
  handoff: 'a handoff was asked for',
  restore: 'somebody asked to go back to an earlier checkpoint',
} as const;

export const deathWords = ({cause, evidence, exit}: Death): string => {
  const seen = evidence.map(({channel, detail}) => `${channel}: ${detail}`);
  const ended = exit === undefined || evidence.some(({channel}) => channel === 'exit') ? [] : [exitWords(exit)];
  return `${causes[cause]} (${[...seen, ...ended].join(', ')})`;
};

const exitWords = ({code, signal}: ExitStatus): string => (signal === undefined ? `exit ${code}` : `signal ${signal}`);

const resetWords = (until: Millis | undefined): string =>
  until === undefined ? 'no reset time told' : `resets at ${clockTime(until)}`;

/** Local time, since it is for the person; with the day when it is not today's to be sure of. */
const clockTime = (at: Millis): string =>
  new Date(at).toLocaleString(undefined, {dateStyle: 'medium', timeStyle: 'medium'});

export const duration = (ms: number): string => {
  if (ms < 1000) return `${ms} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`;
};

export const detachedWords = ({run, pid}: {run: string; pid: number}, over: boolean): string =>
  over
    ? `run ${run} is over already; ckpt status tells how it ended`
    : `run ${run} goes on without this terminal (pid ${pid}). ckpt attach ${run} shows it, ckpt stop ${run} ends it`;

export const outcomeWords = (outcome: Outcome): string => {
  switch (outcome.is) {
    case 'ended':
      return `the agent ended (${exitWords(outcome.exit)})`;
    case 'done':
      return `done${outcome.note === '' ? '' : `: ${oneLine(outcome.note)}`}`;
    case 'start-failed':
      return `the agent did not start (${exitWords(outcome.exit)})`;
    case 'spawn-failed':
      return `the agent could not be started: ${oneLine(outcome.what)}`;
    case 'gave-up':
      return `the agent gave up: ${oneLine(outcome.why)} (${exitWords(outcome.exit)})`;
    case 'parked':
      return `parked: ${oneLine(outcome.why)}`;
    case 'quit':
      return `stopped by signal ${outcome.signal}`;
    default:
      return unreachable(outcome);
  }
};

/** What was wrong, and what to do about it on a line of its own. */
export const failureWords = (failure: Failure): string => {
  switch (failure.is) {
    case 'bad-usage':
    case 'not-found':
    case 'baton-refused':
      return `${failure.what}\n  ${failure.fix}`;
    case 'bad-config':
      return `${failure.file}${failure.line === undefined ? '' : `:${failure.line}`}: ${failure.what}\n  ${failure.fix}`;
    case 'store-unusable':
      return `the checkpoint folder ${failure.path} cannot be used: ${failure.what}`;
    case 'system':
      return `could not ${failure.doing}: ${failure.message} (${failure.code})`;
    case 'unknown-agent':
      return `no agent called ${JSON.stringify(failure.name)}; known: ${failure.known.join(', ')}\n  any other program: ckpt-run generic ${failure.name}`;
    case 'agent-missing':
      return `${failure.agent} was not found (looked for ${failure.looked.join(', ')})\n  ${failure.fix}`;
    case 'nested':
      return `already inside run ${failure.run}`;
    case 'unsupported-platform':
      return `ckpt-run does not work on ${failure.platform}: it needs a POSIX terminal (Linux, macOS, or WSL on Windows)`;
    default:
      return unreachable(failure);
  }
};
