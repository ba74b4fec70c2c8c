// `ckpt restore` asked for while the run is alive: checkpoint, stop, go back, a fresh leg with the old baton.

import {expect, test} from 'vitest';
import {begun, isThere, pass, within} from './story.ts';

const MINUTE = 60_000;

test('the agent is stopped behind a checkpoint, and the next leg gets the baton of then', async () => {
  const world = await begun();
  world.git.fingerprint = '2';
  await pass(world, 30 * MINUTE, MINUTE);
  const then = world.store.written[0];
  world.spools.drop('spool', 'restore', {to: then?.id, files: true, baton: true, paths: ['src']});
  await within(() => expect(world.agents[0]?.stopped).not.toEqual([]));
  world.agents[0]?.exit();
  expect(await isThere(world, 2)).toBe(true);
  expect(world.wentBack).toEqual([{to: then?.id, files: true, baton: true, paths: ['src']}]);
  expect(world.store.written.map(({trigger, label}) => [trigger, label])).toEqual([
    ['interval', 'leg-1-interval'],
    ['death', 'leg-1-restore'],
    ['interval', 'restored'],
  ]);
  expect(world.store.written[2]?.consumed_by).toMatchObject({leg: 2});
  expect(world.told.join('\n')).toContain(`went back to ${then?.id}`);
  world.agents[1]?.exit();
  await world.end;
});

test('a checkpoint that is gone: said, and the leg’s own is handed on', async () => {
  const world = await begun();
  world.spools.drop('spool', 'restore', {to: '20200101T000000000Z_gone', files: true, baton: true, paths: []});
  await within(() => expect(world.agents[0]?.stopped).not.toEqual([]));
  world.agents[0]?.exit();
  expect(await isThere(world, 2)).toBe(true);
  expect(world.told.join('\n')).toContain('could not go back to 20200101T000000000Z_gone');
  expect(world.store.written.at(-1)).toMatchObject({trigger: 'death', consumed_by: {leg: 2}});
  world.agents[1]?.exit();
  await world.end;
});

test('a request that names no checkpoint is none', async () => {
  const world = await begun();
  world.spools.drop('spool', 'restore', {to: '../../etc'});
  await pass(world, 1000);
  expect(world.agents[0]?.stopped).toEqual([]);
  world.agents[0]?.exit();
  await world.end;
});
