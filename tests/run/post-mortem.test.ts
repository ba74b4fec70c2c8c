// Whoever goes on after a killed supervisor: which leg was the last, where its log is, and whether its end is told already.

import {expect, test} from 'vitest';
import {legNumber} from '../../src/core/ids.ts';
import {legStartText} from '../../src/report/leg-start.ts';
import {takeOver} from '../../src/run/post-mortem.ts';
import {readLegStart} from '../../src/watch/leg-start.ts';
import {type RunRemains, readRunRemains, withStart} from '../../src/watch/run-remains.ts';
import {fakeWorld} from '../fakes/world.ts';
import {call, result, SESSION} from './story.ts';

const LOG = '/log/s1.jsonl';
const LENGTH = 700;

const remainsOf = (record: object): RunRemains => {
  const whole = {
    ...{agent: 'claude', words: ['claude', 'x'], track: 'main', leg: 1, state: 'working', session_log: LOG},
    ...{agent_pid: 1001, ledger: {startedAt: 1_000_000}},
  };
  const remains = readRunRemains(JSON.stringify({...whole, ...record}));
  if ('broken' in remains) throw new Error(remains.broken);
  return remains;
};

/** A leg that has done one thing, as its log tells. */
const remembered = (told: object[] = [call('a', 'echo one >> job.txt'), result('a')]) => {
  const world = fakeWorld();
  const followed: string[] = [];
  world.ports.tail = {
    follow: (path, onLine) => {
      followed.push(path);
      const lines = [...told];
      return {
        flush: async () => {
          for (const line of lines.splice(0)) onLine(JSON.stringify(line));
        },
        offset: () => LENGTH,
        close: () => {},
      };
    },
  };
  return {...world, followed};
};

test('a leg that was started after run.json was written the last time is found by its start.json', () => {
  const remains = remainsOf({leg: 3, state: 'resting'});
  const started = readLegStart(legStartText({at: 2_000_000, sessionId: 'abc'}));
  expect(withStart(remains, 4, started)).toMatchObject({
    ...{leg: 4, state: 'starting', sessionLog: undefined, agentPid: undefined},
    started: {at: 2_000_000, sessionId: 'abc'},
  });
  expect(withStart(remains, 3, started)).toMatchObject({leg: 3, state: 'resting', sessionLog: LOG, started});
  expect(withStart(remains, 2, started)).toEqual({...remains, started: undefined});
  expect(readLegStart('{"at":')).toBeUndefined();
});

test('its log is found by the id that it was given, and what it did is told', async () => {
  const world = remembered();
  const asked: string[] = [];
  world.plan.code = {...world.plan.code, givenLog: (_env, id) => [{folder: '/config/projects', name: `${id}.jsonl`}]};
  world.ports.findBelow = (folder, name) => {
    asked.push(`${folder}/*/${name}`);
    return LOG;
  };
  const started = readLegStart(legStartText({at: 2_000_000, sessionId: 'abc'}));
  const taken = await takeOver(world.plan, world.ports, withStart(remainsOf({state: 'resting'}), 2, started));
  expect(asked).toEqual(['/config/projects/*/abc.jsonl']);
  expect(world.followed).toEqual([LOG]);
  expect(world.store.written).toMatchObject([{leg: 2, recent_calls: ['Bash: echo one >> job.txt']}]);
  expect(taken).toMatchObject({ok: true, value: {leg: legNumber(2), dead: {death: {cause: 'killed'}, progress: true}}});
});

test('of two logs that fit one is another’s: neither is believed', async () => {
  const world = remembered();
  world.plan.code = {
    ...world.plan.code,
    logs: {folder: () => '/sessions', name: /rollout/, read: () => ({id: 'x', isFresh: true})},
  };
  const found = (path: string) => ({path, head: '{}', isOpen: false});
  const remains = withStart(remainsOf({state: 'resting'}), 2, {at: world.ports.clock.now(), sessionId: undefined});
  world.ports.agentLogs = async () => [found('/sessions/rollout-1'), found('/sessions/rollout-2')];
  await takeOver(world.plan, world.ports, remains);
  expect(world.followed).toEqual([]);
  world.ports.agentLogs = async () => [found('/sessions/rollout-1')];
  await takeOver(world.plan, world.ports, remains);
  expect(world.followed).toEqual(['/sessions/rollout-1']);
});

test.each([
  ['that tells all of it is not made again', LENGTH, 0],
  ['behind which the agent went on is made anew', LENGTH - 1, 1],
])('between two legs, a checkpoint %s', async (_name, told, more) => {
  const world = remembered();
  const made = await takeOver(world.plan, world.ports, remainsOf({state: 'working'}));
  if (!made.ok) throw new Error(JSON.stringify(made.failure));
  const {checkpoint} = made.value.ledger;
  const [written] = world.store.written;
  if (written?.conversation === undefined) throw new Error('it has no conversation');
  written.conversation.log_offset = told;
  const again = remainsOf({state: 'resting', ledger: {startedAt: 1_000_000, checkpoint}});
  const taken = await takeOver(world.plan, world.ports, again);
  expect(world.store.written).toHaveLength(1 + more);
  expect(taken).toMatchObject({ok: true, value: {ledger: {checkpoint: world.store.written.at(-1)?.id}}});
});

test('an agent that outlives its supervisor begins its log only now: it is ended first, then its log is looked for', async () => {
  const world = remembered();
  const alive = {pid: 1001, born: '1', parent: 1, leg: 1, command: 'claude'};
  let ended = false;
  world.plan.code = {...world.plan.code, givenLog: (_env, id) => [{folder: '/config/projects', name: `${id}.jsonl`}]};
  world.ports.findBelow = () => (ended ? LOG : undefined);
  world.ports.processes.ofLeg = async () => [alive];
  world.ports.processes.end = async () => {
    ended = true;
  };
  const started = readLegStart(legStartText({at: 2_000_000, sessionId: 'abc'}));
  await takeOver(world.plan, world.ports, withStart(remainsOf({state: 'starting'}), 2, started));
  expect(world.store.written).toMatchObject([{leg: 2, recent_calls: ['Bash: echo one >> job.txt']}]);
});

test('hooks that nobody took are told after the log, which is older: what is in flight is the last call', async () => {
  const commands = ['echo 1', 'echo 2', 'echo 3', 'echo 4'];
  const lines = commands.flatMap((command, at) => [call(`c${at}`, command), ...(at < 3 ? [result(`c${at}`)] : [])]);
  const world = remembered(lines);
  const hook = (name: string, at: number) => ({
    ...{id: `${at}.${name}`, name, at: Date.parse('2026-11-18T10:00:00Z')},
    payload: {...SESSION, tool_name: 'Bash', tool_use_id: `c${at}`, tool_input: {command: commands[at]}},
  });
  const untaken = [hook('PreToolUse', 2), hook('PostToolUse', 2), hook('PreToolUse', 3)];
  world.ports.openSpool = (dir) => {
    const spool = world.spools.open(dir);
    let look = (): void => {};
    const watch: typeof spool.watch = (take) => {
      look = () => {
        for (const item of untaken.splice(0)) take(item);
      };
      return spool.watch(take);
    };
    return {...spool, watch, look: () => look()};
  };
  await takeOver(world.plan, world.ports, remainsOf({state: 'working'}));
  expect(world.store.written).toMatchObject([
    {
      recent_calls: ['Bash: echo 1', 'Bash: echo 2', 'Bash: echo 3'],
      in_flight: {call: 'Bash: echo 4', outcome: 'unknown'},
    },
  ]);
});
