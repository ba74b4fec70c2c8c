// When Codex compacts by itself: at 90 % of the raw window, of which it tells 95 %. A limit set in its config is lower.

import type {AgentCode} from '../../src/adapter/adapter.ts';

export const compactsAt: NonNullable<AgentCode['compactsAt']> = ({contextWindow}) =>
  contextWindow === undefined ? undefined : Math.round((contextWindow / 0.95) * 0.9);
