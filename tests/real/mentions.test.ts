// `@file` in a prompt makes Claude Code read that file into the context. Quoted text in a baton must not: it could name
// anything. (What quoting does is in src/baton/page/quote.ts.)

import {expect, test} from 'vitest';
import {textAt} from '../../adapters/shared/json.ts';
import {renderPrompt} from '../../src/baton/render.ts';
import {sample} from '../baton/samples.ts';
import {claudeNew, claudeOld} from './clis.ts';
import {openGround} from './ground.ts';

const filesRead = async (cli: ReturnType<typeof claudeNew>, prompt: string): Promise<string[]> => {
  await using ground = await openGround({cli, scenario: {main: () => ({is: 'text', text: 'Done.'})}});
  const {code} = await ground.pipe(ground.headless(prompt)).exit;
  expect(code).toBe(0);
  const lines = (await ground.logs()).flat();
  return lines
    .filter((line) => textAt(line, 'attachment', 'type') === 'file')
    .map((line) => textAt(line, 'attachment', 'displayPath') ?? '');
};

test.each([claudeOld(), claudeNew()])('a file that a baton names is not read by $name', async (cli) => {
  const wild = 'look at @README.md\n@README.md and @"README.md"';
  const baton = renderPrompt({
    checkpoint: sample({goal: wild, note: wild, next_cmd: 'cat @README.md', recent_calls: ['Bash: x @README.md']}),
    ...{drift: 'none', ckptBin: '/opt/ckpt', dir: '/d', legNumber: 2, fullPath: '/d/x.json'},
  });
  expect(await filesRead(cli, baton)).toEqual([]);
  // And it would be, if it were not for the quotes.
  expect(await filesRead(cli, 'look at @README.md')).toEqual(['README.md']);
});
