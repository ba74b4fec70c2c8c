import {expect, test} from 'vitest';
import {readKnowledge} from '../../src/practice/knowledge.ts';

test.each<[what: string, text: string, knows: {done: number; unknown: number | undefined}]>([
  ['nothing', 'Run the relay.', {done: 0, unknown: undefined}],
  [
    'what is done',
    'Already done (finished, do not repeat):\n- Bash: echo "step 1: a"\n- Bash: echo "step 2: b"\n\nNext: step 3',
    {done: 2, unknown: undefined},
  ],
  [
    'nothing from below the list',
    'Already done (finished, do not repeat):\n- step 2\nstep 9 is far away',
    {done: 2, unknown: undefined},
  ],
  ['a call that nobody saw the end of', 'In flight: echo "step 7: x"\n  outcome: unknown', {done: 0, unknown: 7}],
  ['a call that did end', 'In flight: echo "step 7: x"\n  outcome: finished', {done: 7, unknown: undefined}],
  [
    'an unknown one that is known to be done needs no look',
    'Already done (finished, do not repeat):\n- step 7\n\nstep 7 outcome: unknown',
    {done: 7, unknown: undefined},
  ],
])('a prompt that tells %s', (_, text, knows) => {
  expect(readKnowledge(text)).toEqual(knows);
});
