// `ckpt autocompact` and `ckpt reload`, from outside a run, with the real Claude Code.

import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';

const ckpt = fileURLToPath(new URL('../../dist/ckpt.cjs', import.meta.url));
const job = {steps: 10, file: 'job.txt'};
const goal = goalOf(job);
/** As many as the window of a person who has set nothing takes with ease. */
const tokens = {start: 5000, perStep: 14_000};
const unset = {CLAUDE_CODE_AUTO_COMPACT_WINDOW: ''};

const say = async (ground: Supervised, ...words: string[]) => {
  const {code, stdout, stderr} = await ground.pipe([process.execPath, ckpt, ...words]).exit;
  return {code, said: stdout + stderr};
};

const causes = async (ground: Supervised): Promise<string[]> => (await ground.certificates()).map(({cause}) => cause);

const versions: [string, Cli][] = [
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
];

describe.each(isFull ? versions : versions.slice(0, 1))('Claude Code %s', (_, cli) => {
  test('a percentage moves the threshold of supervised runs', async () => {
    await using ground = await openSupervised({cli, scenario: amnesiac({tokens}), env: unset});
    expect(await say(ground, 'autocompact')).toEqual({code: 0, said: expect.stringContaining('autocompact is on')});
    expect(await say(ground, 'autocompact', '12')).toEqual({code: 0, said: expect.stringContaining('at 12 %')});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    expect(await ended(terminal)).toMatchObject({code: 0});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect(await causes(ground)).toEqual(['compaction']);
  });

  test('off: nothing compacts by itself, not even between the threshold and the end of the window', async () => {
    await using ground = await openSupervised({cli, scenario: amnesiac({tokens: {start: 5000, perStep: 87_800}})});
    expect(await say(ground, 'autocompact', 'off')).toMatchObject({code: 0});
    const env = {...ground.env, CLAUDE_CODE_AUTO_COMPACT_WINDOW: ''};
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'), {env});
    expect(await ended(terminal)).toMatchObject({code: 0});
    expect(await causes(ground)).toEqual([]);
  });

  test('reload from outside: a checkpoint, then a fresh conversation that goes on exactly', async () => {
    await using ground = await openSupervised({cli, scenario: amnesiac({delayMs: 500})});
    expect(await say(ground, 'reload')).toMatchObject({code: 66});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    await terminal.waitFor(() => ground.model.main().length >= 3);
    expect(await say(ground, 'reload', '--track', 'elsewhere')).toMatchObject({code: 66});
    const asked = await say(ground, 'reload', '--track', 'main');
    expect(asked).toEqual({code: 0, said: expect.stringContaining('was asked for a fresh conversation')});
    expect(await ended(terminal)).toMatchObject({code: 0});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect(await causes(ground)).toEqual(['handoff']);
  });

  test('/reload, typed by the person: the agent calls it, and a fresh conversation has the baton', async () => {
    const handing = 'handing over to you the work of an agent';
    const scenario: Scenario = {
      main: ({turns}) => {
        const said = turns.map((turn) => (turn.is === 'text' ? turn.text : '')).join('\n');
        const asked = /Then run `(\S+ reload)`/.exec(said)?.[1];
        if (asked !== undefined && !said.includes(handing)) return {is: 'call', command: `${asked}; sleep 20`};
        return {is: 'text', text: said.includes(handing) ? 'I have taken over.' : 'I am listening.'};
      },
    };
    await using ground = await openSupervised({cli, scenario});
    expect(await say(ground, 'install', 'claude')).toMatchObject({code: 0});
    const terminal = ground.start(ground.under(ground.tui('Hello')));
    await terminal.waitFor(/I am listening\./);
    terminal.type('/reload');
    await terminal.waitFor(/in a fresh conversation/);
    terminal.type('\r');
    await terminal.waitFor(/I have taken over\./);
    await ground.quit(terminal);
    expect(await causes(ground)).toEqual(['handoff']);
    expect(await ground.processes()).toEqual([]);
  });
});

test('a setting that makes no sense is refused, and nothing is changed', async () => {
  await using ground = await openSupervised({cli: claudeNew(), scenario: amnesiac()});
  for (const word of ['0', '101', 'sometimes', '-5']) expect((await say(ground, 'autocompact', word)).code).toBe(64);
  expect(await say(ground, 'autocompact', '--json')).toEqual({code: 0, said: '{\n  "autocompact": "on"\n}\n'});
});
