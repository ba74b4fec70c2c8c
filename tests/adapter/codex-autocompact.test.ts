import {expect, test} from 'vitest';
import {autocompactArgs} from '../../adapters/codex/autocompact.ts';

test.each<[number, number, string]>([
  [50, 272_000, 'model_auto_compact_token_limit=136000'],
  [90, 272_000, 'model_auto_compact_token_limit=244800'],
  [0.5, 100_001, 'model_auto_compact_token_limit=500'],
])('%d percent of %d tokens', (percent, window, setting) => {
  expect(autocompactArgs(percent, window)).toEqual({ok: true, args: ['-c', setting]});
});

test.each<[string, number, number, RegExp]>([
  ['more than Codex’s own limit, which can only be lowered', 91, 272_000, /can only be told to do it earlier/],
  ['nothing', 0, 272_000, /more than 0/],
  ['more than all', 101, 272_000, /at most 100/],
  ['no number', Number.NaN, 272_000, /more than 0/],
  ['a window that nobody knows', 50, 0, /not known yet/],
])('refused with the reason: %s', (_, percent, window, why) => {
  expect(autocompactArgs(percent, window)).toEqual({ok: false, why: expect.stringMatching(why)});
});
