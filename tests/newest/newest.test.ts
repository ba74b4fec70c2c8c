// A handful of classes with the newest Claude Code: what changes there shows here first, before anything is pinned.

import {expect, test} from 'vitest';
import {amnesiac} from '../real/model/amnesiac.ts';
import {failuresOf} from '../real/model/failures.ts';
import {flawless, goalOf, judge} from '../real/model/job.ts';
import {type Scenario, withFaults} from '../real/model/reply.ts';
import {ended, openSupervised, type Supervised} from '../real/supervised.ts';
import {stateOf} from '../real/terminal-modes.ts';
import {newestClaude} from './install.ts';

const job = {steps: 6, file: 'job.txt'};
const goal = goalOf(job);
const config = 'policy: {backoff: {firstSeconds: 0.1}, overload: {firstSeconds: 2, maxMinutes: 0.1}}';
const open = (scenario: Scenario): Promise<Supervised> => openSupervised({cli: newestClaude(), scenario, config});

const finished = async (ground: Supervised, act: () => Promise<void> = async () => {}) => {
  const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
  await act();
  const {code} = await ended(terminal);
  const deaths = (await ground.certificates()).map(({cause}) => cause);
  const verdict = judge(ground.path(job.file), job.steps);
  return {code, deaths, verdict, terminal: stateOf(terminal), leftovers: await ground.processes()};
};
const good = {code: 0, verdict: flawless, terminal: 'as before', leftovers: []};

test('it says the version that was installed', async () => {
  await using ground = await open(amnesiac());
  const {stdout} = await ground.pipe(ground.under(['claude', '--version'])).exit;
  expect(stdout).toContain(newestClaude().version);
});

test('an auto-compaction is seen before it happens, and a fresh leg goes on', async () => {
  await using ground = await open(amnesiac({tokens: {start: 5000, perStep: 40_000}}));
  const seen = await finished(ground);
  expect(seen).toMatchObject(good);
  expect(new Set(seen.deaths)).toEqual(new Set(['compaction']));
});

test('SIGKILL in the middle of a tool call is handed on', async () => {
  await using ground = await open(amnesiac({slow: {step: 3, seconds: 60, write: 'last'}}));
  const kill = async (): Promise<void> => {
    await ground.untilAsleep(60);
    process.kill(await ground.agentPid(1), 'SIGKILL');
  };
  expect(await finished(ground, kill)).toEqual({...good, deaths: ['killed']});
});

test('an overload is waited out in the same leg', async () => {
  await using ground = await open(
    withFaults(amnesiac(), [{from: 3, times: 3, reply: failuresOf('claude').overloaded}]),
  );
  expect(await finished(ground)).toEqual({...good, deaths: []});
});

test('a refused key parks the run', async () => {
  await using ground = await open({main: () => failuresOf('claude').forbidden});
  expect(await finished(ground)).toMatchObject({code: 75, deaths: [], terminal: 'as before', leftovers: []});
});

test('the person quits: their own exit, no restart', async () => {
  await using ground = await open(amnesiac());
  const terminal = ground.start(ground.under(ground.tui(goal)));
  await terminal.waitFor(/All 6 steps are done\./);
  expect(await ground.quit(terminal)).toEqual({code: 0, signal: undefined});
  expect(await ground.certificates()).toEqual([]);
});
