/**
 * Stops our own job as Ctrl-Z does: the whole process group, so that the shell that started us says "Stopped". Calls
 * `awake` when we run again: with 'continued' after fg, with 'refused' where nobody could continue us (no shell with
 * job control above us; the kernel then ignores the stop).
 */
export const stopOurJob = (awake: (how: 'continued' | 'refused') => void): void => {
  const done = (how: 'continued' | 'refused'): void => {
    clearTimeout(timer);
    clearImmediate(turn);
    process.off('SIGCONT', hear);
    awake(how);
  };
  const hear = (): void => done('continued');
  process.on('SIGCONT', hear);
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // After a long stop it is overdue, and timers come before signals: give the signal its turn.
    turn = setImmediate(() => done('refused'));
  }, WAIT_MS);
  process.kill(0, 'SIGTSTP');
};

/** From the call to the stop itself: other threads and processes are stopped one by one. */
const WAIT_MS = 250;
