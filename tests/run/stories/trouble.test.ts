// Bad days: an overload of two hours, a lid that is closed, a storm of crashes, a park and what comes after it.

import {expect, test} from 'vitest';
import {captureNumber} from '../../../src/core/ids.ts';
import type {Ledger} from '../../../src/core/state.ts';
import {beginDays, type Days, HOUR, MINUTE} from './days.ts';

const LONG = 60_000;

const overloaded = (days: Days) =>
  days.hook('StopFailure', {error: 'server_error', last_assistant_message: 'API Error: 529'});

test(
  'two hours of overload: the ladder, nudges in the same leg, fresh legs after three of them; nothing is counted as a crash',
  async () => {
    const days = await beginDays({start: 997 * 1_800_000_000});
    await days.works();
    await overloaded(days);
    const begun = days.ports.clock.now();
    while (days.ports.clock.now() - begun < 2 * HOUR) {
      const legs = days.agents.length;
      await days.untilNudged();
      if (days.agents.length > legs) await days.hook('SessionStart', {source: 'startup'});
      await days.hook('UserPromptSubmit');
      await overloaded(days);
    }
    await days.untilNudged();
    await days.works();
    days.spools.drop('spool', 'done', {note: 'all of it'});
    await days.hook('Stop');
    const {outcome, summary} = await days.end;
    await expect(days.told()).toMatchFileSnapshot('journals/overload.txt');
    expect(outcome.is).toBe('done');
    // The wait in the resting state belongs to the ladder too: nobody crashed, nobody is held responsible.
    expect(summary.deaths).toEqual({overload: 5});
    expect(days.told()).not.toContain('crashed');
  },
  LONG,
);

test('a lid that is closed for eight hours in the midst of a limit: it wakes late, once, and no hang is seen', async () => {
  const days = await beginDays();
  await days.works();
  const resetsAt = Math.round((days.ports.clock.now() + 2 * HOUR) / 1000);
  await days.line({
    ...{type: 'assistant', isApiErrorMessage: true, error: 'rate_limit'},
    message: {model: '<synthetic>', content: [{type: 'text', text: 'limit'}]},
    apiErrorParams: {rate_limit_info: {resetsAt}},
  });
  await days.passes(10 * MINUTE);
  await days.sleeps(8 * HOUR);
  await days.passes(500);
  await days.hook('UserPromptSubmit');
  await days.passes(5 * MINUTE);
  // And again while the model thinks.
  await days.sleeps(8 * HOUR);
  await days.passes(4 * MINUTE);
  days.spools.drop('spool', 'done', {note: 'all of it'});
  await days.hook('Stop');
  const {outcome} = await days.end;
  await expect(days.told()).toMatchFileSnapshot('journals/sleep.txt');
  expect(outcome.is).toBe('done');
  expect(days.nudges()).toBe(1);
});

test('a storm of crashes parks the run; a person takes it up again, with a new budget and the same legs', async () => {
  const days = await beginDays();
  let ledger: Ledger | undefined;
  days.ports.files.writeRun = (run) => {
    ledger = (run as {ledger: Ledger}).ledger;
  };
  await days.works();
  days.agents[0]?.exit({signal: 9});
  for (let leg = 2; leg <= 6; leg += 1) {
    while (days.agents.length < leg) await days.passes(Math.max(1, days.dueIn() ?? 1));
    days.agents[leg - 1]?.exit({code: 1});
    await days.passes(1);
  }
  const first = await days.end;
  await expect(days.told()).toMatchFileSnapshot('journals/storm.txt');
  expect(first.outcome.is).toBe('parked');

  const kept = ledger;
  if (kept === undefined) throw new Error('run.json was never written');
  const again = await beginDays({
    before: (world) => {
      world.plan.remains = {
        leg: 6 as never,
        ledger: {...kept, reported: captureNumber(kept.captures)},
        dead: undefined,
      };
      world.ports.store = days.ports.store;
    },
  });
  await again.works();
  again.spools.drop('spool', 'done', {note: 'all of it'});
  await again.hook('Stop');
  const second = await again.end;
  await expect(again.told()).toMatchFileSnapshot('journals/resume.txt');
  expect(second.outcome).toEqual({is: 'done', note: 'all of it'});
  expect(again.agents[0]?.spec.args.at(-1)).toContain('Already done');
});
