// The bell and OSC 9 of a notification reach the person's terminal, between two sequences of the agent.

import {expect, test} from 'vitest';
import {openPlace} from '../support/run-practice.ts';

test('a usage limit and the end of the work ring', async () => {
  await using place = openPlace();
  const terminal = place.terminal(['--until-done', '--limit-margin', '0', 'practice']);
  expect(await terminal.exit).toEqual({code: 0, signal: undefined});
  expect(terminal.raw()).toContain('\x1b]9;');
  expect(terminal.raw()).toMatch(/\]9;[^\n]*limit/);
  expect(terminal.modes()).toMatchObject({changed: [], alternate: false, kitty: []});
});
