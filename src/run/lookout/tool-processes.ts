// Which processes belong to the open tool call of a leg, whether they work, and which were left running by earlier calls.

import type {ProcessNote} from '../../baton/checkpoint.ts';
import {openCall} from '../../baton/facts.ts';
import {DOUBT_MS, leftRunning, processNotes} from '../../baton/left-running.ts';
import type {LegNumber} from '../../core/ids.ts';
import type {AgentProcess, MarkedRef, ProcessRef} from '../../ports.ts';
import type {LegWatch} from '../leg/leg-watch.ts';
import type {Ports, RunPlan} from '../plan.ts';

export interface LegTools {
  plan: Pick<RunPlan, 'run' | 'relay'>;
  ports: Pick<Ports, 'processes'>;
  watch: Pick<LegWatch, 'facts' | 'settle'>;
  process: Pick<AgentProcess, 'pid'>;
  number: LegNumber;
}

/** Those that were born since the call began: not the agent's own, not the background ones of earlier calls. */
export const openTools = async (leg: LegTools): Promise<ProcessRef[]> => {
  await leg.watch.settle().catch(() => undefined);
  const call = openCall(leg.watch.facts());
  if (call === undefined) return [];
  return (await belowAgent(leg)).filter(({bornAt}) => {
    // Nobody knows when: better ended than writing behind the baton's back.
    return call.at === undefined || bornAt === undefined || bornAt >= call.at - DOUBT_MS;
  });
};

/** The background processes of finished calls, of this leg and those before. */
export const leftBehind = async ({plan, ports, watch, process, number}: LeftOf): Promise<MarkedRef[]> =>
  leftRunning(await ports.processes.ofRun(plan.run), {
    ...{leg: number, agent: process?.pid, facts: watch.facts(), relay: plan.relay},
  });

/** Where its process is not known, birth times alone must tell. */
export type LeftOf = Omit<LegTools, 'process'> & {process: LegTools['process'] | undefined};

/** The same for the baton. */
export const leftNotes = async (leg: LeftOf): Promise<ProcessNote[]> => {
  const left = await leftBehind(leg);
  const ports = await leg.ports.processes.ports(left.map(({pid}) => pid));
  return processNotes(left, ports, leg.watch.facts());
};

/** A call without a process of its own works in one that was there before: an MCP server, a shell kept open. */
export const toolWork = async (leg: LegTools): Promise<number> => {
  const own = await openTools(leg);
  return leg.ports.processes.work(own.length > 0 ? own : await belowAgent(leg));
};

const belowAgent = async ({plan, ports, process, number}: LegTools): Promise<ProcessRef[]> => {
  const [below, marked] = await Promise.all([
    ports.processes.descendants(process.pid),
    ports.processes.ofLeg(plan.run, number),
  ]);
  const all = new Map([...below, ...marked].map((ref) => [ref.pid, ref]));
  all.delete(process.pid);
  return [...all.values()];
};
