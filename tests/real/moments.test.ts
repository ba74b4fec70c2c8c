// Checkpoints that a run makes by itself, seen in the session log of the real CLIs: a test that fails, one that is green
// again, a commit; and, in full mode, the interval.

import {writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, codex} from './clis.ts';
import {isFull} from './full-results.ts';
import type {Scenario} from './model/reply.ts';
import {openSupervised} from './supervised.ts';

/** A look is taken ten seconds after something was heard. */
const untilLooked = 'sleep 13';

const saying = (commands: string[]): Scenario => ({
  main: ({turns}) => {
    const command = commands[turns.filter((turn) => turn.is === 'call').length];
    return command === undefined ? {is: 'text', text: 'That was all.'} : {is: 'call', command, waitMs: 120_000};
  },
});

const judged = `import {existsSync} from 'node:fs';
import test from 'node:test';
test('it is mended', () => { if (!existsSync('mended.txt')) throw new Error('not yet'); });
`;
const tested = 'node --test judged.test.mjs';
const commit = 'git add -A && git -c user.name=a -c user.email=a@b.c commit -qm mended';

const rows: {name: string; cli: Cli; commands: string[]; expected: string[]}[] = [
  {
    ...{name: 'Claude Code', cli: claudeNew()},
    commands: [tested, untilLooked, 'touch mended.txt', tested, untilLooked, commit, untilLooked],
    expected: ['on_test_failure', 'phase', 'phase'],
  },
  {
    // Its sandbox lets nobody commit.
    ...{name: 'Codex', cli: codex()},
    commands: [tested, untilLooked, 'touch mended.txt', tested, untilLooked],
    expected: ['on_test_failure', 'phase'],
  },
];

describe('a run saves by itself', () => {
  test.each(rows)('when a test fails, is green again, and after a commit: $name', async ({cli, commands, expected}) => {
    await using ground = await openSupervised({cli, scenario: saying(commands)});
    writeFileSync(ground.path('judged.test.mjs'), judged);
    const terminal = ground.start(ground.under(ground.tui('mend it')));
    await terminal.waitFor((screen) => screen.includes('That was all.'), 180_000);
    await ground.quit(terminal);
    const saved = await ground.checkpoints();
    const own = saved.map(({trigger}) => trigger).filter((trigger) => trigger !== 'end');
    expect(own).toEqual(expected);
    // Each with the files of its moment.
    expect(saved.filter(({workspace}) => workspace === undefined)).toEqual([]);
  });

  if (isFull) {
    test('every interval while work happens', async () => {
      const working = ['echo 1 > one.txt', 'sleep 50', 'echo 2 > two.txt', 'sleep 30'];
      await using ground = await openSupervised({cli: claudeNew(), scenario: saying(working)});
      writeFileSync(ground.path('ckpt.yaml'), 'intervalMinutes: 1\n');
      const terminal = ground.start(ground.under(ground.tui('work')));
      await terminal.waitFor((screen) => screen.includes('That was all.'), 240_000);
      await ground.quit(terminal);
      expect((await ground.checkpoints()).map(({trigger}) => trigger)).toContain('interval');
    });
  }
});
