// When Claude Code compacts by itself: 20,000 tokens for the answer and 13,000 for safety below its window.

import type {AgentCode} from '../../src/adapter/adapter.ts';

const BELOW = 33_000;
const LEAST_WINDOW = 100_000;

export const compactsAt: NonNullable<AgentCode['compactsAt']> = ({model}, env) => {
  if (env.DISABLE_AUTO_COMPACT || env.DISABLE_COMPACT) return undefined;
  const set = Number(env.CLAUDE_CODE_AUTO_COMPACT_WINDOW);
  const window = set > 0 ? Math.max(set, LEAST_WINDOW) : windowOf(model ?? '');
  return window === undefined ? undefined : window - BELOW;
};

/** Only the families whose window is the same for everybody; of the others nobody knows. */
const windowOf = (model: string): number | undefined => {
  if (/\[1m\]$/.test(model)) return 1_000_000;
  return /^claude-(?:3|haiku-4|opus-4-[0-5]\b|opus-4-20|sonnet-4-[05]\b|sonnet-4-20)/.test(model) ? 200_000 : undefined;
};
