// An agent that is asked to hand over works on while its checkpoint is made: what it does until its end is handed on too.

import {expect, test} from 'vitest';
import {begun, call, result, within} from './story.ts';

test('a step done between the checkpoint and the end of its agent is in the next leg’s baton', async () => {
  const world = await begun({stage: {endsWhenStopped: false}});
  world.spools.drop('spool', 'handoff');
  await within(() => expect(world.calls).toContain('stop 1'));
  world.log('/log/s1.jsonl', call('b', 'echo two >> job.txt'));
  world.log('/log/s1.jsonl', result('b'));
  world.agents[0]?.exit({code: 143, signal: undefined});
  await within(() => expect(world.agents).toHaveLength(2));
  expect(world.store.written).toHaveLength(2);
  expect(world.agents[1]?.spec.args.at(-1)).toContain('echo two');
});

test('one that does nothing more has the checkpoint that is there', async () => {
  const world = await begun({stage: {endsWhenStopped: false}});
  world.spools.drop('spool', 'handoff');
  await within(() => expect(world.calls).toContain('stop 1'));
  world.agents[0]?.exit({code: 143, signal: undefined});
  await within(() => expect(world.agents).toHaveLength(2));
  expect(world.store.written).toHaveLength(1);
});
