// Signals to us. SIGINT and SIGTERM: the person (or the system) ends the run. SIGHUP: the terminal went away.

import {constants} from 'node:os';

export const watchSignals = (on: (signal: number | 'hangup') => void): (() => void) => {
  const quit = (name: NodeJS.Signals): void => on(constants.signals[name]);
  const hangup = (): void => on('hangup');
  process.on('SIGINT', quit).on('SIGTERM', quit).on('SIGHUP', hangup);
  return () => {
    process.off('SIGINT', quit).off('SIGTERM', quit).off('SIGHUP', hangup);
  };
};
