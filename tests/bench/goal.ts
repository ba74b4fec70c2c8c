import {numberAt} from './figure-fields.ts';
import {round2} from './machine.ts';

export interface Goal {
  file: string;
  what: string;
  goal: string;
  /** Undefined: not measured. */
  see(figures: unknown): {measured: string; met: boolean} | undefined;
  why?: string;
}

export const most =
  (path: string[], limit: number, unit: string): Goal['see'] =>
  (figures) => {
    const value = numberAt(figures, ...path);
    return value === undefined ? undefined : {measured: `${round2(value)}${unit}`, met: value <= limit};
  };
export const least =
  (path: string[], limit: number, unit: string): Goal['see'] =>
  (figures) => {
    const value = numberAt(figures, ...path);
    return value === undefined ? undefined : {measured: `${round2(value)}${unit}`, met: value >= limit};
  };
