// Calls that wait in the hook before they are done. Those that are neither risky nor asked for go on at once.

import {redactor, secretValues} from '../../baton/redact.ts';
import type {RunEvent} from '../../core/events.ts';
import type {LegNumber} from '../../core/ids.ts';
import type {Spool, SpoolItem} from '../../ports.ts';
import type {Ports, RunPlan} from '../plan.ts';

export interface HeldCalls {
  take(item: SpoolItem): void;
  answer(call: string, answer: 'go' | 'deny', why: string): void;
}

interface OfLeg {
  plan: RunPlan;
  ports: Ports;
  spool: Spool;
  leg: LegNumber;
  post(event: RunEvent): void;
}

const HELD = 'HeldToolUse';
const UNANSWERED = 'this call is felt outside the folder, and ckpt-run gave no answer in time; go on without it';

export const holdCalls = ({plan, ports, spool, leg, post}: OfLeg): HeldCalls => {
  const {code, policy} = plan;
  if (policy.approval.on) spool.setDenial(code.hookAnswer(HELD, 'veto', UNANSWERED).stdout);
  const answer: HeldCalls['answer'] = (call, how, why) =>
    spool.answer(call, code.hookAnswer(HELD, how === 'go' ? 'allow' : 'veto', why));
  return {
    answer,
    take: ({id, name, payload}) => {
      if (name !== HELD) return;
      const {what = '?', risky = false, outside = false} = read(plan, payload) ?? {};
      if (!risky && !(outside && policy.approval.on)) return answer(id, 'go', '');
      const safe = redactor(secretValues(plan.env))(what).slice(0, 300);
      post({type: 'call-held', at: ports.clock.now(), leg, call: id, what: safe, risky, outside});
    },
  };
};

/** An adapter that cannot read it must not keep the agent. */
const read = ({code}: RunPlan, payload: unknown) => {
  try {
    return code.readHook(HELD, payload).held;
  } catch {
    return undefined;
  }
};
