// A leg that was given a baton must show that it took it up. Otherwise: asked again, a fresh one, the baton before, parked.

import {expect, test} from 'vitest';
import {begun, call, isThere, pass, result, SESSION, within} from './story.ts';

const MINUTE = 60_000;
type World = Awaited<ReturnType<typeof begun>>;
const starts = (world: World, leg: number) => {
  world.spools.drop(`leg-00${leg}`, 'SessionStart', {session_id: `s${leg}`, transcript_path: `/log/s${leg}.jsonl`});
  world.spools.drop(`leg-00${leg}`, 'UserPromptSubmit', {session_id: `s${leg}`, transcript_path: `/log/s${leg}.jsonl`});
};
const batonOf = (world: World, leg: number) => world.agents[leg - 1]?.spec.args.at(-1);
const seen = (world: World, event: string) => world.journal.filter((entry) => entry.event === event);

test('the first tool call is the proof; how long it took is noted', async () => {
  const world = await begun({policy: {attended: false}});
  world.git.fingerprint = '2';
  world.agents[0]?.exit({signal: 9});
  await isThere(world, 2);
  starts(world, 2);
  await pass(world, 20_000);
  world.log('/log/s2.jsonl', call('b', 'true'));
  await within(() => expect(seen(world, 'uptake-seen')).toMatchObject([{leg: 2, afterMs: 20_000}]));
  world.log('/log/s2.jsonl', result('b'));
  await pass(world, 9 * MINUTE);
  expect(world.agents[1]?.typed).toEqual([]);
  world.signal(15);
  expect((await world.end).summary).toMatchObject({legs: 2, uptake_ms: [20_000]});
});

test('no uptake: asked again, replaced by a fresh leg, given the baton before, parked', async () => {
  const world = await begun({policy: {attended: false}});
  // Leg 2 takes its baton up and dies: that baton is the one to go back to.
  world.git.fingerprint = '2';
  world.agents[0]?.exit({signal: 9});
  await isThere(world, 2);
  starts(world, 2);
  world.log('/log/s2.jsonl', call('b', 'true'));
  world.log('/log/s2.jsonl', result('b'));
  world.git.fingerprint = '3';
  await pass(world, 1000);
  world.agents[1]?.exit({signal: 9});
  for (const leg of [3, 4, 5]) {
    expect(await isThere(world, leg)).toBe(true);
    starts(world, leg);
    await pass(world, 3 * MINUTE + 1000, 1000);
    expect(world.agents[leg - 1]?.typed.join('')).toContain('you were handed a baton');
    await pass(world, 3 * MINUTE, 1000);
  }
  const {outcome, summary} = await world.end;
  expect(outcome).toEqual({is: 'parked', why: '3 agents in a row have not taken the baton up'});
  expect(summary.deaths).toEqual({killed: 2, 'no-uptake': 3});
  expect(batonOf(world, 5)).toBe(batonOf(world, 2)?.replaceAll('leg 2', 'leg 5'));
  expect(JSON.parse(world.legFiles.get('3/certificate.json') ?? '{}')).toMatchObject({
    cause: 'no-uptake',
    evidence: [{detail: 'no tool call and no checkpoint within 180 s, and again after it was asked'}],
  });
});

test('with a person there they are told, and nothing is typed', async () => {
  const world = await begun({stage: {kind: 'pipes'}});
  world.git.fingerprint = '2';
  world.agents[0]?.exit({signal: 9});
  await isThere(world, 2);
  world.spools.drop('leg-002', 'SessionStart', {...SESSION, source: 'startup'});
  await pass(world, 9 * MINUTE);
  expect(world.told.filter((line) => line.includes('has not taken the baton up within 3 min'))).toHaveLength(1);
  expect(world.agents[1]?.typed).toEqual([]);
  world.agents[1]?.exit();
  await world.end;
});
