// Before the context is full, with the real Codex: it is told to save what it knows, inside its turn; and the point at
// which it compacts is the one that `ckpt autocompact` has set.

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {openCodex} from './codex-rig.ts';
import {type AmnesiacOptions, amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {ModelRequest} from './model/request.ts';
import {ended, type Supervised} from './supervised.ts';

const ckpt = fileURLToPath(new URL('../../dist/ckpt.cjs', import.meta.url));
const job = {steps: 14, file: 'job.txt'};

/** As a person who has set nothing: Codex compacts at 244,800 tokens. */
const openUnset = async (options: AmnesiacOptions): Promise<Supervised> => {
  const ground = await openCodex({scenario: amnesiac(options)});
  const file = join(ground.env.CODEX_HOME ?? '', 'config.toml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^model_auto_compact_token_limit.*\n/m, ''));
  return ground;
};

const say = async (ground: Supervised, ...words: string[]) => {
  const {code, stdout, stderr} = await ground.pipe([process.execPath, ckpt, ...words]).exit;
  return {code, said: stdout + stderr};
};

const isHinted = ({turns}: ModelRequest): boolean =>
  turns.some(
    (turn) => turn.is === 'text' && turn.role === 'system' && turn.text.includes('your context is nearly full'),
  );

describe('Codex 0.169.0', () => {
  test('at 85 % of that the agent reads a hint with its next request, once, and a checkpoint is there', async () => {
    await using ground = await openUnset({tokens: {start: 209_000, perStep: 1000}, delayMs: 1500});
    const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
    expect(await ended(terminal)).toMatchObject({code: 0});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    const last = ground.model.main().at(-1)?.request;
    expect(last !== undefined && isHinted(last)).toBe(true);
    const hints = last?.turns.filter((turn) => turn.is === 'text' && turn.text.includes('your context is nearly full'));
    expect(hints).toHaveLength(1);
    expect((await ground.checkpoints()).map(({trigger}) => trigger)).toContain('threshold');
    expect(await ground.certificates()).toEqual([]);
  });

  test('a percentage moves the point at which it compacts, for supervised runs', async () => {
    await using ground = await openUnset({tokens: {start: 5000, perStep: 14_000}});
    const nine = {...job, steps: 9};
    expect(await say(ground, 'autocompact', '40')).toEqual({code: 0, said: expect.stringContaining('at 40 %')});
    const before = readFileSync(join(ground.env.CODEX_HOME ?? '', 'config.toml'), 'utf8');
    const terminal = ground.start(ground.under(ground.tui(goalOf(nine)), '--until-done'));
    expect(await ended(terminal)).toMatchObject({code: 0});
    expect(judge(ground.path(nine.file), nine.steps)).toEqual(flawless);
    expect((await ground.certificates()).map(({cause}) => cause)).toEqual(['compaction']);
    expect(readFileSync(join(ground.env.CODEX_HOME ?? '', 'config.toml'), 'utf8')).not.toContain('token_limit');
    expect(before).not.toContain('token_limit');
  });

  test('off is not to be had, and that is said', async () => {
    await using ground = await openUnset({});
    expect(await say(ground, 'autocompact', 'off')).toMatchObject({code: 0});
    const {code, stderr} = await ground.pipe(ground.under(ground.headless(goalOf({...job, steps: 2})))).exit;
    expect({code, told: stderr.includes('autocompact off changes nothing')}).toEqual({code: 0, told: true});
  });
});
