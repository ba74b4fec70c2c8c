import {setTimeout as wait} from 'node:timers/promises';

/** Looks again and again until it holds; throws with `what` in its words when the time is up. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> => {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain for this: ${what}`);
    await wait(25);
  }
};
