// The two keys that mean something to us. Everything goes to the agent as it was typed; we only look.
//
// With the kitty keyboard on, terminals send Ctrl-C as `CSI 99 ; 5 u` (further fields may follow a colon). A letter in
// the middle of a long paste is not a key: only a read that is a key, or ends with one, counts.

/** Ctrl-C. */
export const isQuitKey = (typed: Buffer): boolean => isCtrl(typed, 0x03, 99);

/** Ctrl-Z. */
export const isSuspendKey = (typed: Buffer): boolean => isCtrl(typed, 0x1a, 122);

const isCtrl = (typed: Buffer, byte: number, letter: number): boolean => {
  if (typed.length > LONGEST) return false;
  if (typed.includes(byte)) return true;
  return new RegExp(`\\x1b\\[${letter}(:\\d*)*;5(:1)?u`).test(typed.toString('latin1'));
};

/** Several keys may come in one read when we were busy; a paste is longer. */
const LONGEST = 64;
