// A baton is taken up once, and only by whom it is for: the refusals, each with its reason.

import {describe, expect, test} from 'vitest';
import type {Checkpoint} from '../../src/baton/checkpoint.ts';
import type {RunOptions} from '../../src/cli/run-options.ts';
import {chooseStart, type StartStore} from '../../src/cli/run-start.ts';
import {ok} from '../../src/core/failure.ts';
import {type LegNumber, millis, type RunId, type Track} from '../../src/core/ids.ts';
import {readBaton} from '../../src/run/first-prompt.ts';
import {sample} from '../baton/samples.ts';
import {fakeWorld} from '../fakes/world.ts';

const used = {run: 'r-20261118-091500-aaaa' as RunId, leg: 3 as LegNumber, at: '2026-11-18T09:15:00.000Z'};
const closed = {at: '2026-11-18T09:15:00.000Z', note: 'all\ndone'};

const store = (latest: Checkpoint | undefined, answer = true) => {
  const asked: string[] = [];
  let released = 0;
  const start: StartStore = {
    ...{dir: '/c', root: '/r', inGit: true, now: () => millis(0), prepare: () => ok('there' as const)},
    latest: async (track) => (latest?.track === track ? latest : undefined),
    claim: async () => () => {
      released += 1;
    },
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  };
  return {start, asked, released: () => released};
};
const options = (more: Partial<RunOptions>): RunOptions =>
  ({
    ...{agent: 'claude', args: [], setCurrent: true, fresh: false, continue: false, dryRun: false},
    ...more,
  }) as RunOptions;
const begin = (given: ReturnType<typeof store>, more: Partial<RunOptions> = {}) =>
  chooseStart(given.start, {options: options(more), prompt: undefined, terminal: true});

describe('a new run', () => {
  test('takes the baton of its track up when it asks for it', async () => {
    const given = store(sample({}));
    expect(await begin(given, {continue: true})).toMatchObject({ok: true, value: {continues: sample({}).id}});
    expect(given.asked).toEqual([]);
  });

  test.each<[string, Checkpoint | undefined, Partial<RunOptions>, string]>([
    ['used already', sample({consumed_by: used}), {}, 'already taken up by r-20261118-091500-aaaa, leg 3'],
    ['of a closed track', sample({closed}), {}, 'was closed at 2026-11-18T09:15:00.000Z (all ⏎ done)'],
    ['of another track', sample({}), {track: 'docs'}, 'track "docs" has no checkpoint to continue'],
  ])('is refused one that is %s, and lets its track go', async (_, latest, more, what) => {
    const given = store(latest);
    const start = await begin(given, {continue: true, ...more});
    expect(start).toMatchObject({ok: false, failure: {what: expect.stringContaining(what)}});
    expect(given.released()).toBe(1);
  });

  test('is not even asked about one that it may not have', async () => {
    for (const latest of [sample({consumed_by: used}), sample({closed}), undefined]) {
      const given = store(latest);
      expect(await begin(given)).toMatchObject({ok: true, value: {continues: undefined}});
      expect(given.asked).toEqual([]);
    }
    const given = store(sample({}), false);
    expect(await begin(given)).toMatchObject({ok: true, value: {continues: undefined}});
    expect(given.asked).toHaveLength(1);
  });
});

describe('a leg', () => {
  const read = async (changes: Partial<Checkpoint>) => {
    const world = fakeWorld();
    const checkpoint = sample({track: 'main' as Track, ...changes});
    world.ports.store.read = async () => ok(checkpoint);
    return readBaton(world.plan, world.ports, {baton: checkpoint.id, leg: 2 as LegNumber});
  };

  test('gets the baton of its track', async () => {
    expect(await read({})).toMatchObject({ok: true, value: {prompt: expect.stringContaining('You are the next leg')}});
  });

  test("may be given its own run's baton again", async () => {
    const {run} = fakeWorld().plan;
    expect(await read({consumed_by: {...used, run}})).toMatchObject({ok: true});
  });

  test.each<[string, Partial<Checkpoint>, string]>([
    ["another track's", {track: 'docs' as Track}, 'belongs to track "docs", not to "main"'],
    ["a closed track's", {closed}, 'track "main" was closed'],
    ['one that another run has used', {consumed_by: used}, 'was already taken up by r-20261118-091500-aaaa, leg 3'],
  ])('is refused %s', async (_, changes, what) => {
    expect(await read(changes)).toMatchObject({
      ...{ok: false, failure: {is: 'baton-refused', what: expect.stringContaining(what)}},
    });
  });
});
