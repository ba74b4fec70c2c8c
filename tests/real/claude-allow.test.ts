// What the agent may do without asking: exactly its checkpoint commands, in this run, and nothing else ever.

import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import type {Scenario} from './model/reply.ts';
import {openSupervised, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const question = /Do you want to proceed\?/;
const snapshot = '--step "one" --next-cmd "two" --validation green';

/** Calls one command; `ckpt` in it stands for the run's own, which the protocol names. Then says what came of it. */
const calling = (command: string): Scenario => ({
  main: ({turns}) => {
    const result = turns.findLast((turn) => turn.is === 'result');
    if (result?.is === 'result') return {is: 'text', text: `It came back: ${result.outcome}.`};
    const told = turns.map((turn) => (turn.is === 'text' ? turn.text : '')).join('\n');
    const ckpt = /goal is met: (\S+) done --note/.exec(told)?.[1];
    return ckpt === undefined
      ? {is: 'text', text: 'Nobody told me of ckpt.'}
      : {is: 'call', command: command.replaceAll('ckpt', ckpt)};
  },
});

const open = async (cli: Cli, command: string): Promise<Supervised> => {
  const ground = await openSupervised({cli, scenario: calling(command)});
  // Nothing is allowed but what the CLI itself holds for harmless.
  const settings = {permissions: {allow: [], defaultMode: 'default'}};
  writeFileSync(join(ground.home, '.claude', 'settings.json'), JSON.stringify(settings));
  return ground;
};

describe.each([
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
] as [string, Cli][])('Claude Code %s', (_, cli) => {
  test.each([`ckpt snapshot ${snapshot}`, 'ckpt resume --live || true'])('%s asks nobody', async (command) => {
    await using ground = await open(cli, command);
    const terminal = ground.start(ground.under(ground.tui('save it')));
    await terminal.waitFor((screen) => /It came back: \w+\./.test(screen) || question.test(screen));
    expect(terminal.screen()).toContain('It came back: finished.');
    await ground.quit(terminal);
    const own = (await ground.checkpoints()).filter(({trigger}) => trigger === 'agent');
    expect(own).toHaveLength(command.includes('snapshot') ? 1 : 0);
    expect(terminal.raw()).toContain('without asking you, and nothing else (--no-allow-ckpt');
  });

  test.each([
    ['another command', 'touch made.txt'],
    ['another one behind ours', `ckpt snapshot ${snapshot} && touch made.txt`],
    ['another one inside ours', 'ckpt snapshot --step "$(touch made.txt)" --next-cmd x'],
    ['another word of ours', 'ckpt restore 1; touch made.txt'],
    ['a file of that name elsewhere', 'cd . && ./ckpt/ckpt snapshot; touch made.txt'],
  ])('%s asks the person, as without us', async (_name, command) => {
    await using ground = await open(cli, command);
    const terminal = ground.start(ground.under(ground.tui('do it')));
    await terminal.waitFor((screen) => question.test(screen) || screen.includes('It came back'));
    expect(terminal.screen()).toMatch(question);
    expect(existsSync(ground.path('made.txt'))).toBe(false);
    await waitingSeen(ground);
    expect(await ground.certificates()).toEqual([]);
  });

  test('with --no-allow-ckpt it asks for that too', async () => {
    await using ground = await open(cli, `ckpt snapshot ${snapshot}`);
    const terminal = ground.start(ground.under(ground.tui('save it'), '--no-allow-ckpt'));
    await terminal.waitFor((screen) => question.test(screen) || screen.includes('It came back'));
    expect(terminal.screen()).toMatch(question);
    expect(terminal.raw()).not.toContain('without asking you');
  });
});

/** The prompt is seen by its hook, and told as the person's business. */
const waitingSeen = async (ground: Supervised): Promise<void> => {
  await until('the permission prompt in the journal', async () =>
    (await ground.journal()).some(({event, proof}) => event === 'waiting-for-person' && proof === true),
  );
};
