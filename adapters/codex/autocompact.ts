// `ckpt autocompact PCT` for Codex: when it compacts by itself, in percent of its window that are used.

/** Of the raw window: Codex's own limit, which a setting can only lower. */
const OWN_LIMIT = 90;

export type Autocompact = {ok: true; args: string[]} | {ok: false; why: string};

/** `window`: the model's raw context window in tokens. */
export const autocompactArgs = (percent: number, window: number): Autocompact => {
  if (!Number.isInteger(window) || window < 1)
    return {ok: false, why: 'the size of the context window is not known yet'};
  if (!(percent > 0) || percent > 100) return {ok: false, why: 'it must be more than 0 and at most 100 percent'};
  if (percent > OWN_LIMIT) {
    return {
      ok: false,
      why: `Codex compacts at ${OWN_LIMIT} percent by itself and can only be told to do it earlier; --on-compaction restart holds that compaction and hands over`,
    };
  }
  return {ok: true, args: ['-c', `model_auto_compact_token_limit=${Math.floor((window * percent) / 100)}`]};
};
