import {exitCodeOf} from '../core/failure.ts';
import {failureText} from './commands/failure-text.ts';
import type {Outcome, World} from './commands/world.ts';

/** Says why a command failed, if it did; the exit code comes back. */
export const told = async (world: World, outcome: Outcome): Promise<number> => {
  const result = await outcome;
  if (result.ok) return result.value ?? 0;
  world.err(failureText(result.failure));
  return exitCodeOf(result.failure);
};
