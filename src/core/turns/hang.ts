// The agent is there and nothing has been heard of it for too long.

import {die, finish, type Step, step} from '../cells/step.ts';
import type {RunEvent} from '../events.ts';
import type {Policy} from '../policy.ts';
import type {RunState} from '../state.ts';

type HangSeen = Extract<RunEvent, {type: 'hang-seen'}>;

/** A person sees it too, and may know why: they are told. Nobody there: it is ended, and a fresh one goes on. */
export const hung = (state: Extract<RunState, {at: 'working'}>, event: HangSeen, policy: Policy): Step => {
  const {leg, ledger} = state;
  const notice = {is: 'hang', leg, what: hangWords(event), ends: !policy.attended} as const;
  if (policy.attended) return step(state, {do: 'tell', notice});
  // The work is done: what hangs is only the turn that said so.
  if (ledger.done !== undefined) {
    return finish(state, {outcome: {is: 'done', note: ledger.done}, alive: true, capture: 'wanted'});
  }
  const dead = die(state, {...event, cause: 'hang'});
  return step(dead.state, {do: 'tell', notice}, ...dead.effects);
};

export const hangWords = ({evidence}: HangSeen): string => evidence.map(({detail}) => detail).join(', ');
