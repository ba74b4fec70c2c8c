// One ordered queue: pty, hooks, log, timers, OS signals and the results of effects all post here.

import type {RunEvent} from '../core/events.ts';

export interface Inbox {
  post(event: RunEvent): void;
  /** Handles one event after the other until `isOver`; resolves then. */
  serve(handle: (event: RunEvent) => void, isOver: () => boolean): Promise<void>;
}

export const newInbox = (): Inbox => {
  const waiting: RunEvent[] = [];
  let wake: (() => void) | undefined;
  return {
    post: (event) => {
      waiting.push(event);
      wake?.();
    },
    serve: async (handle, isOver) => {
      while (!isOver()) {
        const event = waiting.shift();
        if (event !== undefined) handle(event);
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          wake = undefined;
        }
      }
    },
  };
};
