// What a run leaves running when it ends: named, so that nobody wonders later; or ended, where that was asked for.

import type {ProcessNote} from '../../baton/checkpoint.ts';
import {noFacts} from '../../baton/facts.ts';
import {processNotes, processWords} from '../../baton/left-running.ts';
import type {MarkedRef} from '../../ports.ts';
import type {Ports, RunPlan} from '../plan.ts';

/** What ends with its agent (MCP servers, last hooks) needs a moment for it. */
const LOOKS = 4;
const LOOK_MS = 250;

export const leftAtEnd = async (plan: RunPlan, ports: Ports): Promise<ProcessNote[]> => {
  const {processes, files, clock} = ports;
  const look = (): Promise<MarkedRef[]> => processes.ofRun(plan.run).catch(() => []);
  let left = await look();
  if (plan.policy.leftovers === 'end' && left.length > 0) {
    await processes.end(left);
    left = await look();
  }
  for (let looks = 1; left.length > 0 && looks < LOOKS; looks += 1) {
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    left = await look();
  }
  if (left.length === 0) return [];
  const notes = processNotes(left, await processes.ports(left.map(({pid}) => pid)), noFacts);
  const what = notes.map(processWords).join('; ');
  files.journal({at: new Date(clock.now()).toISOString(), run: plan.run, event: 'left-running', what});
  return notes;
};
