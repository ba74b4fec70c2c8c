// `ckpt done` comes through the run's own spool, the news of the turn through the leg's: either may be the first.

import {expect, test} from 'vitest';
import {begun, SESSION, within} from './story.ts';

test('news of the turn’s beginning that comes after ckpt done takes nothing back', async () => {
  const world = await begun({policy: {attended: false}});
  // A state that was read a moment too late: the turn looks over, and is not.
  world.spools.drop('leg-001', 'Stop', SESSION);
  await within(() => expect(world.journal.some(({event}) => event === 'idle')).toBe(true));
  world.spools.drop('spool', 'done', {note: 'all of it'});
  world.spools.drop('leg-001', 'UserPromptSubmit', SESSION);
  world.spools.drop('leg-001', 'Stop', SESSION);
  expect((await world.end).outcome).toEqual({is: 'done', note: 'all of it'});
  expect(world.agents[0]?.typed).toEqual([]);
});
