// Every checkpoint of a run holds the files; the one of a leg's end has the session log copied too.

import {expect, test} from 'vitest';
import {begun, isThere, pass} from './story.ts';

const MINUTE = 60_000;
const full = {is: 'system', doing: 'save the files', code: 'ENOSPC', message: 'no space left on device'} as const;

test('an automatic checkpoint holds the files, a death also the log with the hash of the original', async () => {
  const world = await begun();
  world.git.fingerprint = '2';
  await pass(world, 30 * MINUTE, MINUTE);
  world.agents[0]?.exit({code: 3, signal: undefined});
  expect(await isThere(world, 2)).toBe(true);
  const [interval, death] = world.store.written;
  expect(interval).toMatchObject({trigger: 'interval', workspace: {ref: 'refs/ckpt/main/1-a', complete: true}});
  expect(interval?.conversation?.sha256).toBeUndefined();
  expect(death).toMatchObject({trigger: 'death', workspace: {complete: true}, conversation: {sha256: 'f'.repeat(64)}});
  expect(world.keeper.asked.filter((what) => what.startsWith('log'))).toEqual(['log of leg 1: /log/s1.jsonl']);
  world.agents[1]?.exit();
  await world.end;
});

test('what cannot be saved makes the checkpoint thinner, and it says so; the handoff goes on', async () => {
  const world = await begun();
  world.keeper.refuse(full);
  world.agents[0]?.exit({code: 3, signal: undefined});
  expect(await isThere(world, 2)).toBe(true);
  expect(world.store.written[0]).toMatchObject({
    trigger: 'death',
    extra: {
      workspace: 'not saved: save the files: no space left on device (ENOSPC)',
      session_log: expect.stringContaining('not copied'),
    },
  });
  expect(world.store.written[0]?.workspace).toBeUndefined();
  world.agents[1]?.exit();
  await world.end;
});

test('the trees of automatic checkpoints that are pruned go with them', async () => {
  const world = await begun();
  world.ports.store.retain = async () => ({
    ok: true,
    value: {remove: world.store.written.slice(0, 1), stay: new Map()},
  });
  world.git.fingerprint = '2';
  await pass(world, 30 * MINUTE, MINUTE);
  expect(world.keeper.asked).toContain('forget 1');
  world.agents[0]?.exit();
  await world.end;
});
