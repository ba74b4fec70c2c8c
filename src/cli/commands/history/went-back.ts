// What a restore has done, for those who tell it.

import type {Checkpoint} from '../../../baton/checkpoint.ts';
import type {CannotUndo} from '../../../history/cannot-undo.ts';
import type {RestorePlan} from '../../../history/restore-plan.ts';

export interface WentBack {
  target: Checkpoint;
  dry: boolean;
  /** Undefined: no files were asked for. */
  plan: RestorePlan | undefined;
  /** The checkpoint of the moment before. */
  undo: Checkpoint | undefined;
  /** The old baton, written again. */
  baton: Checkpoint | undefined;
  cannot: CannotUndo;
}
