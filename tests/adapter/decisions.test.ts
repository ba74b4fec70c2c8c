import {expect, test} from 'vitest';
import {decisionsIn} from '../../adapters/shared/decisions.ts';

test.each<[string, string, string | undefined]>([
  ['Decision: use zod because it is there.', 'use zod', 'it is there'],
  ['**Decision:** keep the old API.', 'keep the old API', undefined],
  ['- Decided: SQLite, since one file is enough.', 'SQLite', 'one file is enough'],
  ['I decided to drop the cache, because it hid the bug.', 'I decided to drop the cache', 'it hid the bug'],
  ["We've chosen PostgreSQL over MySQL.", "We've chosen PostgreSQL over MySQL", undefined],
  ["OK, I'll go with the streaming parser.", "I'll go with the streaming parser", undefined],
  [
    "I'll use a queue instead of polling since polling is slow.",
    "I'll use a queue instead of polling",
    'polling is slow',
  ],
  ['Going with v2.1 of the schema.', 'Going with v2.1 of the schema', undefined],
  ['It is slow, so we will go with a queue.', 'we will go with a queue', 'It is slow'],
  ['A second function it is: callers stay as they are.', 'A second function it is', undefined],
  ['We rejected Redis because it needs a server.', 'We rejected Redis', 'it needs a server'],
])('%s', (text, what, why) => {
  expect(decisionsIn(`Some words.\n${text}\nMore words follow.`)).toEqual([{what, why}]);
});

test.each([
  "I'll run the tests now.",
  "I'll use the Read tool.",
  'Should we go with zod?',
  'If it fails I will go with plan B.',
  'We might go with a queue instead of polling.',
  '> Decision: quoted from elsewhere.',
  '```\nDecision: use tabs\n```',
  'The decision table is in src/a.ts.',
  'Let me know what you decided.',
  'The person decided to leave.',
  'As it is, nothing works.',
  'Whatever it is, I will find it.',
  'The tests fail, so I will look at them.',
])('nothing is decided by %j', (text) => {
  expect(decisionsIn(text)).toEqual([]);
});
