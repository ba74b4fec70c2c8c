// Hangs, with a clock that is fed by hand: what is one, what is none, and what a run does about it.

import {expect, test} from 'vitest';
import {begun, call, line, pass, result, SESSION, within} from './story.ts';

const MINUTE = 60_000;
const unattended = {policy: {attended: false}};
const seen = (world: {journal: Record<string, unknown>[]}) => world.journal.filter(({event}) => event === 'hang-seen');

test('nobody there: a turn in which nothing is heard for ten minutes ends the leg, and the next one gets the baton', async () => {
  const world = await begun(unattended);
  world.git.fingerprint = '2';
  await pass(world, 10 * MINUTE - 15_000);
  expect(seen(world)).toEqual([]);
  await pass(world, 30_000);
  await within(() => expect(world.states()).toContain('resting'));
  expect(seen(world)).toMatchObject([
    {
      in: 'thinking',
      death: 'hang',
      evidence: [{channel: 'process', detail: 'turn open, no hook and no log line for 600 s (bound 600 s)'}],
    },
  ]);
  expect(world.calls.slice(0, 2)).toEqual(['start 1', 'stop 1']);
  world.advance(1000);
  await within(() => expect(world.agents).toHaveLength(2));
  expect(world.agents[1]?.spec.args.at(-1)).toContain('Already done (finished, do not repeat):');
  expect(JSON.parse(world.legFiles.get('1/certificate.json') ?? '{}')).toMatchObject({cause: 'hang', progress: true});
  world.signal(15);
  await world.end;
});

test('a spinner does not hide it, nor do bare notes of a failed try; a line that tells something does', async () => {
  const world = await begun(unattended);
  const spin = async (minutes: number, ...entries: object[]) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      for (const entry of entries) world.log('/log/s1.jsonl', entry);
      world.agents[0]?.taps.onOutput(Buffer.from('\r✻ Thinking…'));
      await pass(world, MINUTE);
    }
  };
  await spin(30, line({type: 'system', subtype: 'compact_boundary_soon'}));
  expect(seen(world)).toEqual([]);
  await spin(11, line({type: 'system', subtype: 'api_error', retryAttempt: 1}));
  expect(seen(world)).toHaveLength(1);
  world.signal(15);
  await world.end;
});

test('a person there: they are told once per silence, and the agent lives on', async () => {
  const world = await begun({stage: {kind: 'pipes'}});
  await pass(world, 30 * MINUTE);
  expect(seen(world)).toHaveLength(1);
  expect(world.told).toEqual([
    'ckpt-run: leg 1 seems to hang: turn open, no hook and no log line for 600 s (bound 600 s)',
  ]);
  world.log('/log/s1.jsonl', call('b', 'true'));
  world.log('/log/s1.jsonl', result('b'));
  await pass(world, 11 * MINUTE);
  expect(seen(world)).toHaveLength(2);
  expect(world.agents[0]?.stopped).toEqual([]);
  world.agents[0]?.exit();
  await world.end;
});

test('a long quiet tool is no hang while its processes work; when they do nothing for an hour it is', async () => {
  let work = 0;
  let works = true;
  const world = await begun({
    ...unattended,
    toolWork: () => {
      if (works) work += 1;
      return work;
    },
  });
  world.log('/log/s1.jsonl', call('b', 'npm run slow'));
  await pass(world, 180 * MINUTE, MINUTE);
  expect(seen(world)).toEqual([]);
  works = false;
  await pass(world, 50 * MINUTE);
  expect(seen(world)).toEqual([]);
  await pass(world, 11 * MINUTE);
  expect(seen(world)).toMatchObject([{in: 'tool', evidence: [{detail: expect.stringMatching(/^Bash open, .* CPU/)}]}]);
  world.signal(15);
  await world.end;
});

test('waiting for a person is never a hang; after their yes the clock runs again', async () => {
  const world = await begun(unattended);
  world.spools.drop('leg-001', 'PreToolUse', {
    ...{...SESSION, tool_name: 'Bash', tool_use_id: 'p', tool_input: {command: 'rm x'}},
  });
  world.spools.drop('leg-001', 'PermissionRequest', {...SESSION, tool_name: 'Bash'});
  await pass(world, 300 * MINUTE, MINUTE);
  expect(seen(world)).toEqual([]);
  world.spools.drop('leg-001', 'PostToolUse', {...SESSION, tool_use_id: 'p', tool_response: {stdout: ''}});
  await pass(world, 11 * MINUTE);
  expect(seen(world)).toMatchObject([{in: 'thinking'}]);
  world.signal(15);
  await world.end;
});

test('an agent that waits at its prompt does not hang', async () => {
  const world = await begun();
  world.spools.drop('leg-001', 'Stop', SESSION);
  await pass(world, 300 * MINUTE, MINUTE);
  expect(seen(world)).toEqual([]);
  world.agents[0]?.exit();
  await world.end;
});

test('the hours of a machine that slept are not held against the agent', async () => {
  const world = await begun(unattended);
  await pass(world, 5 * MINUTE);
  world.advance(8 * 60 * MINUTE);
  expect(seen(world)).toEqual([]);
  world.signal(15);
  await world.end;
});
