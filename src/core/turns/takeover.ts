// When the agent at work cannot go on and another one may: `--takeover`. Each takes over once, in the order given.
//
// An agent cannot go on when its provider refuses it for good (key, credits, model: `refused`), when its usage limit ends
// later than it is worth waiting for, when its legs have used the restart budget up (crashes, an agent that cannot be
// started any more), or when none of them takes the baton up. What stops the run itself parks it as ever: its own limits,
// a checkpoint that cannot be written, an agent that waits at its prompt for a person's word.

import type {Policy} from '../policy.ts';
import type {Ledger} from '../state.ts';

/** The next in the order; undefined when nobody is left. */
export const successorOf = ({takenOver}: Ledger, {takeovers}: Policy): string | undefined =>
  takeovers[takenOver.length];

/** How long a usage limit is waited for: with another agent at hand, not for days. */
export const longestWait = (ledger: Ledger, policy: Policy): number =>
  successorOf(ledger, policy) === undefined
    ? policy.limit.maxWaitMs
    : Math.min(policy.limit.maxWaitMs, policy.limit.takeoverMs);
