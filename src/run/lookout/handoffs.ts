// Measures each handoff while its leg lives: handoff.json in the leg's folder, and a line of the journal when it has ended.

import type {LegFacts} from '../../baton/facts.ts';
import {handoffMeasures, type Known, learn, measureWords, nothingKnown} from '../../baton/handoff-measures.ts';
import {redactAll, redactor, secretValues} from '../../baton/redact.ts';
import type {RunEvent} from '../../core/events.ts';
import type {CheckpointId, LegNumber} from '../../core/ids.ts';
import {type Handoff, handoffFields} from '../../report/handoff.ts';
import type {Ports, RunPlan} from '../plan.ts';

export interface Handoffs {
  /** A leg has been started. Without a baton nothing was handed over to it. */
  begin(leg: {number: LegNumber; baton: CheckpointId | undefined; startedAt: number; facts(): LegFacts}): void;
  hear(event: RunEvent): void;
  /** Those of this run so far. */
  all(): Handoff[];
}

export const newHandoffs = (plan: RunPlan, ports: Pick<Ports, 'clock' | 'files'>): Handoffs => {
  const {clock, files} = ports;
  const redact = redactor(secretValues(plan.env));
  const all = new Map<LegNumber, Handoff>();
  // Whoever goes on with another's work does not know what that did.
  let known: Known | undefined = plan.continues === undefined && plan.remains === undefined ? nothingKnown : undefined;
  let now: (Parameters<Handoffs['begin']>[0] & {uptakeAt: number | undefined; written: string}) | undefined;

  const measure = (): Handoff | undefined => {
    if (now?.baton === undefined) return undefined;
    const measures = handoffMeasures({known, after: now.facts(), startedAt: now.startedAt, uptakeAt: now.uptakeAt});
    const record: Handoff = redactAll({leg: now.number, baton: now.baton, ...measures}, redact);
    all.set(now.number, record);
    const text = `${JSON.stringify({schema_version: 1, run: plan.run, ...handoffFields(record)}, undefined, 2)}\n`;
    if (text !== now.written) files.writeLeg(now.number, 'handoff.json', text);
    now.written = text;
    return record;
  };

  return {
    begin: (leg) => {
      if (now !== undefined && known !== undefined) known = learn(known, now.facts());
      now = {...leg, uptakeAt: undefined, written: ''};
    },
    hear: (event) => {
      if (now === undefined || !('leg' in event) || event.leg !== now.number) return;
      if (event.type === 'uptake-seen') now.uptakeAt = now.startedAt + event.afterMs;
      if (event.type === 'uptake-seen' || event.type === 'idle') measure();
      if (event.type !== 'agent-exited') return;
      const record = measure();
      if (record === undefined) return;
      const at = new Date(clock.now()).toISOString();
      files.journal({at, run: plan.run, leg: now.number, event: 'handoff-measured', what: measureWords(record)});
    },
    all: () => [...all.values()],
  };
};
