// A question of the agent's stands on its screen when it is to be stopped: no key is typed, it would be the answer.

import {expect, test} from 'vitest';
import {loadCode} from '../../adapters/code.ts';
import {runLoop} from '../../src/run/run-loop.ts';
import {builtin, parseRun} from '../adapter/builtin.ts';
import {fakeWorld} from '../fakes/world.ts';
import {SESSION, within} from './story.ts';

const stepsAfter = async (...events: string[]) => {
  const world = fakeWorld();
  const parsed = parseRun('codex', []);
  const plan = {...world.plan, adapter: builtin('codex'), code: await loadCode('codex'), parsed};
  const end = runLoop(plan, world.ports);
  await within(() => expect(world.agents).toHaveLength(1));
  for (const event of ['SessionStart', ...events]) world.spools.drop('leg-001', event, SESSION);
  world.signal(15);
  await end;
  return world.agents[0]?.stopped[0]?.map((step) => ('key' in step ? 'key' : step.signal));
};

const ladder = ['key', 'key', 'key', 'SIGTERM', 'SIGKILL'];

test('asked, it is stopped by signals; before that and after the answer by its keys', async () => {
  expect(await stepsAfter('PermissionRequest')).toEqual(['SIGTERM', 'SIGKILL']);
  expect(await stepsAfter('UserPromptSubmit')).toEqual(ladder);
  expect(await stepsAfter('PermissionRequest', 'UserPromptSubmit')).toEqual(ladder);
});
