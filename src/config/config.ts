// The repository's ckpt.yaml over the person's config.yaml over the defaults; each value knows where it came from.

import type {Trigger} from '../baton/checkpoint.ts';
import type {Policy} from '../core/policy.ts';
import {type Key, keys, knobs, type Values} from './knobs.ts';

export interface Config {
  autoCheckpoint: boolean;
  intervalMinutes: number;
  maxCheckpoints: number;
  triggers: Trigger[];
  checkpointDir: string;
  /** Whether somebody is there is not for a file to say. */
  policy: Omit<Policy, 'attended' | 'headless' | 'untilDone' | 'saves' | 'assumeReadyMs' | 'wakesMs' | 'takeovers'>;
  /** Every key with its value and where that came from, for `ckpt config`. */
  entries: {key: Key; value: unknown; from: string; what: string}[];
}

/** What one file says. */
export interface Setting {
  key: Key;
  value: unknown;
  /** `file:line` */
  from: string;
}

/** Later ones win. */
export const makeConfig = (settings: Setting[]): Config => {
  const given = new Map(settings.map((setting) => [setting.key, setting]));
  const entries = keys.map((key) => {
    const {fallback, what} = knobs[key];
    return {key, value: given.get(key)?.value ?? fallback, from: given.get(key)?.from ?? 'default', what};
  });
  // The one cast: each value was read by the knob of its own key.
  const values = Object.fromEntries(entries.map(({key, value}) => [key, value])) as Values;
  const {autoCheckpoint, intervalMinutes, maxCheckpoints, triggers, checkpointDir} = values;
  return {
    autoCheckpoint,
    intervalMinutes,
    maxCheckpoints,
    triggers,
    checkpointDir,
    policy: policyOf(values),
    entries,
  };
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const policyOf = (values: Values): Config['policy'] => ({
  onCompaction: values['policy.onCompaction'],
  leftovers: values['policy.leftovers'],
  // Whether anybody is asked is the person's to say, on the command line.
  approval: {on: false, waitMs: values['policy.approvalMinutes'] * MINUTE},
  maxLegs: values['policy.maxLegs'],
  maxMs: values['policy.maxHours'] * HOUR,
  maxTokens: unless('none', values['policy.maxTokens']),
  maxDollars: unless('none', values['policy.maxCost']),
  nudge: {
    max: values['policy.nudges'],
    waitMs: values['policy.nudgeSeconds'] * SECOND,
    idleMs: values['policy.idleSeconds'] * SECOND,
  },
  budget: {legs: values['policy.budget.legs'], windowMs: values['policy.budget.minutes'] * MINUTE},
  backoff: {
    firstMs: values['policy.backoff.firstSeconds'] * SECOND,
    maxMs: values['policy.backoff.maxMinutes'] * MINUTE,
    stableMs: values['policy.backoff.stableMinutes'] * MINUTE,
  },
  capture: {
    againMs: values['policy.capture.againSeconds'] * SECOND,
    giveUpMs: values['policy.capture.giveUpSeconds'] * SECOND,
  },
  limit: {
    marginMs: values['policy.limit.marginSeconds'] * SECOND,
    unknownMs: values['policy.limit.unknownMinutes'] * MINUTE,
    maxWaitMs: values['policy.limit.maxWaitHours'] * HOUR,
    takeoverMs: values['policy.limit.takeoverMinutes'] * MINUTE,
  },
  overload: {
    firstMs: values['policy.overload.firstSeconds'] * SECOND,
    maxMs: values['policy.overload.maxMinutes'] * MINUTE,
  },
  doneGraceMs: values['policy.doneSeconds'] * SECOND,
  context: {
    share: values['policy.context.percent'] / 100,
    windowTokens: unless('known', values['policy.context.windowTokens']),
  },
  uptakeMs: values['policy.uptakeMinutes'] * MINUTE,
  hang: {
    thinkingMs: values['policy.hang.thinkingMinutes'] * MINUTE,
    toolMs: values['policy.hang.toolMinutes'] * MINUTE,
  },
});

const unless = <W extends string>(word: W, value: number | W): number | undefined =>
  value === word ? undefined : (value as number);
