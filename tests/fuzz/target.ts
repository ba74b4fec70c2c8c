import type {Dice} from '../soak/dice.ts';

/** Something that reads what others have written. */
export interface Target {
  name: string;
  /** Its part of all cases: what is slow gets fewer. */
  share: number;
  play(dice: Dice): void;
}
