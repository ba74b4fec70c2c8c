// A call that waits in the hook: the run saves or asks, and always answers.

import {expect, test} from 'vitest';
import {begun, pass, within} from './story.ts';

const bash = (command: string) => ({
  tool_name: 'Bash',
  tool_input: {command},
  session_id: 's1',
  transcript_path: '/log/s1.jsonl',
});
const ends = async (world: Awaited<ReturnType<typeof begun>>) => {
  world.agents[0]?.exit();
  await world.end;
};
const triggers = (world: Awaited<ReturnType<typeof begun>>) => world.store.written.map(({trigger}) => trigger);
const gate = {approval: {on: true, waitMs: 60_000}};

test('rm -rf: the files are saved before it is let go, though nothing has moved since the leg began', async () => {
  const world = await begun();
  world.spools.drop('leg-001', 'HeldToolUse', bash('rm -rf src'));
  await within(() => expect(world.spools.answers).toEqual([{id: '1.HeldToolUse', exitCode: 0}]));
  expect(triggers(world)).toEqual(['before_risky_change']);
  expect(world.store.written[0]?.workspace).toMatchObject({complete: true});
  world.spools.drop('leg-001', 'HeldToolUse', bash('rm -rf lib'));
  await within(() => expect(world.spools.answers).toHaveLength(2));
  expect(triggers(world)).toEqual(['before_risky_change']);
  await ends(world);
});

test('the checkpoint fails: said in the journal, and the agent is let go all the same', async () => {
  const world = await begun();
  world.store.refuse({is: 'store-unusable', path: '/x', what: 'read-only'});
  world.spools.drop('leg-001', 'HeldToolUse', bash('git reset --hard'));
  await within(() => expect(world.spools.answers).toEqual([{id: '1.HeldToolUse', exitCode: 0}]));
  expect(world.journal.some(({event}) => event === 'checkpoint-failed')).toBe(true);
  world.store.refuse(undefined);
  await ends(world);
});

test('a word that is only quoted is let go at once, without a checkpoint', async () => {
  const world = await begun();
  world.spools.drop('leg-001', 'HeldToolUse', bash('grep -rn "rm -rf" docs'));
  expect(world.spools.answers).toEqual([{id: '1.HeldToolUse', exitCode: 0}]);
  expect(triggers(world)).toEqual([]);
  await ends(world);
});

test('with the gate: a push waits for the person’s yes, and is told no word of approval', async () => {
  const world = await begun({policy: gate});
  world.spools.drop('leg-001', 'HeldToolUse', bash('git push origin main'));
  await pass(world, 30_000);
  expect(world.spools.answers).toEqual([]);
  world.spools.drop('/run/spool', 'approve');
  await within(() => expect(world.spools.answers).toEqual([{id: '1.HeldToolUse', exitCode: 0}]));
  await ends(world);
});

test('with the gate: no, and no word at all, are told to the agent', async () => {
  const world = await begun({policy: gate});
  world.spools.drop('leg-001', 'HeldToolUse', bash('npm publish'));
  world.spools.drop('/run/spool', 'deny', {note: 'not yet'});
  await within(() => expect(world.spools.answers).toHaveLength(1));
  expect(world.spools.answers[0]?.stdout).toContain('a person said no: not yet');
  world.spools.drop('leg-001', 'HeldToolUse', bash('npm publish'));
  await pass(world, 61_000);
  await within(() => expect(world.spools.answers).toHaveLength(2));
  expect(JSON.parse(world.spools.answers[1]?.stdout ?? '')).toMatchObject({
    hookSpecificOutput: {permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('in time')},
  });
  await ends(world);
});
