// The timer behind a limit or overload: when it is due, the other runs that wait for the same provider are asked first.

import type {Notice} from '../../core/effects.ts';
import type {Millis} from '../../core/ids.ts';
import {later} from '../../core/ids.ts';
import type {Clock, SharedWait} from '../../ports.ts';

export interface WaitTurns {
  /** Sets the timer; `fire` when it is this run's turn. */
  arm(until: Millis, fire: () => void): void;
  cancel(): void;
  /** What the person is told is news for the other runs too. */
  hear(notice: Notice): void;
  close(): void;
}

/** So often the others are asked whether the provider has answered one of them. */
const LOOK_MS = 60_000;

/** queued: waits for the provider. trying: it is our turn, and the others wait for what comes of it. */
type Stand = 'alone' | 'queued' | 'trying';

export const openWaitTurns = (clock: Clock, shared: SharedWait | undefined): WaitTurns => {
  let stand: Stand = 'alone';
  let number = 0;
  const wake = (at: number, act: () => void): void =>
    clock.wakeAt('wait-over', later(clock.now(), at - clock.now()), act);
  const ask = async (until: Millis, fire: () => void, room: SharedWait): Promise<void> => {
    number += 1;
    const asked = number;
    const turn = await room.turn(until, clock.now());
    // Cancelled or set anew meanwhile.
    if (asked !== number) return;
    if (turn.is === 'wait') {
      wake(Math.min(turn.until, clock.now() + LOOK_MS), () => void ask(until, fire, room));
      return;
    }
    stand = 'trying';
    fire();
  };
  return {
    arm: (until, fire) => {
      number += 1;
      if (shared === undefined || stand !== 'queued') wake(until, fire);
      else void ask(until, fire, shared);
    },
    cancel: () => {
      number += 1;
      clock.cancel('wait-over');
    },
    hear: (notice) => {
      if ((notice.is === 'limit' || notice.is === 'overload') && notice.waits) {
        if (stand === 'trying') shared?.closed(notice.until ?? clock.now(), clock.now());
        stand = 'queued';
      } else if (notice.is === 'woke') {
        shared?.opened(clock.now());
        stand = 'alone';
      } else if ((notice.is === 'leg-died' || notice.is === 'parked') && stand !== 'alone') {
        shared?.left(clock.now());
        stand = 'alone';
      }
    },
    close: () => {
      number += 1;
      if (stand !== 'alone') shared?.left(clock.now());
      stand = 'alone';
    },
  };
};
