// What befalls the relay on its way, written by whoever wants to see what is left of the work afterwards.

import {appendFileSync} from 'node:fs';
import type {Act, Hazard, Inside} from './acts.ts';

export interface Hazards {
  /** Each is given out once. */
  before(step: number): Act | undefined;
  inside(step: number): Inside | undefined;
}

export const openHazards = (plan: {hazards: Hazard[]; hazardLog: string | undefined}): Hazards => {
  const left = new Set(plan.hazards);
  const take = (hazard: Hazard): void => {
    left.delete(hazard);
    const line = JSON.stringify({leg: Number(process.env.CKPT_LEG ?? 1), ...hazard});
    if (plan.hazardLog !== undefined) appendFileSync(plan.hazardLog, `${line}\n`);
  };
  return {
    before: (step) => {
      for (const hazard of left) {
        if (hazard.step !== step || !('before' in hazard)) continue;
        take(hazard);
        return hazard.before;
      }
      return undefined;
    },
    inside: (step) => {
      for (const hazard of left) {
        if (hazard.step !== step || !('inside' in hazard)) continue;
        take(hazard);
        return hazard;
      }
      return undefined;
    },
  };
};
