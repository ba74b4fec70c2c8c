import {expect, test} from 'vitest';
import {autocompactArgs, autocompactCaution} from '../../adapters/codex/autocompact.ts';
import type {Autocompact} from '../../src/adapter/autocompact.ts';
import {parseRun} from './builtin.ts';

const plan = (setting: Autocompact, args: string[] = [], config = '') => ({
  autocompact: {setting, version: undefined, env: {CODEX_HOME: '/home/.codex'}},
  parsed: parseRun('codex', args),
  readFile: (path: string) => (path === '/home/.codex/config.toml' ? config : undefined),
});
const percent = (value: number): Autocompact => ({is: 'percent', percent: value});
const limit = 'model_auto_compact_token_limit';

test.each<[string, Autocompact, string[], string, string[]]>([
  ['half of the window', percent(50), [], '', ['-c', `${limit}=136000`]],
  ['as much as Codex allows', percent(90), [], '', ['-c', `${limit}=244800`]],
  ['more than that changes nothing', percent(91), [], '', []],
  ['on', {is: 'on'}, [], '', []],
  ['off is not to be had', {is: 'off'}, [], '', []],
  ['the person’s flag is nearer', percent(50), ['-c', `${limit}=5000`], '', []],
  ['the person’s file is lower: theirs', percent(50), [], `model = "x"\n${limit} = 100_000\n`, []],
  ['the person’s file is higher: the lower one', percent(50), [], `${limit} = 200000\n`, ['-c', `${limit}=136000`]],
  ['a key of the same name in a table is another', percent(50), [], `[p]\n${limit} = 1\n`, ['-c', `${limit}=136000`]],
])('%s', (_, setting, args, config, wanted) => {
  expect(autocompactArgs(plan(setting, args, config))).toEqual(wanted);
});

test('what changes nothing is said, with the reason', () => {
  expect(autocompactCaution(plan({is: 'off'}))).toMatch(
    /can only be told to do it earlier, so autocompact off changes/,
  );
  expect(autocompactCaution(plan(percent(95)))).toMatch(/autocompact 95 % changes nothing/);
  expect([percent(90), {is: 'on'} as const].map((one) => autocompactCaution(plan(one)))).toEqual([
    undefined,
    undefined,
  ]);
});
