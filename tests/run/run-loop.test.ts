// The run loop against a made-up world: no process, no disk, no clock of its own.

import {expect, test} from 'vitest';
import {runLoop} from '../../src/run/run-loop.ts';
import {fakeWorld} from '../fakes/world.ts';
import {begun, call, line, SESSION, within} from './story.ts';

test('a killed leg is handed on: checkpoint, fresh agent, baton as its first prompt', async () => {
  const world = await begun();
  world.git.fingerprint = '2';
  world.agents[0]?.exit({signal: 9});
  await within(() => expect(world.states()).toContain('resting'));
  expect(world.calls).toEqual(['start 1', 'settle']);
  world.advance(1000);
  await within(() => expect(world.agents).toHaveLength(2));
  const args = world.agents[1]?.spec.args ?? [];
  expect(args).toContain('--session-id');
  expect(args.at(-2)).toBe('--');
  expect(args.at(-1)).toContain('Already done (finished, do not repeat):\n- Bash: echo one >> job.txt');
  expect(args.at(-1)).toContain('do the job');
  expect(args.filter((arg) => arg === 'do the job')).toEqual([]);
  expect(world.agents[1]?.spec.env).toMatchObject({CKPT_LEG: '2', CKPT_TRACK: 'main'});
  expect(world.store.written[0]?.consumed_by).toMatchObject({leg: 2});
  const certificate = JSON.parse(world.legFiles.get('1/certificate.json') ?? '{}');
  expect(certificate).toMatchObject({cause: 'killed', exit: {signal: 9}, progress: true, leg: 1});
  world.spools.drop('leg-002', 'SessionStart', {...SESSION, source: 'startup'});
  world.agents[1]?.exit({code: 0});
  const {outcome, summary} = await world.end;
  expect(outcome).toEqual({is: 'ended', exit: {code: 0, signal: undefined}});
  expect(summary).toMatchObject({legs: 2, deaths: {killed: 1}, handoff_ms: [expect.any(Number)]});
});

test('the first leg gets the person’s words untouched, and our hooks', async () => {
  const world = await begun({args: ['--model', 'opus', 'do the job']});
  const args = world.agents[0]?.spec.args ?? [];
  expect(args.slice(-3)).toEqual(['--model', 'opus', 'do the job']);
  expect(args[0]).toBe('--settings');
  expect(world.spools.contexts[0]).toContain('/run/ckpt snapshot');
  world.agents[0]?.exit();
  expect((await world.end).outcome.is).toBe('ended');
});

test('an automatic compaction is held, checkpointed, and the held agent is stopped, not answered', async () => {
  const world = await begun();
  world.git.fingerprint = '2';
  world.spools.drop('leg-001', 'PreCompact', {...SESSION, trigger: 'auto'});
  await within(() => expect(world.agents).toHaveLength(2));
  expect(world.spools.answers).toEqual([]);
  expect(world.calls).toEqual(['start 1', 'stop 1', 'settle', 'keepOutput false', 'start 2']);
  expect(world.store.written[0]?.trigger).toBe('pre-compaction');
  world.agents[1]?.exit();
  await world.end;
});

test('the person’s own compaction goes through, with the baton given back inside', async () => {
  const world = await begun();
  world.spools.drop('leg-001', 'PreCompact', {...SESSION, trigger: 'manual'});
  await within(() => expect(world.spools.answers).toEqual([{id: '1.PreCompact', exitCode: 0}]));
  expect(world.spools.contexts.at(-1)).toContain('Already done');
  world.agents[0]?.exit();
  expect((await world.end).summary.legs).toBe(1);
});

test('observe: checkpointed, and let through with nothing given back', async () => {
  const world = await begun({policy: {onCompaction: 'observe'}});
  world.spools.drop('leg-001', 'PreCompact', {...SESSION, trigger: 'auto'});
  await within(() => expect(world.spools.answers).toHaveLength(1));
  expect(world.spools.contexts).toHaveLength(1);
  expect(world.store.written).toHaveLength(1);
  world.agents[0]?.exit();
  await world.end;
});

const noPatience = {policy: {capture: {againMs: 2000, giveUpMs: 0}}};

test('a disk that is full for a moment: the agent is held until its checkpoint is there', async () => {
  const world = await begun();
  world.store.refuse({is: 'store-unusable', path: '/x', what: 'no space left'});
  world.spools.drop('leg-001', 'PreCompact', {...SESSION, trigger: 'auto'});
  await within(() => expect(world.journal.map(({event}) => event)).toContain('checkpoint-failed'));
  world.store.refuse(undefined);
  world.advance(2000);
  await within(() => expect(world.agents[0]?.stopped).toHaveLength(1));
  expect(world.store.written).toHaveLength(1);
  expect(world.spools.answers).toEqual([]);
  world.signal(15);
  await world.end;
});

test('a checkpoint that cannot be written leaves a living agent alive', async () => {
  const world = await begun(noPatience);
  world.store.refuse({is: 'store-unusable', path: '/x', what: 'no space left'});
  world.spools.drop('leg-001', 'PreCompact', {...SESSION, trigger: 'auto'});
  await within(() => expect(world.spools.answers).toEqual([{id: '1.PreCompact', exitCode: 0}]));
  expect(world.told.join('\n')).toContain('no space left');
  expect(world.agents[0]?.stopped).toEqual([]);
  world.agents[0]?.exit();
  expect((await world.end).outcome.is).toBe('ended');
});

test('a dead leg whose checkpoint cannot be written parks the run: an older baton would do work twice', async () => {
  const world = await begun(noPatience);
  world.store.refuse({is: 'store-unusable', path: '/x', what: 'no space left'});
  world.agents[0]?.exit({signal: 11});
  const {outcome} = await world.end;
  expect(outcome).toMatchObject({is: 'parked', why: expect.stringContaining('no space left')});
  expect(world.agents).toHaveLength(1);
});

test('a tool call that was open at the death is ended before the checkpoint, and the baton says verify', async () => {
  const world = await begun();
  world.log('/log/s1.jsonl', call('b', 'git push origin main'));
  world.agents[0]?.exit({signal: 9});
  await within(() => expect(world.store.written).toHaveLength(1));
  expect(world.ended).toEqual(['sleep 60']);
  expect(world.store.written[0]?.in_flight).toEqual({
    call: 'Bash: git push origin main',
    outcome: 'unknown',
    outside: true,
  });
  world.signal(15);
  await world.end;
});

test('with no open call nothing is ended: background processes stay', async () => {
  const world = await begun();
  world.agents[0]?.exit({signal: 9});
  await within(() => expect(world.store.written).toHaveLength(1));
  expect(world.ended).toEqual([]);
  world.signal(15);
  expect((await world.end).outcome).toMatchObject({is: 'quit', signal: 15});
});

test('SIGTERM to us: the agent is stopped, the checkpoint comes last, nothing is restarted', async () => {
  const world = await begun();
  world.signal(15);
  const {outcome} = await world.end;
  expect(outcome).toEqual({is: 'quit', signal: 15, exit: {code: 143, signal: undefined}});
  expect(world.store.written.map(({trigger}) => trigger)).toEqual(['end']);
  expect(world.agents).toHaveLength(1);
  expect(world.set()).toEqual([]);
});

test('the terminal goes away: checkpoint, parked', async () => {
  const world = await begun();
  world.signal('hangup');
  expect((await world.end).outcome).toEqual({is: 'parked', why: 'the terminal went away'});
  expect(world.store.written).toHaveLength(1);
});

test('an agent that refuses to start is told with its own code, and not restarted', async () => {
  const world = fakeWorld();
  const end = runLoop(world.plan, world.ports);
  await within(() => expect(world.agents).toHaveLength(1));
  world.agents[0]?.exit({code: 1});
  expect((await end).outcome).toEqual({is: 'start-failed', exit: {code: 1, signal: undefined}});
  expect(world.store.written).toEqual([]);
});

test('unattended: a usage limit is waited out, then the agent is nudged in the same leg', async () => {
  const world = await begun({policy: {attended: false}});
  const resetsAt = Math.round(world.ports.clock.now() / 1000) + 60;
  world.log(
    '/log/s1.jsonl',
    line({
      type: 'assistant',
      isApiErrorMessage: true,
      error: 'rate_limit',
      message: {model: '<synthetic>', content: [{type: 'text', text: "You've hit your 5-hour limit"}]},
      apiErrorParams: {rate_limit_info: {resetsAt}},
    }),
  );
  await within(() => expect(world.states()).toContain('waiting'));
  world.advance(91_000);
  await within(() => expect(world.agents[0]?.typed.join('')).toContain('This is ckpt-run'));
  world.advance(400);
  expect(world.agents[0]?.typed.at(-1)).toBe('\r');
  world.spools.drop('leg-001', 'UserPromptSubmit', SESSION);
  await within(() => expect(world.states().at(-1)).toBe('working'));
  world.spools.drop('spool', 'done', {note: 'all of it'});
  world.spools.drop('leg-001', 'Stop', SESSION);
  expect((await world.end).outcome).toEqual({is: 'done', note: 'all of it'});
  expect(world.store.written.at(-1)?.closed).toMatchObject({note: 'all of it'});
});

test('a storm of instantly dying agents ends after the budget, not later', async () => {
  const world = await begun();
  const story = (async () => {
    for (let leg = 1; leg <= 20; leg += 1) {
      await within(() =>
        expect(world.agents.length + Number(world.states().includes('over'))).toBeGreaterThanOrEqual(leg),
      );
      const agent = world.agents[leg - 1];
      if (agent === undefined) return;
      agent.exit({code: 1});
      await within(() => expect(['resting', 'over']).toContain(world.states().at(-1)));
      world.advance(20_000);
    }
  })();
  expect((await world.end).outcome).toMatchObject({
    is: 'parked',
    why: expect.stringContaining('5 legs without progress'),
  });
  await story;
  // Leg 1 wrote a file; the five after it did nothing.
  expect(world.agents).toHaveLength(6);
});

test('a detector that throws is dropped and told; the agent lives on and its exit still counts', async () => {
  const world = await begun();
  world.agents[0]?.taps.onOutput(Buffer.from('x'));
  world.advance(300);
  await within(() => expect(world.told.join('\n')).toContain('no screen here'));
  world.agents[0]?.exit({code: 0});
  expect((await world.end).outcome.is).toBe('ended');
});

test('late news of a dead leg changes nothing', async () => {
  const world = await begun();
  world.git.fingerprint = '2';
  world.agents[0]?.exit({signal: 9});
  await within(() => expect(world.states()).toContain('resting'));
  world.agents[0]?.taps.onOutput(Buffer.from('ghost'));
  world.advance(1000);
  await within(() => expect(world.agents).toHaveLength(2));
  world.agents[1]?.exit();
  expect((await world.end).outcome.is).toBe('ended');
});

test('a bug of ours while deciding leaves the agent alive; when it ends, so do we, with its code', async () => {
  const world = await begun({policy: {attended: false}});
  const bug = {
    get: (): never => {
      throw new Error('a bug of ours');
    },
  };
  Object.defineProperty(world.plan.policy, 'doneGraceMs', bug);
  world.spools.drop('spool', 'done', {note: 'x'});
  await within(() => expect(world.told.join('\n')).toContain('a bug of ours'));
  expect(world.agents[0]?.stopped).toEqual([]);
  Object.defineProperty(world.plan.policy, 'budget', bug);
  world.agents[0]?.exit({code: 4});
  expect((await world.end).outcome).toMatchObject({is: 'gave-up', exit: {code: 4}});
});

test('a baton whose leg could not be started stays unused', async () => {
  let refuses = false;
  const world = await begun({stage: {refuses: () => refuses}, policy: {maxLegs: 2}});
  world.git.fingerprint = '2';
  refuses = true;
  world.agents[0]?.exit({signal: 9});
  await within(() => expect(world.states()).toContain('resting'));
  world.advance(1000);
  expect((await world.end).outcome.is).toBe('parked');
  expect(world.store.written.at(-1)?.consumed_by).toBeUndefined();
});
