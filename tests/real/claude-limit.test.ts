// A usage limit that ends soon, with a subscription: the new Claude Code waits and goes on by itself, and we stand aside;
// the old one shows a menu and stays there until it is nudged. Either way the same leg does the job exactly.

import {expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {amnesiac} from './model/amnesiac.ts';
import {failuresOf} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import {ended, openSupervised} from './supervised.ts';

const job = {steps: 4, file: 'job.txt'};
const SOON_MS = 8000;

/** Two steps go well; then nothing does, until the time that was told. */
const limited = (): Scenario => {
  const worker = amnesiac();
  let until: number | undefined;
  return {
    ...worker,
    main: (request) => {
      if (request.main < 3) return worker.main(request);
      until ??= request.at + SOON_MS;
      return request.at < until ? failuresOf('claude').usageLimit(Math.ceil(until / 1000)) : worker.main(request);
    },
  };
};

const nudge = 'the limit or overload should be over';

test.each([
  // With the real margin of half a minute: whoever wakes by itself may be first, and need not be.
  ['2.1.326', claudeNew(), [], ['itself', 'us']],
  ['2.1.197', claudeOld(), ['--limit-margin', '2'], ['us']],
] as [string, Cli, string[], string[]][])('Claude Code %s', async (_, cli, options, wokenBy) => {
  const env = {CKPT_POLICY: JSON.stringify({nudge: {waitMs: 10_000}})};
  await using ground = await openSupervised({cli, scenario: limited(), account: 'subscription', env});
  const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done', ...options));
  expect(await ended(terminal, 150_000)).toEqual({code: 0, signal: undefined});
  expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
  expect(await ground.certificates()).toEqual([]);
  const journal = await ground.journal();
  expect(journal.filter(({event}) => event === 'leg-spawned')).toHaveLength(1);
  const told = journal.filter(({event, proof}) => event === 'limit' && proof === true);
  expect(told.some(({resetsAt}) => typeof resetsAt === 'number')).toBe(true);
  const nudged = ground.model.main().some(({request}) => JSON.stringify(request.turns).includes(nudge));
  expect(wokenBy).toContain(nudged ? 'us' : 'itself');
});
