// The agent's process is gone and was ready before: the person's quit, the end of the work, or a death.

import {exitWords} from '../cells/exit-words.ts';
import {die, finish, type OfLeg, type Step} from '../cells/step.ts';
import type {RunEvent} from '../events.ts';
import type {Policy} from '../policy.ts';
import type {Trouble} from '../state.ts';
import {unreachable} from '../unreachable.ts';
import {successorOf} from './takeover.ts';

type Exited = Extract<RunEvent, {type: 'agent-exited'}>;

export const exited = (state: OfLeg & {trouble: Trouble}, event: Exited, policy: Policy): Step => {
  const {trouble} = state;
  const {exit, meaning, at} = event;
  const last = {alive: false, capture: 'wanted'} as const;
  if (state.ledger.done !== undefined) {
    const outcome = policy.attended ? ({is: 'ended', exit} as const) : {is: 'done' as const, note: state.ledger.done};
    return finish(state, {outcome, ...last});
  }
  const evidence = [{channel: 'exit' as const, detail: exitWords(exit)}];
  const isUnfinished = policy.headless && policy.untilDone;
  // Headless: it has told in its own words what it could not do. Another agent may.
  if (trouble.is === 'lasting' && !policy.attended && (meaning !== 'clean' || isUnfinished)) {
    const detail = `${exitWords(exit)}, ${trouble.why}`;
    if (successorOf(state.ledger, policy) !== undefined) {
      return die(state, {cause: 'refused', at, evidence: [{channel: 'exit', detail}], exit});
    }
  }
  if (meaning === 'clean') {
    // It has no prompt at which it could be nudged: the next leg is the nudge, within the budget.
    return isUnfinished && trouble.is !== 'lasting'
      ? die(state, {
          cause: 'unfinished',
          at,
          evidence: [{channel: 'exit', detail: `${exitWords(exit)}, ckpt done was not said`}],
          exit,
        })
      : finish(state, {outcome: {is: 'ended', exit}, ...last});
  }
  switch (trouble.is) {
    case 'none':
      return die(state, {cause: meaning, at, evidence, exit});
    case 'lasting':
      return finish(state, {outcome: {is: 'gave-up', exit, why: trouble.why}, ...last});
    case 'limit':
    case 'overload':
      // A headless agent ends with its failed turn. With a person there, its own message and code are the answer.
      if (policy.attended) return finish(state, {outcome: {is: 'gave-up', exit, why: trouble.is}, ...last});
      return die(state, {
        cause: trouble.is,
        at,
        evidence,
        exit,
        notBefore: trouble.is === 'limit' ? trouble.resetsAt : undefined,
      });
    default:
      return unreachable(trouble);
  }
};
