// Hangs of the real CLIs: a server that takes the request and never answers. Both would wait for an hour or for ever,
// with a spinner turning; the bound of ckpt.yaml ends it, and the next leg goes on.

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {claudeNew, claudeOld, codex} from './clis.ts';
import {amnesiac} from './model/amnesiac.ts';
import {hangs} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {withFaults} from './model/reply.ts';
import {ended, openSupervised} from './supervised.ts';

const job = {steps: 6, file: 'job.txt'};
const LONG = 400_000;

describe.each([
  ['Claude Code 2.1.326', claudeNew],
  ['Claude Code 2.1.197', claudeOld],
  ['Codex 0.169.0', codex],
])('%s', (_, cli) => {
  test.each(['terminal', 'pipes'] as const)(
    'a hang before the headers, in %s: ended at the bound, a fresh agent goes on, the job is done exactly',
    async (where) => {
      const scenario = withFaults(amnesiac(), [{from: 4, times: 1, reply: hangs.beforeHeaders}]);
      await using ground = await openSupervised({cli: cli(), scenario});
      // Six seconds without a sign of life; a busy machine must not take a slow start for a hang.
      await writeFile(join(ground.project, 'ckpt.yaml'), 'policy: {hang: {thinkingMinutes: 0.1, toolMinutes: 2}}\n');
      const goal = goalOf(job);
      const program =
        where === 'terminal'
          ? ground.start(ground.under(ground.tui(goal), '--until-done'))
          : ground.pipe(ground.under(ground.headless(goal), '--until-done'));
      const end = 'screen' in program ? await ended(program, LONG) : await program.exit;
      expect(judge(join(ground.project, job.file), job.steps)).toEqual(flawless);
      expect(end).toMatchObject({code: 0});
      const deaths = await ground.certificates();
      expect(deaths.length).toBeGreaterThanOrEqual(1);
      for (const death of deaths) {
        expect(death).toMatchObject({
          cause: 'hang',
          evidence: [{channel: 'process', detail: expect.stringMatching(/^turn open, .* \(bound 6 s\)$/)}],
        });
      }
      expect(await ground.processes()).toEqual([]);
    },
    LONG,
  );
});
