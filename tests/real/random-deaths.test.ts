// The promise without the agent's help: it never checkpoints by itself, and is killed fifty times, whenever it happens to
// be: before it is ready, while the model answers, before, in the midst of and after a call. Every step must be there once,
// in order. Only in a full walk: it takes many minutes. CKPT_SEED repeats one.

import {randomInt} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {randomFrom} from '../baton/secrets.ts';
import {claudeNew, codex} from './clis.ts';
import {isFull, keepResult} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge, stepIn} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const DEATHS = 50;
const job = {steps: 5 * DEATHS, file: 'job.txt'};
const MINUTES = 40;
/** What kills here is no fault of the work: the budget of legs without progress is another test's. */
const settings = `policy:\n  backoff: {firstSeconds: 0.05, maxMinutes: 0.005}\n  budget: {legs: ${2 * DEATHS}}\n`;

type Moment = 'before the first request' | 'while the model answers' | 'before the write' | 'after the write';

/** Answers late, and its calls last a while before and after their write: so that a death can meet all of that. */
const slowly = (random: (max: number) => number, state: {lasts: boolean; answered: number; step: number}): Scenario => {
  const worker = amnesiac();
  const pause = (): string => (random(500) / 1000).toFixed(3);
  return {
    ...worker,
    main: (request) => {
      const reply = worker.main(request);
      if (!state.lasts || reply.is !== 'call') return reply;
      const delayMs = random(400);
      state.answered = Date.now() + delayMs;
      state.step = stepIn(reply.command);
      const isStep = state.step > 0;
      return {...reply, delayMs, ...(isStep ? {command: `sleep ${pause()}; ${reply.command}; sleep ${pause()}`} : {})};
    },
  };
};

test.runIf(isFull).each([
  ['Claude Code', claudeNew],
  ['Codex', codex],
])(
  `%s, which never checkpoints by itself, is killed ${DEATHS} times at random moments: the job is exact`,
  async (name, cli) => {
    const seed = Number(process.env.CKPT_SEED ?? randomInt(2 ** 31));
    process.stderr.write(`${name}: CKPT_SEED=${seed}\n`);
    const random = randomFrom(seed);
    const since = Date.now();
    const state = {lasts: true, answered: 0, step: 0};
    await using ground = await openSupervised({cli: cli(), scenario: slowly(random, state)});
    writeFileSync(ground.path('ckpt.yaml'), settings);
    const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
    const moments: Record<string, number> = {};
    for (let leg = 1; leg <= DEATHS; leg += 1) {
      const moment = await killOnce({ground, leg, random, state}).catch((error: unknown) => {
        throw new Error(`leg ${leg}: ${error}. The screen:\n${terminal.screen()}`);
      });
      moments[moment] = (moments[moment] ?? 0) + 1;
    }
    state.lasts = false;
    const end = await ended(terminal, (MINUTES - 1) * 60_000);
    const observed = {...(await observe(ground)), code: end.code};
    const expected = {code: 0, deaths: {killed: DEATHS}, ownCheckpoints: 0, verdict: flawless};
    keepResult('deaths', {
      ...{table: 'random deaths', version: cli().version, row: `${name}, ${DEATHS} deaths`, expected},
      ...{observed: {...observed, seed, moments}, seconds: Math.round((Date.now() - since) / 1000)},
    });
    expect(observed).toEqual(expected);
    expect(await ground.processes()).toEqual([]);
  },
  MINUTES * 60_000,
);

interface Victim {
  ground: Supervised;
  leg: number;
  random: (max: number) => number;
  state: {answered: number; step: number};
}

/** One leg in eight dies before it has asked anything; the others some time after one of their first requests. */
const killOnce = async ({ground, leg, random, state}: Victim): Promise<Moment> => {
  const asked = ground.model.main().length;
  const pid = await ground.agentPid(leg);
  const requests = leg > 1 && random(8) === 0 ? 0 : 1 + random(4);
  const ms = random(1200);
  await until(`request ${requests} of leg ${leg}`, () => ground.model.main().length >= asked + requests, 60_000);
  await wait(ms);
  const now = momentOf(ground, state, ground.model.main().length - asked);
  process.kill(pid, 'SIGKILL');
  return now;
};

const momentOf = (ground: Supervised, {answered, step}: Victim['state'], requests: number): Moment => {
  if (requests === 0) return 'before the first request';
  if (Date.now() < answered) return 'while the model answers';
  return readFileSync(ground.path(job.file), {encoding: 'utf8', flag: 'a+'}).includes(`step ${step}\n`)
    ? 'after the write'
    : 'before the write';
};

const observe = async (ground: Supervised) => {
  const deaths: Record<string, number> = {};
  for (const {cause} of await ground.certificates()) deaths[cause] = (deaths[cause] ?? 0) + 1;
  const own = (await ground.checkpoints()).filter(({trigger}) => trigger === 'agent' || trigger === 'manual');
  return {deaths, ownCheckpoints: own.length, verdict: judge(ground.path(job.file), job.steps)};
};
