// What is seen of a leg beyond single signals, over time: that it hangs, that it took its baton up, moments worth a
// checkpoint.

import type {Checkpoint} from '../../baton/checkpoint.ts';
import {openCall} from '../../baton/facts.ts';
import {isUptake} from '../../baton/uptake.ts';
import type {RunEvent, Signal} from '../../core/events.ts';
import type {Ports, RunPlan} from '../plan.ts';
import {watchMoments} from './moment-watch.ts';
import {keepOutsideLedger} from './outside-ledger.ts';
import {watchStalls} from './stall-watch.ts';
import {type LegTools, toolWork} from './tool-processes.ts';
import {watchVersion} from './version-watch.ts';

export interface Lookout {
  /** A sign of life from a structured channel. */
  heard(): void;
  see(signal: Signal): void;
  close(): void;
}

export interface LookoutPlan extends LegTools {
  plan: RunPlan;
  ports: Ports;
  /** The agent's own: with what we have set for it. */
  env: Record<string, string>;
  post(event: RunEvent): void;
  /** What it is to take up. */
  baton: Checkpoint | undefined;
}

export const keepLookout = (leg: LookoutPlan): Lookout => {
  const {plan, ports, watch, number, post} = leg;
  const {clock} = ports;
  const stalls = watchStalls({
    ...{leg: number, clock, bounds: plan.policy.hang, post},
    tellsReady: plan.adapter.ready.afterMs === undefined,
    openCall: () => openCall(watch.facts()),
    callCount: () => watch.facts().callCount,
    toolWork: () => toolWork(leg),
    settle: () => watch.settle().catch(() => undefined),
  });
  const moments = watchMoments({
    ...{leg: number, clock, post, facts: watch.facts, head: () => ports.workspace.head()},
    onUsage: (tokens, dollars) => {
      const {maxTokens, maxDollars} = plan.policy;
      if (maxTokens === undefined && maxDollars === undefined) return;
      post({type: 'usage-seen', at: clock.now(), leg: number, tokens, dollars});
    },
    compactsAt: (facts) => plan.code.compactsAt?.(facts, leg.env, plan.policy.context.windowTokens),
    share: plan.policy.context.share,
  });
  const uptake = watchUptake(leg);
  const outside = keepOutsideLedger(leg);
  const version = watchVersion(leg);
  return {
    heard: () => {
      stalls.heard();
      moments.heard();
      uptake.heard();
      outside.heard();
      version.heard();
    },
    see: stalls.see,
    close: () => {
      stalls.close();
      moments.close();
      outside.close();
    },
  };
};

/** By what it does, saves or answers (baton/uptake.ts). */
const watchUptake = ({ports: {clock}, watch, number, post, baton}: LookoutPlan) => {
  const born = clock.now();
  let seen = baton === undefined;
  return {
    heard: (): void => {
      if (seen || baton === undefined) return;
      const {took, by} = isUptake(watch.facts(), baton);
      seen = took;
      if (took) post({type: 'uptake-seen', at: clock.now(), leg: number, by, afterMs: clock.now() - born});
    },
  };
};
