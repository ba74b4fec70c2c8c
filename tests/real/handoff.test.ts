// The promise, with the real CLIs: a leg dies, the next one goes on, every step is done exactly once.
//
//   person ── outer pty ── ckpt-run ── pty ── claude | codex ── http ── amnesiac model

import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {claudeNew, claudeOld, codex} from './clis.ts';
import {type AmnesiacOptions, amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {ended, openSupervised} from './supervised.ts';

const job = {steps: 20, file: 'job.txt'};
const goal = goalOf(job);
/** 20 steps pass the compaction threshold twice. */
const compacting: AmnesiacOptions = {tokens: {start: 5000, perStep: 14_000}};
const slow: AmnesiacOptions = {slow: {step: 8, seconds: 60, write: 'first'}};

describe.each([
  ['Claude Code 2.1.326', claudeNew],
  ['Claude Code 2.1.197', claudeOld],
  ['Codex 0.169.0', codex],
])('%s', (_, cli) => {
  describe.each(['terminal', 'pipes'] as const)('in %s', (where) => {
    const open = (options: AmnesiacOptions) => openSupervised({cli: cli(), scenario: amnesiac(options)});

    test('SIGKILL in the middle of a tool call: the job is done exactly', async () => {
      await using ground = await open(slow);
      const argv = where === 'terminal' ? ground.tui(goal) : ground.headless(goal);
      const program =
        where === 'terminal'
          ? ground.start(ground.under(argv, '--until-done'))
          : ground.pipe(ground.under(argv, '--until-done'));
      const pid = await ground.agentPid(1);
      await expect
        .poll(() => readFile(join(ground.project, job.file), 'utf8').catch(() => ''), {timeout: 60_000})
        .toContain('step 8\n');
      process.kill(pid, 'SIGKILL');
      const end = 'screen' in program ? await ended(program) : await program.exit;
      expect(judge(join(ground.project, job.file), job.steps)).toEqual(flawless);
      expect(end).toMatchObject({code: 0});
      const [death, ...more] = await ground.certificates();
      expect(death).toMatchObject({leg: 1, cause: 'killed', progress: true, exit: {signal: 9}});
      expect(more).toEqual([]);
      expect(await ground.processes()).toEqual([]);
    });

    test('a real auto-compaction: checkpoint before it, a fresh agent after it, the job is done exactly', async () => {
      await using ground = await open(compacting);
      const argv = where === 'terminal' ? ground.tui(goal) : ground.headless(goal);
      const program =
        where === 'terminal'
          ? ground.start(ground.under(argv, '--until-done'))
          : ground.pipe(ground.under(argv, '--until-done'));
      const end = 'screen' in program ? await ended(program) : await program.exit;
      expect(judge(join(ground.project, job.file), job.steps)).toEqual(flawless);
      expect(end).toMatchObject({code: 0});
      const deaths = await ground.certificates();
      expect(deaths.length).toBeGreaterThanOrEqual(2);
      for (const death of deaths) {
        expect(death).toMatchObject({cause: 'compaction', evidence: [{channel: 'hook', detail: 'PreCompact(auto)'}]});
      }
      expect(await ground.processes()).toEqual([]);
    });
  });
});
