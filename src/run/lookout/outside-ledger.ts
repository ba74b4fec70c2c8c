// The ledger of outside effects: every call of the log that is felt beyond this folder gets a line in the journal, once it
// has come to its end. What no restore brings back can be looked up there.

import {redactor, secretValues} from '../../baton/redact.ts';
import type {LegNumber} from '../../core/ids.ts';
import type {LegWatch} from '../leg/leg-watch.ts';
import type {Ports, RunPlan} from '../plan.ts';

const LOOK_MS = 1000;

export interface OutsideLedger {
  heard(): void;
  close(): void;
}

interface OfLeg {
  plan: RunPlan;
  ports: Ports;
  watch: Pick<LegWatch, 'facts'>;
  number: LegNumber;
}

export const keepOutsideLedger = ({plan, ports, watch, number}: OfLeg): OutsideLedger => {
  const {clock, files} = ports;
  const known = new Set<string>();
  const redact = redactor(secretValues(plan.env));
  let off: (() => void) | undefined;
  let closed = false;
  const look = (): void => {
    off = undefined;
    for (const {id, name, input, state, outside} of watch.facts().recentCalls) {
      if (!outside || state === 'open' || known.has(id)) continue;
      known.add(id);
      const at = new Date(clock.now()).toISOString();
      const what = redact(`${name}: ${input}`).slice(0, 300);
      files.journal({at, run: plan.run, leg: number, event: 'outside-effect', what, outcome: state});
    }
  };
  return {
    heard: () => {
      if (!closed) off ??= clock.after(LOOK_MS, look);
    },
    close: () => {
      closed = true;
      if (off === undefined) return;
      off();
      look();
    },
  };
};
