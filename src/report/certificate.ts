// The death certificate: why a leg ended, with all the evidence and numbers. Read by `ckpt why`.

import type {LegFacts} from '../baton/facts.ts';
import type {LegNumber, RunId} from '../core/ids.ts';
import type {Death} from '../core/state.ts';
import {deathWords} from './messages.ts';

export interface Certified {
  leg: LegNumber;
  death: Death;
  progress: boolean;
  decision: string;
}

interface Of {
  run: RunId;
  track: string;
  adapter: {name: string};
  version: string | undefined;
}

interface Watched {
  facts(): LegFacts;
  log(): {path: string; offset: number; sessionId: string} | undefined;
}

export const certificate = (
  plan: Of,
  {leg, death, progress, decision}: Certified,
  watch: Watched | undefined,
): string => {
  const facts = watch?.facts();
  const log = watch?.log();
  const record = {
    schema_version: 1,
    run: plan.run,
    leg,
    track: plan.track,
    agent: plan.adapter.name,
    version: facts?.agentVersion ?? plan.version,
    cause: death.cause,
    in_words: deathWords(death),
    at: new Date(death.at).toISOString(),
    exit: death.exit,
    evidence: death.evidence,
    progress,
    decision,
    finished_calls: facts?.callCount,
    context_tokens: facts?.contextTokens,
    session: log === undefined ? undefined : {id: log.sessionId, log: log.path, offset: log.offset},
  };
  return `${JSON.stringify(record, undefined, 2)}\n`;
};
