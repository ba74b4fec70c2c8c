// A track begun with one agent is finished by the other, by hand: one baton, every step exactly once.

import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type Cli, claudeNew, codex} from './clis.ts';
import {furnish} from './homes.ts';
import {amnesiac} from './model/amnesiac.ts';
import {failuresOf} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import type {Api} from './model/request.ts';
import {ended, openSupervised} from './supervised.ts';

const job = {steps: 8, file: 'job.txt'};
const track = ['--track', 'billing'];

/** After four answers its account is refused: it cannot go on, and another agent can. */
const refusing = (api: Api, word: Cli['word']): Scenario => {
  const worker = amnesiac();
  return {
    ...worker,
    main: (request) => (request.api === api && request.main > 4 ? failuresOf(word).forbidden : worker.main(request)),
  };
};

test.each<[string, () => Cli, () => Cli, Api]>([
  ['Claude Code', claudeNew, codex, 'anthropic'],
  ['Codex', codex, claudeNew, 'responses'],
])('begun with %s, which cannot go on; finished by the other with --continue', async (_, first, second, api) => {
  const [one, other] = [first(), second()];
  await using ground = await openSupervised({cli: one, scenario: refusing(api, one.word)});
  const {home, project, model} = ground;
  const more = await furnish({cli: other, home, project, modelUrl: model.url, account: 'key'});
  await symlink(other.native, join(ground.env.PATH?.split(':')[0] ?? '', other.word));
  const env = {...ground.env, ...more};

  const begun = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done', ...track), {env});
  expect(await ended(begun)).toEqual({code: 75, signal: undefined});
  const before = judge(ground.path(job.file), job.steps);
  expect(before).toEqual({...flawless, missing: [5, 6, 7, 8]});

  const over = ground.start(ground.under([other.word], '--until-done', ...track, '--continue'), {env});
  expect(await ended(over)).toEqual({code: 0, signal: undefined});
  expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
  const checkpoints = await ground.checkpoints();
  expect(new Set(checkpoints.map((checkpoint) => checkpoint.track))).toEqual(new Set(['billing']));
  // The goal has come over in the person's own words, and nothing was done by nobody's plan.
  expect(checkpoints.at(-1)).toMatchObject({goal: goalOf(job)});
  expect(await ground.processes()).toEqual([]);
});
