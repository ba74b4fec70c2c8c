// Sees that nothing happens (DESIGN §8): an open turn in which no hook comes, no line is logged and no tool works. What the
// agent prints and how much CPU it takes prove nothing: spinners run through hangs.

import type {ToolCall} from '../../baton/facts.ts';
import type {RunEvent, Signal} from '../../core/events.ts';
import type {LegNumber} from '../../core/ids.ts';
import type {Policy} from '../../core/policy.ts';
import {unreachable} from '../../core/unreachable.ts';
import type {Clock} from '../../ports.ts';

export interface StallPlan {
  leg: LegNumber;
  clock: Clock;
  bounds: Policy['hang'];
  /** An agent that cannot tell when it is ready is not missed when it does not. */
  tellsReady: boolean;
  openCall(): ToolCall | undefined;
  /** How many calls have ended. */
  callCount(): number;
  /** What the processes of the open call have done so far, in CPU ticks and I/O: differs when they have worked. */
  toolWork(): Promise<number>;
  /** All that the agent has written is read. */
  settle(): Promise<void>;
  post(event: Extract<RunEvent, {type: 'hang-seen'}>): void;
}

export interface StallWatch {
  /** A hook, or a line of the log that tells something. */
  heard(): void;
  see(signal: Signal): void;
  close(): void;
}

const LOOK_MS = 15_000;
const LEAST_MS = 250;

type Stretch = Extract<RunEvent, {type: 'hang-seen'}>['in'];

export const watchStalls = (plan: StallPlan): StallWatch => {
  const {clock, bounds} = plan;
  const every = Math.max(LEAST_MS, Math.min(LOOK_MS, bounds.thinkingMs / 4, bounds.toolMs / 4));
  const turn = newTurn(plan);
  let quietMs = 0;
  let lookedAt = clock.now();
  let told = false;
  let work: number | undefined;
  let closed = false;
  let off: () => void = () => {};

  const heard = (): void => {
    quietMs = 0;
    told = false;
    lookedAt = clock.now();
  };
  const look = async (): Promise<void> => {
    const stretch = turn.stretch();
    if (stretch === undefined) heard();
    // Nobody could look while the machine slept or we were stopped: that time is not held against the agent.
    quietMs += Math.min(Math.max(0, clock.now() - lookedAt), 2 * every);
    lookedAt = clock.now();
    if (stretch === undefined || told) return;
    if (stretch === 'tool') {
      const now = await plan.toolWork();
      if (now !== work) quietMs = 0;
      work = now;
    }
    const bound = stretch === 'tool' ? bounds.toolMs : bounds.thinkingMs;
    if (quietMs < bound) return;
    await plan.settle();
    // What was just read may have been a sign of life, or the end of the turn.
    if (closed || quietMs < bound || turn.stretch() !== stretch) return;
    told = true;
    const detail = words(stretch, plan.openCall(), {quietMs, bound});
    plan.post({
      ...{type: 'hang-seen', at: clock.now(), leg: plan.leg, in: stretch},
      evidence: [{channel: 'process', detail}],
    });
  };
  let looking = false;
  const again = (): void => {
    off = clock.after(every, () => {
      again();
      if (looking) return;
      looking = true;
      const done = (): void => {
        looking = false;
      };
      look().then(done, done);
    });
  };
  again();
  return {
    heard,
    see: (signal) => {
      turn.see(signal);
      heard();
    },
    close: () => {
      closed = true;
      off();
    },
  };
};

const words = (
  stretch: Stretch,
  call: ToolCall | undefined,
  {quietMs, bound}: {quietMs: number; bound: number},
): string => {
  const long = `for ${seconds(quietMs)} s (bound ${seconds(bound)} s)`;
  switch (stretch) {
    case 'start':
      return `not ready, no hook ${long}`;
    case 'thinking':
      return `turn open, no hook and no log line ${long}`;
    case 'tool':
      return `${call?.name ?? 'tool'} open, no hook, no log line, no CPU or I/O of its processes ${long}`;
    default:
      return unreachable(stretch);
  }
};

const seconds = (ms: number): number => Math.round(ms / 1000);

/**
 * Is a turn open? Only proof opens one; the screen can only excuse. Whoever waits for a person is not stalled, until a
 * call ends or a new turn begins; if only the screen said so, the screen may also take it back.
 */
const newTurn = ({tellsReady, openCall, callCount}: StallPlan) => {
  let ready = !tellsReady;
  let open = false;
  let looksIdle = false;
  let waits: {proof: boolean; calls: number} | undefined;
  const see = (signal: Signal): void => {
    const {type, proof} = signal;
    if (type === 'waiting-for-person') {
      waits = {proof: proof || waits?.proof === true, calls: callCount()};
      return;
    }
    ready = true;
    if (type === 'ready' || type === 'compaction-started' || type === 'compaction-done') return;
    if (type === 'busy') {
      looksIdle = false;
      if (proof || waits?.proof === false) waits = undefined;
      if (proof) open = true;
      return;
    }
    // The turn is over, well or not.
    if (proof) {
      open = false;
      waits = undefined;
    } else if (type === 'idle') looksIdle = true;
  };
  return {
    see,
    stretch: (): Stretch | undefined => {
      if (waits !== undefined && callCount() > waits.calls) waits = undefined;
      if (waits !== undefined) return undefined;
      if (!ready) return 'start';
      if (!open || looksIdle) return undefined;
      return openCall() === undefined ? 'thinking' : 'tool';
    },
  };
};
