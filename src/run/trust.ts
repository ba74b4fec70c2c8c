// An agent of a version that we have not measured may reckon the hashes of its trusted hooks otherwise: it is asked.

import type {HookPlan} from '../adapter/adapter.ts';
import type {LegNumber} from '../core/ids.ts';
import type {Question} from '../ports.ts';
import type {Ports, RunPlan} from './plan.ts';

/** What the agent itself says of our hooks; undefined when our own reckoning holds, or nobody answers. */
export const askTrust = async (
  {plan, ports, env}: {plan: RunPlan; ports: Ports; env: Record<string, string>},
  leg: LegNumber,
  hooks: HookPlan,
): Promise<HookPlan['trusted']> => {
  const question = plan.code.trustQuestion?.(hooks);
  const {file, args} = plan.binary;
  if (question === undefined) return undefined;
  const ask = (words: string[], more: Pick<Question, 'input' | 'until'> = {}) =>
    ports.ask({file, args: [...args, ...words], cwd: plan.cwd, env, timeoutMs: ANSWER_MS, ...more});
  const {tested, versionArgs} = plan.adapter.binary;
  const version = (await ask(versionArgs)).stdout.trim();
  if (tested.some((known) => version.split(/\s/).includes(known))) return undefined;
  const told = question.read((await ask(question.args, {input: question.input, until: question.until})).stdout);
  const held = told === undefined ? 'unknown' : holds(question.expected, told) ? 'yes' : 'no';
  const at = new Date(ports.clock.now()).toISOString();
  ports.files.journal({at, run: plan.run, leg, event: 'trust-asked', version, recipe_holds: held});
  return told;
};

const ANSWER_MS = 10_000;

const holds = (expected: Record<string, string>, told: Record<string, string>): boolean =>
  Object.entries(expected).every(([key, hash]) => told[key] === hash);
