// The first words of a leg: nothing for leg 1 (the person's go untouched), protocol and baton for all that follow.

import type {Checkpoint} from '../baton/checkpoint.ts';
import {jsonFileOf} from '../baton/naming.ts';
import {reconcile} from '../baton/reconcile.ts';
import {renderPrompt} from '../baton/render.ts';
import {fail, ok, type Result} from '../core/failure.ts';
import type {CheckpointId, LegNumber} from '../core/ids.ts';
import {closedTrack} from '../report/refusals.ts';
import type {Ports, RunPlan} from './plan.ts';

/** The baton rendered against git as it is now. It is marked as used when its leg is there (perform.ts), not before. */
export const readBaton = async (
  plan: RunPlan,
  ports: Ports,
  {baton, leg}: {baton: CheckpointId; leg: LegNumber},
): Promise<Result<{prompt: string; checkpoint: Checkpoint}>> => {
  const read = await ports.store.read(baton);
  if (!read.ok) return read;
  if (read.value.track !== plan.track) {
    return fail({
      is: 'baton-refused',
      what: `${baton} belongs to track "${read.value.track}", not to "${plan.track}"`,
      fix: `start with --track ${read.value.track}`,
    });
  }
  if (read.value.closed !== undefined) return fail(closedTrack(read.value.track, read.value.closed));
  const by = read.value.consumed_by;
  if (by !== undefined && by.run !== plan.run) {
    return fail({
      is: 'baton-refused',
      what: `${baton} was already taken up by ${by.run}, leg ${by.leg}`,
      fix: `ckpt show ${baton}`,
    });
  }
  return ok({prompt: await prompt(plan, ports, {checkpoint: read.value, leg}), checkpoint: read.value});
};

export const prompt = async (
  plan: RunPlan,
  ports: Ports,
  {checkpoint, leg}: {checkpoint: Checkpoint; leg: LegNumber},
): Promise<string> => {
  const {workspace} = ports;
  const [git, since] = await Promise.all([workspace.facts(), workspace.since?.(checkpoint).catch(() => undefined)]);
  return renderPrompt({
    checkpoint,
    drift: reconcile(checkpoint, {...git, since}),
    ckptBin: plan.ckptBin,
    dir: plan.checkpointDir,
    legNumber: leg,
    fullPath: `${plan.checkpointDir}/${jsonFileOf(checkpoint.id)}`,
    agent: plan.adapter.name,
  });
};
