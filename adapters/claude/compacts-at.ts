// When Claude Code compacts by itself: 20,000 tokens for the answer and 13,000 for safety below its window.

import type {AgentCode} from '../../src/adapter/adapter.ts';

const ANSWER = 20_000;
const SAFETY = 13_000;
const LEAST_WINDOW = 100_000;

export const compactsAt: NonNullable<AgentCode['compactsAt']> = ({model}, env, own) => {
  if (env.DISABLE_AUTO_COMPACT || env.DISABLE_COMPACT) return undefined;
  const set = Number(env.CLAUDE_CODE_AUTO_COMPACT_WINDOW);
  const window = set > 0 ? Math.max(set, LEAST_WINDOW) : (own ?? windowOf(model ?? ''));
  if (window === undefined) return undefined;
  const effective = window - ANSWER;
  const percent = Number(env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE);
  const asked = percent > 0 && percent <= 100 ? (effective * percent) / 100 : effective;
  return Math.round(Math.min(asked, effective - SAFETY));
};

/** Only the families whose window is the same for everybody; of the others nobody knows. */
const windowOf = (model: string): number | undefined => {
  // The default one of 2.1.326, by its own debug log: effectiveWindow=980000.
  if (/\[1m\]$|^claude-opus-5-5\b/.test(model)) return 1_000_000;
  return /^claude-(?:3|haiku-4|opus-4-[0-5]\b|opus-4-20|sonnet-4-[05]\b|sonnet-4-20)/.test(model) ? 200_000 : undefined;
};
