// Every checkpoint of a run holds the files; the one of a leg's end has the session log copied too.

import {expect, test} from 'vitest';
import type {RunId} from '../../src/core/ids.ts';
import {sample} from '../baton/samples.ts';
import {begun, isThere, pass, within} from './story.ts';

const MINUTE = 60_000;
const thin = {...sample({extra: {workspace: 'not saved: read-only'}})};
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

test('at a death the files are saved while git is asked: the next agent waits for the slower one only', async () => {
  const world = await begun();
  const {facts} = world.ports.workspace;
  // Git answers only when the saving has begun.
  world.ports.workspace.facts = async () => {
    await within(() => expect(world.keeper.asked).toHaveLength(2));
    return facts();
  };
  world.agents[0]?.exit({code: 3, signal: undefined});
  expect(await isThere(world, 2)).toBe(true);
  expect(world.store.written[0]).toMatchObject({trigger: 'death', branch: 'main', workspace: {complete: true}});
  world.ports.workspace.facts = facts;
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

test('a checkpoint that the agent’s sandbox let nobody save files for gets them from the run, and only its own do', async () => {
  const world = await begun();
  const write = async (run: string) => {
    const id = await world.ports.store.write({...thin, run: run as RunId});
    if (!id.ok) throw new Error('not written');
    world.spools.drop('spool', 'keep-files', {checkpoint: id.value});
  };
  await write(world.plan.run);
  await write('r-20261118-091500-ffff');
  world.spools.drop('spool', 'keep-files', {checkpoint: '../../etc/passwd'});
  await within(() => expect(world.store.written[0]?.workspace).toMatchObject({complete: true}));
  expect(world.store.written[0]?.extra).toEqual({});
  expect(world.store.written[1]?.workspace).toBeUndefined();
  world.agents[0]?.exit();
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
