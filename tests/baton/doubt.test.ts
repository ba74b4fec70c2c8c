import {describe, expect, it} from 'vitest';
import {compose} from '../../src/baton/compose.ts';
import type {LegFacts} from '../../src/baton/facts.ts';
import {legNumber} from '../../src/core/ids.ts';
import {call, factsOf, input, run, sample} from './samples.ts';

const leg2 = legNumber(2);

// Seen with the real Codex: the leg that was to verify died itself, and the step was done twice.
describe('a call in doubt, when the leg that was to verify it dies too', () => {
  const look = (state: 'open' | 'finished') => ({...call('tail -n 1 job.txt', state), does: 'look' as const});
  const doubt = {call: "Bash: printf 'step 69' >> job.txt", outcome: 'unknown' as const, outside: false};
  const previous = sample({in_flight: doubt, next_cmd: `verify whether \`${doubt.call}\` took effect, then go on`});
  const then = (changes: Partial<LegFacts>) => compose(input({leg: leg2, previous, facts: factsOf(changes)}));

  it.each<[string, Partial<LegFacts>]>([
    ['in the midst of looking', {recentCalls: [look('open')]}],
    ['after it has looked', {recentCalls: [look('finished')], callCount: 1}],
    ['after it has only asked ckpt', {recentCalls: [call('/opt/ckpt resume --live')], callCount: 1}],
    ['before it did anything', {}],
  ])('stays in doubt: %s', (_name, changes) => {
    const draft = then(changes);
    expect(draft.in_flight).toEqual(doubt);
    expect(draft.next_cmd).toBe(previous.next_cmd);
  });

  it('through any number of legs, and checkpoints inside them', () => {
    const facts = factsOf({recentCalls: [look('finished')], callCount: 1});
    let last = previous;
    for (const leg of [2, 2, 3, 4].map(legNumber))
      last = sample({...compose(input({leg, previous: last, facts})), run, leg});
    expect(last).toMatchObject({in_flight: doubt, next_cmd: previous.next_cmd});
  });

  it.each<[string, Partial<LegFacts>, string | undefined]>([
    ['done again', {recentCalls: [look('finished'), call("printf 'step 69' >> job.txt")]}, 'finished'],
    ['gone on from', {recentCalls: [look('finished'), call('make', 'open')]}, 'unknown'],
    ['a file edited since', {recentCalls: [look('finished')], edits: ['a.ts']}, 'finished'],
    ['a checkpoint of its own', {recentCalls: [look('finished'), call('/opt/ckpt snapshot --step x')]}, 'finished'],
  ])('is settled when the leg has acted: %s', (_name, changes, outcome) => {
    const flight = then(changes).in_flight;
    expect(flight).not.toEqual(doubt);
    expect(flight?.outcome).toBe(outcome);
  });
});
