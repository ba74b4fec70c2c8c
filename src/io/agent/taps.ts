import type {AgentTaps} from '../../ports.ts';

/** Observers cannot hurt: a tap that throws is dropped for the rest of the leg, and noted once. */
export const safeTaps = (taps: AgentTaps, note: (what: string) => void): AgentTaps => {
  const dropped = new Set<string>();
  const call = (name: string, act: () => void): void => {
    if (dropped.has(name)) return;
    try {
      act();
    } catch (error) {
      dropped.add(name);
      note(`${name} failed and is off for this leg: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return {
    onOutput: (chunk) => call('onOutput', () => taps.onOutput(chunk)),
    onResize: (cols, rows) => call('onResize', () => taps.onResize(cols, rows)),
    // Its own bug would leave the run waiting for ever: this one is told, not hidden.
    onExit: (exit) => taps.onExit(exit),
  };
};
