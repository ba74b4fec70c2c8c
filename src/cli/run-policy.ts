// Defaults, then ckpt.yaml and the person's config, then the command line → the policy of one run.

import type {Adapter} from '../adapter/adapter.ts';
import type {Config} from '../config/config.ts';
import {defaultPolicy, type Policy} from '../core/policy.ts';
import {automaticTriggers} from '../core/triggers.ts';
import type {RunOptions} from './run-options.ts';

const HOUR = 3_600_000;

interface Given {
  config: Config;
  adapter: Adapter;
  headless: boolean;
  terminal: boolean;
  /** CKPT_POLICY: numbers of the policy as JSON, for tests that cannot wait for real pauses. Told in no help. */
  tuning: string | undefined;
}

export const policyOf = (options: RunOptions, given: Given): Policy => tuned(asAsked(options, given), given.tuning);

const asAsked = (options: RunOptions, {config, adapter, headless, terminal}: Given): Policy => {
  const set = config.policy;
  return {
    ...defaultPolicy,
    ...set,
    attended: terminal && !options.untilDone,
    headless,
    untilDone: options.untilDone,
    onCompaction: options.onCompaction ?? set.onCompaction,
    maxLegs: options.maxLegs ?? set.maxLegs,
    maxMs: options.maxHours === undefined ? set.maxMs : options.maxHours * HOUR,
    maxTokens: options.maxTokens,
    maxDollars: options.maxCost,
    limit: {
      ...set.limit,
      maxWaitMs: options.maxWait === undefined ? set.limit.maxWaitMs : options.maxWait * HOUR,
      marginMs: options.limitMargin === undefined ? set.limit.marginMs : options.limitMargin * 1000,
    },
    saves: {
      triggers: config.autoCheckpoint ? automaticTriggers.filter((one) => config.triggers.includes(one)) : [],
      intervalMs: config.intervalMinutes * 60_000,
      keep: config.maxCheckpoints,
    },
    approval: {...defaultPolicy.approval, on: options.approveOutsideEffects},
    assumeReadyMs: adapter.ready.afterMs,
  };
};

/** Only numbers that the policy has; whatever else is in there is left alone. */
const tuned = <T extends object>(policy: T, text: string | undefined): T => {
  if (text === undefined || text === '') return policy;
  try {
    return merged(policy, JSON.parse(text));
  } catch {
    return policy;
  }
};

const merged = <T extends object>(policy: T, changes: unknown): T => {
  const given = new Map(typeof changes === 'object' && changes !== null ? Object.entries(changes) : []);
  const entries = Object.entries(policy).map(([name, value]: [string, unknown]) => {
    const change: unknown = given.get(name);
    if (typeof value === 'number' && typeof change === 'number') return [name, change];
    return [name, typeof value === 'object' && value !== null ? merged(value, change) : value];
  });
  return Object.fromEntries(entries) as T;
};
