// Waiting between two looks; Ctrl-C or SIGTERM ends the wait, and with it the looking.

export const pauser = (): ((ms: number) => Promise<boolean>) => {
  let asked = false;
  let wake: (() => void) | undefined;
  const end = (): void => {
    asked = true;
    wake?.();
  };
  let listening = false;
  return (ms) => {
    // Only whoever waits listens: a command that never does dies of Ctrl-C as any other.
    if (!listening) process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);
    listening = true;
    if (asked) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => wake?.(), ms);
      wake = () => {
        clearTimeout(timer);
        wake = undefined;
        resolve(!asked);
      };
    });
  };
};
