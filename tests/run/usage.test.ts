// What a run may use, over all of its legs, by what the agents' logs tell.

import {expect, test} from 'vitest';
import {begun, isThere, line, pass, SESSION, within} from './story.ts';

type World = Awaited<ReturnType<typeof begun>>;
const answers = (world: World, id: string, tokens: number) => {
  const usage = {input_tokens: tokens - 10, output_tokens: 10};
  // Two lines of one message: counted once.
  for (const text of ['a', 'b']) {
    const message = {id, model: 'x', content: [{type: 'text', text}], usage};
    world.log('/log/s1.jsonl', line({type: 'assistant', message}));
  }
};

test('the tokens of all legs count; at the limit the run parks, with the numbers', async () => {
  const world = await begun({policy: {attended: false, maxTokens: 1000}});
  answers(world, 'm1', 300);
  answers(world, 'm2', 300);
  await pass(world, 11_000);
  expect(world.journal.findLast(({event}) => event === 'usage-seen')).toMatchObject({tokens: 600});
  world.git.fingerprint = '2';
  world.agents[0]?.exit({signal: 9});
  await isThere(world, 2);
  world.spools.drop('leg-002', 'SessionStart', {...SESSION, source: 'startup'});
  world.spools.drop('leg-002', 'UserPromptSubmit', SESSION);
  answers(world, 'm3', 399);
  await pass(world, 11_000);
  expect(world.states().at(-1)).toBe('working');
  answers(world, 'm4', 100);
  await pass(world, 11_000);
  expect((await world.end).outcome).toEqual({is: 'parked', why: '1099 tokens used, of at most 1000 (--max-tokens)'});
  expect(world.agents).toHaveLength(2);
});

test('dollars count where the log tells them', async () => {
  const world = await begun({policy: {attended: false, maxDollars: 2}});
  world.log('/log/s1.jsonl', line({type: 'cost-state', totalCostUSD: 2.5}));
  await pass(world, 11_000);
  expect((await world.end).outcome).toEqual({is: 'parked', why: '$2.50 spent, of at most $2.00 (--max-cost)'});
});

test('without a limit nobody counts', async () => {
  const world = await begun();
  answers(world, 'm1', 1_000_000);
  await pass(world, 11_000);
  expect(world.journal.filter(({event}) => event === 'usage-seen')).toEqual([]);
  world.agents[0]?.exit();
  await within(() => expect(world.states().at(-1)).toBe('over'));
});
