import type {StopStep} from '../../adapter/adapter.ts';

export interface Stoppable {
  /** Resolves when the process is gone and its last byte has been handed on. */
  gone: Promise<void>;
  type(keys: string): void;
  signal(name: NodeJS.Signals, to: 'process' | 'group'): void;
}

export interface Stopped {
  /** `itself`, `key ^D`, `SIGTERM`, …; `nothing` when even SIGKILL did not end it. */
  endedBy: string;
  forced: boolean;
}

/**
 * Asks, waits, forces, and admits which it was. What asks goes to the process alone, so that it can end its own helpers
 * in order; what forces goes to its whole group. A process that survives all steps is killed; one that survives that
 * (it hangs in the kernel) is given up after a while, so that nobody waits for ever.
 */
export const stopProcess = async (target: Stoppable, steps: StopStep[]): Promise<Stopped> => {
  if (await within(target.gone, 0)) return {endedBy: 'itself', forced: false};
  for (const step of steps) {
    take(target, step);
    if (await within(target.gone, step.waitMs)) return {endedBy: nameOf(step), forced: isForce(step)};
  }
  take(target, lastResort);
  const ended = await within(target.gone, lastResort.waitMs);
  return {endedBy: ended ? nameOf(lastResort) : 'nothing', forced: true};
};

const lastResort: StopStep = {signal: 'SIGKILL', waitMs: 5000};

const isForce = (step: StopStep): boolean => 'signal' in step && step.signal === 'SIGKILL';

const take = (target: Stoppable, step: StopStep): void => {
  if ('key' in step) target.type(step.key);
  else target.signal(step.signal, isForce(step) ? 'group' : 'process');
  // One that Ctrl-Z has stopped would hear of nothing but SIGKILL.
  target.signal('SIGCONT', 'group');
};

/** `key ^D`: caret notation, since the steps carry the bytes themselves. */
const nameOf = (step: StopStep): string => {
  if (!('key' in step)) return step.signal;
  const shown = [...step.key].map((char) => (char < ' ' ? `^${String.fromCharCode(char.charCodeAt(0) + 64)}` : char));
  return `key ${shown.join('')}`;
};

const within = async (gone: Promise<void>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([gone.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
};
