// What an exit status means for this agent, by its adapter's table.

import type {ExitMeaning, ExitStatus} from '../core/events.ts';
import type {Adapter} from './adapter.ts';

/** Signals that a program raises against itself when it breaks: ILL, TRAP, ABRT, BUS, FPE, SEGV, SYS. */
const faults = new Set([4, 5, 6, 7, 8, 11, 31]);

export const exitMeaning = ({exit: table}: Adapter, {code, signal}: ExitStatus): ExitMeaning => {
  if (signal !== undefined) return faults.has(signal) ? 'crashed' : 'killed';
  if (table.clean.includes(code)) return 'clean';
  return table.killed.includes(code) ? 'killed' : 'crashed';
};
