// Words typed to an agent that waits at its prompt, in its person's place.

import {idlePrompt, nudgePrompt} from '../baton/protocol.ts';
import type {Effect} from '../core/effects.ts';
import type {Leg} from './leg/legs.ts';
import type {Ports, RunPlan} from './plan.ts';

/** Pasted, then sent: both agents take a return that comes in one write with a long paste for a part of it. */
const RETURN_AFTER_MS = 300;

type Why = Extract<Effect, {do: 'nudge'}>['why'];

export const nudge = async (
  plan: RunPlan,
  ports: Ports,
  {leg, why}: {leg: Pick<Leg, 'process'> | undefined; why: Why},
): Promise<void> => {
  if (leg === undefined) return;
  const words = why === 'next-step' ? await nextStepWords(plan, ports) : nudgePrompt(reasons[why]);
  leg.process.write(`\x1b[200~${words}\x1b[201~`);
  ports.clock.after(RETURN_AFTER_MS, () => leg.process.write('\r'));
};

const nextStepWords = async ({track, ckptBin}: RunPlan, {store}: Ports): Promise<string> => {
  const latest = await store.latest(track).catch(() => undefined);
  return idlePrompt({next: latest?.next_cmd ?? '', ckptBin});
};

const reasons = {
  'wait-over': 'the limit or overload should be over',
  uptake: 'you were handed a baton with your first prompt and nothing has happened since; do what its `Next:` says',
} as const;
