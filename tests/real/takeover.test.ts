// A track begun with one agent is finished by the other: by itself (--takeover) and by hand (--continue). One baton, every
// step exactly once.

import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type Cli, claudeNew, codex} from './clis.ts';
import {furnish} from './homes.ts';
import {amnesiac} from './model/amnesiac.ts';
import {failuresOf} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Failure, Scenario} from './model/reply.ts';
import type {Api} from './model/request.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';

const job = {steps: 8, file: 'job.txt'};
const track = ['--track', 'billing'];

type Case = [string, () => Cli, () => Cli, Api];
const both: Case[] = [
  ['Claude Code', claudeNew, codex, 'anthropic'],
  ['Codex', codex, claudeNew, 'responses'],
];

/** After four answers it fails for good: this agent cannot go on, and another can. */
const failing = (api: Api, failure: Failure): Scenario => {
  const worker = amnesiac();
  return {
    ...worker,
    main: (request) => (request.api === api && request.main > 4 ? failure : worker.main(request)),
  };
};

/** A ground on which both agents are at home. */
const openBoth = async (one: Cli, other: Cli, scenario: Scenario): Promise<Supervised> => {
  // Only a subscription has limits that tell when they end.
  const ground = await openSupervised({cli: one, scenario, account: one.word === 'claude' ? 'subscription' : 'key'});
  const {home, project, model} = ground;
  const more = await furnish({cli: other, home, project, modelUrl: model.url, account: 'key'});
  await symlink(other.native, join(ground.env.PATH?.split(':')[0] ?? '', other.word));
  Object.assign(ground.env, more);
  return ground;
};

const oneBaton = async (ground: Supervised): Promise<void> => {
  expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
  const checkpoints = await ground.checkpoints();
  expect(new Set(checkpoints.map((checkpoint) => checkpoint.track))).toEqual(new Set(['billing']));
  // The goal has come over in the person's own words, and nothing was done by nobody's plan.
  expect(checkpoints.at(-1)).toMatchObject({goal: goalOf(job)});
  expect(await ground.processes()).toEqual([]);
};

test.each(both)('begun with %s, which cannot go on; finished by the other with --continue', async (...given) => {
  const [one, other] = [given[1](), given[2]()];
  await using ground = await openBoth(one, other, failing(given[3], failuresOf(one.word).forbidden));
  const begun = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done', ...track));
  expect(await ended(begun)).toEqual({code: 75, signal: undefined});
  expect(judge(ground.path(job.file), job.steps)).toEqual({...flawless, missing: [5, 6, 7, 8]});

  const over = ground.start(ground.under([other.word], '--until-done', ...track, '--continue'));
  expect(await ended(over)).toEqual({code: 0, signal: undefined});
  await oneBaton(ground);
});

const agentsOf = async (ground: Supervised): Promise<unknown[]> =>
  (await ground.journal()).filter(({event}) => event === 'leg-spawned').map(({agent}) => agent);

const tomorrow = (): number => Math.ceil(Date.now() / 1000) + 86_400;

test.each(both)('%s is refused for good: the other takes over in the same run', async (...given) => {
  const [one, other] = [given[1](), given[2]()];
  await using ground = await openBoth(one, other, failing(given[3], failuresOf(one.word).forbidden));
  const own = ['--until-done', '--takeover', other.word, ...track];
  const terminal = ground.start(ground.under(ground.tui(goalOf(job)), ...own));
  expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
  await oneBaton(ground);
  expect(await agentsOf(ground)).toEqual([one.word, other.word]);
  const [certificate] = await ground.certificates();
  expect(certificate).toMatchObject({
    agent: one.word,
    cause: 'refused',
    decision: expect.stringContaining('takes over'),
  });
  expect(terminal.screen()).toContain(`2 legs (${one.word} 1, ${other.word} 1)`);
});

test.each(both)('%s has a limit that ends tomorrow: the other takes over, headless as well', async (...given) => {
  const [one, other] = [given[1](), given[2]()];
  const scenario = failing(given[3], failuresOf(one.word).usageLimit(tomorrow()));
  await using ground = await openBoth(one, other, scenario);
  const own = ['--until-done', '--takeover', other.word, ...track];
  const {code, stderr} = await ground.pipe(ground.under(ground.headless(goalOf(job)), ...own)).exit;
  expect({code, stderr}).toMatchObject({code: 0});
  await oneBaton(ground);
  expect(await agentsOf(ground)).toEqual([one.word, other.word]);
  expect(await ground.certificates()).toMatchObject([{agent: one.word, cause: 'limit'}]);
});

test('an agent that may take over and is not there is told at the start: nothing begins', async () => {
  await using ground = await openSupervised({cli: codex(), scenario: amnesiac()});
  const {code, stderr} = await ground.pipe(ground.under(ground.headless('x'), '--takeover', 'claude')).exit;
  expect({code, told: stderr.includes('claude was not found')}).toEqual({code: 127, told: true});
  const twice = await ground.pipe(ground.under(ground.headless('x'), '--takeover', 'codex')).exit;
  expect({code: twice.code, told: twice.stderr.includes('in this run already')}).toEqual({code: 64, told: true});
  expect(ground.model.requests).toEqual([]);
});
