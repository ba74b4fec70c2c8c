// What we want to be true of the figures. A goal that is not reached stays in the table, with its figure and the reason.

import {countGoals} from './count-goals.ts';
import {at, numberAt} from './figure-fields.ts';
import type {Figures} from './proof-section.ts';
import {speedGoals} from './speed-goals.ts';

export interface Row {
  what: string;
  measured: string;
  goal: string;
  met: boolean;
  /** What makes the figure worth less: the short mode, a busy machine. */
  but: string[];
  /** Of a goal that is not reached. */
  why?: string;
}

export const goals = (figures: Figures): Row[] =>
  [...countGoals, ...speedGoals].flatMap(({file, what, goal, see, why}) => {
    const kept = figures[file];
    const seen = see(kept);
    if (seen === undefined) return [];
    const others = numberAt(kept, 'othersBusy');
    const but = [
      ...(at(kept, 'quick') === true ? ['short mode'] : []),
      ...(others !== undefined && others > BUSY ? [`others kept ${others} cores busy`] : []),
    ];
    const reason = seen.met || why === undefined ? {} : {why};
    return [{what, goal, but, ...seen, ...reason}];
  });

/** Cores, in the second before it was measured. */
const BUSY = 0.3;
