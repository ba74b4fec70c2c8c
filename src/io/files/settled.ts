// Old enough to be known again by its times: who writes to it once more leaves others.

export interface Settling {
  now(): number;
  /** Exactly so old; undefined: as old as its file system makes it necessary. */
  settleMs: number | undefined;
}

interface Times {
  ctimeNs: bigint;
  mtimeMs: bigint;
  ctimeMs: bigint;
}

/** Where times have whole seconds. */
const coarseMs = 1500;
/** Elsewhere they move with the ticks of the kernel's clock: 10 ms, on Windows 16. */
const fineMs = 30;

/** `now`: from before whatever it is asked for was begun. */
export const isSettled = ({ctimeNs, mtimeMs, ctimeMs}: Times, {now, settleMs}: Settling): boolean => {
  // Nobody can set this one by hand.
  const enough = settleMs ?? (ctimeNs % 1_000_000_000n === 0n ? coarseMs : fineMs);
  return now() - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs) >= enough;
};
