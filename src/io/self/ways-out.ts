/**
 * Runs `act` once on every way out of this process that can be caught: its end, an uncaught error (Node ends through
 * 'exit' then too), and a deadly signal that nobody else handles. `act` must be synchronous. Returns its off.
 */
export const onWayOut = (act: () => void): (() => void) => {
  const signals = deadly.map((name) => {
    const hear = (): void => {
      // Somebody else listens: they decide, and 'exit' comes in its time.
      if (process.listeners(name).some((listener) => !idle.has(listener))) return;
      leave();
      process.kill(process.pid, name);
    };
    return overhear(name, hear);
  });
  const off = (): void => {
    process.off('exit', leave);
    for (const unhear of signals) unhear();
  };
  const leave = (): void => {
    off();
    act();
  };
  process.on('exit', leave);
  return off;
};

const deadly = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/** Listeners that decide nothing about the signal. */
const idle = new WeakSet<object>();

/** Hears a signal without a say in it: one that nobody else listens to still ends the process. Returns its off. */
export const overhear = (name: NodeJS.Signals, hear: () => void): (() => void) => {
  idle.add(hear);
  process.prependListener(name, hear);
  return () => {
    process.off(name, hear);
  };
};
