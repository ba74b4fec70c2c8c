// `ckpt-run --dry-run`: what would be started, in words or JSON.

import {duration} from '../report/messages.ts';
import type {RunPlan} from '../run/plan.ts';

export const dryRunText = (plan: Omit<RunPlan, 'ckptBin' | 'code' | 'takeovers'>, asJson: boolean): string => {
  const {adapter, binary, parsed, policy} = plan;
  const facts = {
    agent: adapter.name,
    program: binary.file,
    arguments: [...binary.args, ...parsed.items.flatMap(({tokens}) => tokens)],
    prompt: plan.prompt,
    headless: parsed.headless,
    track: plan.track,
    set_current: plan.setCurrent,
    continues: plan.continues,
    checkpoint_dir: plan.checkpointDir,
    may_call_ckpt: plan.allowCkpt,
    policy,
  };
  if (asJson) return `${JSON.stringify(facts, undefined, 2)}\n`;
  return [
    `agent            ${facts.agent} (${facts.program})`,
    `arguments        ${JSON.stringify(facts.arguments)}, and our hooks for this run`,
    `track            ${facts.track}${facts.continues === undefined ? '' : `, from ${facts.continues}`}`,
    `checkpoints      ${facts.checkpoint_dir}`,
    `a person there   ${policy.attended ? 'yes: limits and overloads are only told' : 'no: limits and overloads are waited out'}`,
    `ckpt            ${facts.may_call_ckpt ? 'called without a permission prompt, where the agent can be told so' : 'asked for, as any command'}`,
    `on compaction    ${policy.onCompaction}`,
    ...(policy.takeovers.length === 0 ? [] : [`may take over    ${policy.takeovers.join(', then ')}`]),
    `parks after      ${policy.maxLegs} legs, ${duration(policy.maxMs)}, or ${policy.budget.legs} legs without progress in ${duration(policy.budget.windowMs)}`,
    'Nothing was started.',
    '',
  ].join('\n');
};
