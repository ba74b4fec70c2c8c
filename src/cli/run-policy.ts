// Defaults, then ckpt.yaml and the person's config, then the command line → the policy of one run.

import type {Adapter} from '../adapter/adapter.ts';
import type {Config} from '../config/config.ts';
import type {Failure} from '../core/failure.ts';
import type {Policy} from '../core/policy.ts';
import {automaticTriggers} from '../core/triggers.ts';
import {agentPolicy} from '../run/plan.ts';
import type {RunOptions} from './run-options.ts';

const HOUR = 3_600_000;

interface Given {
  config: Config;
  adapter: Adapter;
  headless: boolean;
  terminal: boolean;
}

export const policyOf = (options: RunOptions, {config, adapter, headless, terminal}: Given): Policy => {
  const set = config.policy;
  return {
    ...set,
    attended: terminal && !options.untilDone && !options.detach,
    headless,
    untilDone: options.untilDone,
    onCompaction: options.onCompaction ?? set.onCompaction,
    leftovers: options.leftovers ?? set.leftovers,
    maxLegs: options.maxLegs ?? set.maxLegs,
    maxMs: options.maxHours === undefined ? set.maxMs : options.maxHours * HOUR,
    maxTokens: options.maxTokens ?? set.maxTokens,
    maxDollars: options.maxCost ?? set.maxDollars,
    takeovers: options.takeover,
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
    approval: {...set.approval, on: options.approveOutsideEffects},
    ...agentPolicy(adapter),
  };
};

/** A gate that nobody keeps is worse than none. */
export const cannotHold = ({name}: Adapter): Failure => ({
  is: 'bad-usage',
  what: `--approve-outside-effects: ${name} has no hook in which a call could be held`,
  fix: 'leave it out, or run claude or codex',
});
