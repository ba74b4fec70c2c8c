// An agent that was updated between two legs: told once, with whether we know that version.

import {expect, test} from 'vitest';
import {begun, call, isThere, within} from './story.ts';

const handedOver = async (before: string, after: string) => {
  const world = await begun({policy: {attended: false}});
  world.log('/log/s1.jsonl', {...call('b', 'true'), version: before});
  world.git.fingerprint = '2';
  world.agents[0]?.exit({signal: 9});
  await isThere(world, 2);
  world.spools.drop('leg-002', 'SessionStart', {session_id: 's2', transcript_path: '/log/s2.jsonl'});
  world.log('/log/s2.jsonl', {...call('c', 'true'), version: after});
  world.log('/log/s2.jsonl', {...call('d', 'true'), version: after});
  await within(() => expect(world.journal.some(({event}) => event === 'uptake-seen')).toBe(true));
  world.signal(15);
  await world.end;
  return world;
};

const changes = ({journal}: Awaited<ReturnType<typeof handedOver>>) =>
  journal.filter(({event}) => event === 'version-changed');

test('another version is told once, and whether we were tested with it', async () => {
  const world = await handedOver('2.1.197', '9.9.9');
  expect(changes(world)).toMatchObject([{leg: 2, from: '2.1.197', to: '9.9.9', tested: false}]);
  expect(world.told.join('\n')).toContain(
    'leg 2 is claude 9.9.9, the one before was 2.1.197; ckpt-run was tested with',
  );
});

test('the same version is no news', async () => {
  expect(changes(await handedOver('2.1.197', '2.1.197'))).toEqual([]);
});
