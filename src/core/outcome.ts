// What ckpt-run exits with. The agent's own code passes through; death by signal is 128 + n, as a shell tells it.

import type {ExitStatus} from './events.ts';
import {exitCodes} from './failure.ts';
import type {Outcome} from './state.ts';
import {unreachable} from './unreachable.ts';

export const codeOfExit = ({code, signal}: ExitStatus): number => (signal === undefined ? code : 128 + signal);

export const codeOfOutcome = (outcome: Outcome): number => {
  switch (outcome.is) {
    case 'ended':
    case 'start-failed':
    case 'gave-up':
      return codeOfExit(outcome.exit);
    case 'done':
      return 0;
    case 'spawn-failed':
      return exitCodes.system;
    case 'parked':
      return exitCodes.parked;
    case 'quit': {
      // An agent that was asked to end may say 0; whoever sent the signal expects to see it.
      const own = outcome.exit === undefined ? 0 : codeOfExit(outcome.exit);
      return own === 0 ? 128 + outcome.signal : own;
    }
    default:
      return unreachable(outcome);
  }
};
