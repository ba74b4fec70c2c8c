// Agents update themselves between two legs. Whoever reads a death the next morning must know with which program it began.

import type {Checkpoint} from '../../baton/checkpoint.ts';
import type {LegNumber} from '../../core/ids.ts';
import type {LegWatch} from '../leg/leg-watch.ts';
import type {Ports, RunPlan} from '../plan.ts';

interface OfLeg {
  plan: RunPlan;
  ports: Ports;
  watch: Pick<LegWatch, 'facts'>;
  number: LegNumber;
  baton: Checkpoint | undefined;
}

/** Told once per leg, when the version that its log tells is another than the baton's. Trust is asked before every start. */
export const watchVersion = ({plan, ports, watch, number, baton}: OfLeg): {heard(): void} => {
  const {name, binary} = plan.adapter;
  const from = baton?.conversation?.agent === name ? baton.conversation.version : undefined;
  let seen = from === undefined;
  return {
    heard: () => {
      const to = seen ? undefined : watch.facts().agentVersion;
      if (to === undefined) return;
      seen = true;
      if (to === from) return;
      const tested = binary.tested.includes(to);
      const at = new Date(ports.clock.now()).toISOString();
      ports.files.journal({at, run: plan.run, leg: number, event: 'version-changed', from, to, tested});
      const known = tested ? '' : `; ckpt-run was tested with ${binary.tested.join(', ') || 'none'}`;
      ports.stage.tell(`ckpt-run: leg ${number} is ${name} ${to}, the one before was ${from}${known}`);
    },
  };
};
