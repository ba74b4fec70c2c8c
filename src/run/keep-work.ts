// What a checkpoint stands for beyond its words: the working tree, and at a leg's end its session log. What cannot be saved
// makes it thinner, and it says so.

import type {CheckpointDraft} from '../baton/checkpoint.ts';
import {withLog, withWorkspace} from '../baton/workspace.ts';
import {fail, ok, type Result} from '../core/failure.ts';
import type {CheckpointId, LegNumber} from '../core/ids.ts';
import type {Death} from '../core/state.ts';
import type {CaptureTrigger} from '../core/triggers.ts';
import type {Ports, RunPlan} from './plan.ts';

export interface Work {
  leg: LegNumber;
  trigger: CaptureTrigger;
  death: Death | undefined;
  log: {path: string; offset: number} | undefined;
}

/** Told by a function that puts it into the checkpoint. */
export const keepWork = async (
  {track, run}: RunPlan,
  {keeper}: Ports,
  {leg, trigger, death, log}: Work,
): Promise<(draft: CheckpointDraft) => CheckpointDraft> => {
  const isLast = death !== undefined || trigger === 'end';
  const message = `${run}, leg ${leg}: ${death?.cause ?? trigger}`;
  const [files, copied] = await Promise.all([
    safely(keeper.files({track, message})),
    isLast && log !== undefined ? safely(keeper.log({leg, path: log.path, bytes: log.offset})) : undefined,
  ]);
  return (draft) => {
    const whole = withWorkspace(draft, files);
    return copied === undefined ? whole : withLog(whole, copied);
  };
};

/** For a checkpoint of this run that holds no files yet. */
export const completeFiles = async (
  {track, run}: RunPlan,
  {keeper, store}: Ports,
  id: CheckpointId,
): Promise<Result<void>> => {
  const found = await store.read(id);
  if (!found.ok) return found;
  if (found.value.run !== run || found.value.workspace !== undefined) return ok(undefined);
  return store.complete(id, await safely(keeper.files({track, message: found.value.step})));
};

const safely = async <T>(work: Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail({is: 'system', doing: 'save the work', code: 'unknown', message});
  }
};
