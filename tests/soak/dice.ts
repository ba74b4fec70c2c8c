/** The same numbers for the same seed: every run of the soak can be played again. */
export interface Dice {
  /** 0 ≤ x < 1 */
  next(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(of: readonly T[]): T;
  /** True one time in `n`. */
  oneIn(n: number): boolean;
}

/** mulberry32 */
export const newDice = (seed: number): Dice => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: (of) => {
      const one = of[between(0, of.length - 1)];
      if (one === undefined) throw new Error('Nothing to pick from');
      return one;
    },
    oneIn: (n) => next() * n < 1,
  };
};
