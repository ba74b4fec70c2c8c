// What the run loop writes into run.json, read back as `ckpt status` reads it.

import {expect, test, vi} from 'vitest';
import {millis} from '../../src/core/ids.ts';
import {runLoop} from '../../src/run/run-loop.ts';
import {type RunRecord, readRunRecord} from '../../src/watch/run-record.ts';
import {fakeWorld} from '../fakes/world.ts';

const within = <T>(check: () => T): Promise<T> => vi.waitFor(check, {timeout: 2000, interval: 1});

const begun = async (given: Parameters<typeof fakeWorld>[0] = {}) => {
  const world = fakeWorld(given);
  const written: RunRecord[] = [];
  world.ports.files.writeRun = (run) => {
    const read = readRunRecord(JSON.stringify(run));
    if ('broken' in read) throw new Error(read.broken);
    written.push(read);
  };
  const end = runLoop(world.plan, world.ports);
  await within(() => expect(world.agents).toHaveLength(1));
  world.spools.drop('leg-001', 'SessionStart', {session_id: 's1', transcript_path: '/log/s1.jsonl', source: 'startup'});
  await within(() => expect(written.at(-1)?.state).toBe('working'));
  return {...world, end, written, last: () => written.at(-1)};
};

test('run.json tells state, since when, and the numbers of the budget', async () => {
  const world = await begun();
  expect(world.last()).toMatchObject({
    ...{run: world.plan.run, agent: 'claude', track: 'main', state: 'working', leg: 1, waits: undefined},
    ...{startedAt: world.plan.startedAt, since: expect.any(Number)},
    budget: {failures: 0, legs: 5, windowMs: 900_000, maxLegs: 200, endsAt: world.plan.startedAt + 72 * 3_600_000},
  });
});

test('a leg that dies without progress is counted, and the rest before the next one has its end', async () => {
  const world = await begun();
  world.agents[0]?.exit({signal: 9});
  await within(() => expect(world.last()?.state).toBe('resting'));
  const {waits, budget} = world.last() ?? {};
  expect(waits).toEqual({for: 'rest', until: expect.any(Number)});
  expect(waits?.until).toBeGreaterThan(world.last()?.since ?? 0);
  expect(budget?.failures).toBe(1);
});

test('a limit that is waited out shows for what and until when', async () => {
  const world = await begun({policy: {attended: false}});
  const resetsAt = millis(world.ports.clock.now() + 60_000);
  world.spools.drop('leg-001', 'StopFailure', {session_id: 's1', error: 'rate_limit', last_assistant_message: ''});
  await within(() => expect(['waiting', 'resting']).toContain(world.last()?.state));
  expect(world.last()?.waits?.until).toBeGreaterThan(resetsAt - 60_000);
});

test('`ckpt stop` is heard in the spool and ends the run as SIGTERM does', async () => {
  const world = await begun();
  world.spools.drop('/run/spool', 'stop', {note: ''});
  const {outcome} = await world.end;
  expect(world.written.map(({state}) => state)).toContain('finishing');
  expect(outcome).toMatchObject({is: 'quit', signal: 15});
  expect(world.last()).toMatchObject({state: 'over', outcome: {is: 'quit', signal: 15}});
});
