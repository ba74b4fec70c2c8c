// The supervisor is struck before it has written anything down of the leg but that it was started: no hook taken, no log
// known. Whoever goes on finds what the agent did all the same.

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {childState} from '../../src/io/agent/child-state.ts';
import {legsOf, openCodex} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {ended, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);

const runJson = (ground: Supervised): Record<string, unknown> => {
  const runs = ground.path('runtime/checkpoints/runs');
  const [run = ''] = readdirSync(runs);
  return JSON.parse(readFileSync(join(runs, run, 'run.json'), 'utf8')) as Record<string, unknown>;
};

/** Its agent may hold its pipes for longer. */
const strike = async (program: {pid: number; kill(signal: NodeJS.Signals): void}): Promise<void> => {
  program.kill('SIGKILL');
  await until('the end of ckpt-run', () => childState(program.pid) === 'gone');
};

test.each(
  (['terminal', 'pipes'] as const).flatMap((where) =>
    (['with its hooks', 'without hooks'] as const).map((how) => ({where, how})),
  ),
)('SIGKILL of ckpt-run right after the start, $where, $how: one command goes on, nothing is doubled', async (row) => {
  const isTerminal = row.where === 'terminal';
  await using ground = await openCodex({scenario: amnesiac({slow: {step: 2, seconds: 60, write: 'first'}})});
  const flags = row.how === 'without hooks' ? ['--disable', 'hooks'] : [];
  const argv = isTerminal ? ground.tui(goal, ...flags) : ground.headless(goal, ...flags);
  const words = ground.under(argv, '--until-done');
  const struck = isTerminal ? ground.start(words) : ground.pipe(words);
  await ground.agentPid(1);
  // From here on it sees nothing; the agent goes on.
  process.kill(struck.pid, 'SIGSTOP');
  await ground.untilAsleep(60, 60_000);
  expect(judge(ground.path(job.file), 2)).toEqual(flawless);
  expect(runJson(ground)).toMatchObject({leg: 1, state: 'starting'});
  expect(runJson(ground).session_log).toBeUndefined();
  await strike(struck);

  const again = isTerminal
    ? ground.start(ground.under([], '--continue-run'))
    : ground.pipe(ground.under([], '--continue-run'));
  const {code} = 'screen' in again ? await ended(again) : await again.exit;
  expect({code, verdict: judge(ground.path(job.file), job.steps)}).toEqual({code: 0, verdict: flawless});
  expect(await legsOf(ground)).toBe(2);
  expect(await ground.processes()).toEqual([]);
});

test.runIf(isFull)('beside another Codex in the same folder: each has its own log', async () => {
  await using ground = await openCodex({scenario: amnesiac({slow: {step: 2, seconds: 60, write: 'first'}})});
  const struck = ground.start(ground.under(ground.tui(goal), '--until-done'));
  await ground.agentPid(1);
  process.kill(struck.pid, 'SIGSTOP');
  await ground.untilAsleep(60, 60_000);
  expect((await ground.pipe(ground.headless('Hello')).exit).code).toBe(0);
  expect(await ground.logs()).toHaveLength(2);
  await strike(struck);
  const again = ground.start(ground.under([], '--continue-run'));
  const {code} = await ended(again);
  expect({code, verdict: judge(ground.path(job.file), job.steps)}).toEqual({code: 0, verdict: flawless});
});
