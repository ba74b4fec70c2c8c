// Claude Code's own switches for its automatic compaction, for one run through its environment.

import type {Autocompact} from '../../src/adapter/autocompact.ts';

/** It keeps 20,000 tokens for the answer and compacts 13,000 before the rest is full. */
const ANSWER = 20_000;
const SAFETY = 13_000;
/** Models without a smaller window have this one; a threshold above the real window changes nothing. */
const WINDOW = 1_000_000;
/** The first version that was seen to heed the percentage; 2.1.197 ignores it with its large models. */
const HEEDS_PERCENT = [2, 1, 326];

export const autocompactEnv = (
  setting: Autocompact,
  {version, env}: {version: string | undefined; env: Record<string, string | undefined>},
): Record<string, string> => {
  // What the person has set for this shell is nearer than what was once set for the folder.
  if (setting.is === 'on' || own.some((name) => env[name])) return {};
  if (setting.is === 'off') return {DISABLE_AUTO_COMPACT: '1'};
  if (isAtLeast(version, HEEDS_PERCENT)) return {CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: String(setting.percent)};
  const threshold = Math.round(((WINDOW - ANSWER) * setting.percent) / 100);
  return {CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(threshold + ANSWER + SAFETY)};
};

const own = ['DISABLE_AUTO_COMPACT', 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE', 'CLAUDE_CODE_AUTO_COMPACT_WINDOW'];

const isAtLeast = (version: string | undefined, wanted: number[]): boolean => {
  const parts = (/\d+\.\d+\.\d+/.exec(version ?? '')?.[0] ?? '0.0.0').split('.').map(Number);
  const at = parts.findIndex((part, index) => part !== wanted[index]);
  return at === -1 || (parts[at] ?? 0) > (wanted[at] ?? 0);
};
