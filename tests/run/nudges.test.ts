// Nobody is there and the agent ends its turn without `ckpt done`: it is told to go on, a few times.

import {expect, test} from 'vitest';
import {begun, isThere, pass, SESSION, within} from './story.ts';

const unattended = {policy: {attended: false}};
const SECOND = 1000;

type World = Awaited<ReturnType<typeof begun>>;
const typed = (world: World) => world.agents[0]?.typed.filter((text) => text !== '\r') ?? [];
/** The turn ends; whatever is captured for that is written or skipped. */
const stops = async (world: World) => {
  const reports = world.journal.filter(({event}) => /^checkpoint-/.test(String(event))).length;
  world.spools.drop('leg-001', 'Stop', SESSION);
  await within(() =>
    expect(world.journal.filter(({event}) => /^checkpoint-/.test(String(event)))).toHaveLength(reports + 1),
  );
};
const nudged = async (world: World, times: number) => {
  await within(() => expect(typed(world)).toHaveLength(times));
  world.advance(300);
  world.spools.drop('leg-001', 'UserPromptSubmit', SESSION);
};

test('the turn is over: a checkpoint, and after a minute the next step is typed in', async () => {
  const world = await begun(unattended);
  world.git.fingerprint = '2';
  await stops(world);
  expect(world.store.written.map(({trigger}) => trigger)).toEqual(['phase']);
  await pass(world, 59 * SECOND);
  expect(typed(world)).toEqual([]);
  await pass(world, 3 * SECOND, SECOND);
  const [nudge = ''] = typed(world);
  expect(nudge).toContain('This is ckpt-run: your turn has ended');
  expect(nudge).toContain(`The next step, by the last checkpoint: ${world.store.written[0]?.next_cmd.slice(0, 30)}`);
  expect(nudge).toContain('/run/ckpt done');
  expect(world.agents[0]?.typed.at(-1)).toBe('\r');
  world.spools.drop('spool', 'done', {note: 'all of it'});
  await pass(world, 11 * SECOND);
  expect((await world.end).outcome).toEqual({is: 'done', note: 'all of it'});
});

test('three nudges without progress: parked, with the reason; one that helps begins the count again', async () => {
  const world = await begun(unattended);
  for (const [round, moves] of [true, false, false, true, false, false, false].entries()) {
    if (moves) world.git.fingerprint = `moved ${round}`;
    await stops(world);
    await pass(world, 61 * SECOND);
    if (round < 6) await nudged(world, round + 1);
  }
  expect((await world.end).outcome).toEqual({
    is: 'parked',
    why: 'the agent waits at its prompt and has not said ckpt done; 3 nudges brought no progress',
  });
  expect(typed(world)).toHaveLength(6);
  expect(world.store.written.map(({trigger}) => trigger)).toEqual(['phase', 'phase', 'end']);
});

test('a nudge that nobody heard counts: the agent is not typed at for ever', async () => {
  const world = await begun(unattended);
  await stops(world);
  await pass(world, 600 * SECOND, SECOND);
  expect((await world.end).outcome.is).toBe('parked');
  expect(typed(world)).toHaveLength(3);
});

test('never after the person’s interrupt', async () => {
  const world = await begun(unattended);
  world.log('/log/s1.jsonl', {
    ...{type: 'user', sessionId: 's1', timestamp: '2026-11-18T10:00:00Z'},
    message: {content: [{type: 'text', text: '[Request interrupted by user]'}]},
  });
  await within(() => expect(world.journal.at(-1)).toMatchObject({event: 'idle'}));
  await pass(world, 600 * SECOND);
  expect(typed(world)).toEqual([]);
  world.agents[0]?.exit();
  await world.end;
});

test('never with a person there', async () => {
  const world = await begun();
  world.spools.drop('leg-001', 'Stop', SESSION);
  await pass(world, 600 * SECOND);
  expect(typed(world)).toEqual([]);
  expect(world.store.written).toEqual([]);
  world.agents[0]?.exit();
  await world.end;
});

test('headless, until done: an agent that ends early is followed by another with the baton, four times at most in vain', async () => {
  const world = await begun({
    policy: {attended: false, headless: true, untilDone: true, budget: {legs: 99, windowMs: 900_000}},
    stage: {kind: 'pipes'},
  });
  world.git.fingerprint = 'moved by leg 1';
  for (let leg = 1; await isThere(world, leg); leg += 1) {
    if (leg > 1) world.spools.drop(`leg-00${leg}`, 'SessionStart', {...SESSION, source: 'startup'});
    world.agents[leg - 1]?.exit({code: 0});
  }
  const {outcome, summary} = await world.end;
  expect(outcome).toEqual({is: 'parked', why: '4 legs ended without progress and without ckpt done'});
  expect(summary).toMatchObject({legs: 5, deaths: {unfinished: 5}});
  expect(world.agents[1]?.spec.args.at(-1)).toContain('This is ckpt-run, handing over to you');
});

test('headless, until done: done ends it', async () => {
  const world = await begun({policy: {attended: false, headless: true, untilDone: true}, stage: {kind: 'pipes'}});
  world.spools.drop('spool', 'done', {note: 'all of it'});
  world.agents[0]?.exit({code: 0});
  expect((await world.end).outcome).toEqual({is: 'done', note: 'all of it'});
  expect(world.agents).toHaveLength(1);
});
