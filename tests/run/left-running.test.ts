// Background processes of finished calls: they stay and are listed, or end with their leg; at the end they are named.

import {expect, test} from 'vitest';
import {legNumber} from '../../src/core/ids.ts';
import {leftWords} from '../../src/report/summary.ts';
import {takeOver} from '../../src/run/post-mortem.ts';
import {runLoop} from '../../src/run/run-loop.ts';
import {readRunRemains} from '../../src/watch/run-remains.ts';
import {fakeWorld} from '../fakes/world.ts';
import {begun, call, isThere, pass, SESSION, within} from './story.ts';

const CALLED = Date.parse('2026-11-18T10:00:00Z');
const server = {pid: 12, born: '12', bornAt: CALLED + 50, parent: 1, leg: 1, command: 'node vite'};
const agent = {pid: 1001, born: '1', bornAt: CALLED - 9000, parent: 1, leg: 1, command: 'claude'};

test('a dead leg: its server is in the checkpoint with its port, and named when the run is over', async () => {
  const world = await begun();
  world.marked.push(server);
  world.agents[0]?.exit({signal: 9});
  await within(() => expect(world.store.written).toHaveLength(1));
  expect(world.store.written[0]).toMatchObject({
    processes: [{command: 'node vite', pid: 12, ports: [5173]}],
    provenance: {processes: 'observed'},
  });
  expect(world.ended).not.toContain('node vite');
  expect(await isThere(world, 2)).toBe(true);
  world.agents[1]?.exit();
  await within(() => expect(world.states().at(-1)).toBe('over'));
  await pass(world, 2000, 250);
  const {summary} = await world.end;
  expect(leftWords(summary)).toBe(
    'still running, started by this run: node vite (pid 12, port 5173) (--leftovers end ends such processes)',
  );
  expect(world.journal.find(({event}) => event === 'left-running')).toMatchObject({
    what: 'node vite (pid 12, port 5173)',
  });
});

test('with --leftovers end it is ended before the checkpoint', async () => {
  const world = await begun({policy: {leftovers: 'end'}});
  world.marked.push(server);
  const {processes} = world.ports;
  world.ports.processes = {
    ...processes,
    end: async (refs) => {
      await processes.end(refs);
      for (const {pid} of refs) {
        const at = world.marked.findIndex((one) => one.pid === pid);
        if (at >= 0) world.marked.splice(at, 1);
      }
    },
  };
  world.agents[0]?.exit({signal: 9});
  await within(() => expect(world.store.written).toHaveLength(1));
  expect(world.ended).toContain('node vite');
  expect(world.store.written[0]?.processes).toEqual([]);
  expect(await isThere(world, 2)).toBe(true);
  world.agents[1]?.exit();
  expect(leftWords((await world.end).summary)).toBeUndefined();
});

test('what ends by itself a moment after the agent is not named', async () => {
  const world = await begun();
  world.marked.push(server);
  world.agents[0]?.exit();
  await within(() => expect(world.states().at(-1)).toBe('over'));
  await pass(world, 250, 250);
  world.marked.pop();
  await pass(world, 1000, 250);
  expect((await world.end).summary.processes).toEqual([]);
});

test('after a SIGKILL of the supervisor: agent and open call are ended, the server stays and is listed', async () => {
  const world = fakeWorld();
  const lines: object[] = [call('a', 'npm run dev &'), {...call('b', 'make'), timestamp: '2026-11-18T10:01:00Z'}];
  const tool = {...server, pid: 13, bornAt: CALLED + 60_100, command: 'make'};
  world.marked.push(agent, server, tool);
  world.ports.processes.ofLeg = async () => world.marked;
  world.ports.tail = {
    follow: (_path, onLine) => ({
      flush: async () => {
        for (const line of lines.splice(0)) onLine(JSON.stringify(line));
      },
      offset: () => 0,
      close: () => {},
    }),
  };
  const record = {
    ...{agent: 'claude', words: ['claude', 'x'], track: 'main', leg: 1, state: 'working', session_log: '/log/s1.jsonl'},
    ...{agent_pid: 1001, ledger: {startedAt: CALLED - 10_000}},
  };
  const remains = readRunRemains(JSON.stringify(record));
  if ('broken' in remains) throw new Error(remains.broken);
  const taken = await takeOver(world.plan, world.ports, remains);
  expect(taken).toMatchObject({ok: true, value: {leg: legNumber(1), dead: {death: {cause: 'killed'}}}});
  expect(world.ended).toEqual(['claude', 'make']);
  expect(world.store.written[0]).toMatchObject({
    in_flight: {call: 'Bash: make', outcome: 'unknown'},
    processes: [{command: 'node vite', pid: 12, ports: [5173]}],
  });
});

test('after a SIGKILL of the supervisor: the log is the one that a hook names which nobody took', async () => {
  const world = fakeWorld();
  const followed: string[] = [];
  world.ports.tail = {
    follow: (path) => {
      followed.push(path);
      return {flush: async () => {}, offset: () => 0, close: () => {}};
    },
  };
  const record = {
    ...{agent: 'claude', words: ['claude', 'x'], track: 'main', leg: 1, state: 'starting'},
    ledger: {startedAt: CALLED - 10_000},
  };
  const remains = readRunRemains(JSON.stringify(record));
  if ('broken' in remains) throw new Error(remains.broken);
  const {openSpool} = world.ports;
  const drop = () => world.spools.drop('leg-001', 'SessionStart', {...SESSION, source: 'startup'});
  world.ports.openSpool = (dir) => ({...openSpool(dir), look: drop});
  await takeOver(world.plan, world.ports, remains);
  expect(followed).toEqual([SESSION.transcript_path]);
});

test('run.json knows the process of the agent', async () => {
  const world = fakeWorld();
  const records: Record<string, unknown>[] = [];
  world.ports.files.writeRun = (record) => void records.push(record as Record<string, unknown>);
  const end = runLoop(world.plan, world.ports);
  await within(() => expect(records.at(-1)?.agent_pid).toBe(1001));
  world.agents[0]?.exit();
  await end;
});
