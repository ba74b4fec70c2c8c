import {expect, test} from 'vitest';
import {noFacts, type ToolCall} from '../../src/baton/facts.ts';
import {leftRunning, type MarkedProcess, processNotes, processWords} from '../../src/baton/left-running.ts';
import {checkpointMarkdown} from '../../src/baton/markdown.ts';
import {resumeLines} from '../../src/cli/commands/text.ts';
import {sample} from './samples.ts';

const FIRST = 100_000;
const OPEN = 200_000;
const relay = '/pkg/relay.sh';
const process = (pid: number, command: string, more: Partial<MarkedProcess> = {}): MarkedProcess => ({
  ...{pid, parent: 1, leg: 2, bornAt: 150_000, command},
  ...more,
});
const open: ToolCall = {id: 'o', name: 'Bash', input: 'make', state: 'open', outside: false, at: OPEN};
const facts = {...noFacts, firstCallAt: FIRST, recentCalls: [open]};
const of = {leg: 2, agent: 10, facts, relay};
const pids = (all: MarkedProcess[], more: Partial<Parameters<typeof leftRunning>[1]> = {}) =>
  leftRunning(all, {...of, ...more}).map(({pid}) => pid);

test('what came with a finished call was left running; the agent, its servers and the open call were not', () => {
  expect(
    pids([
      process(10, 'claude', {bornAt: FIRST + 1}),
      process(11, 'mcp-server', {bornAt: FIRST - 5000}),
      process(12, 'vite'),
      process(13, 'make', {bornAt: OPEN + 10}),
      process(14, 'make', {bornAt: OPEN - 500}),
      process(15, 'nobody knows when', {bornAt: undefined}),
    ]),
  ).toEqual([12]);
});

test('an agent that nobody had time to note is not taken for work that it has left', () => {
  const quick = [process(10, 'claude', {bornAt: FIRST - 150}), process(12, 'vite', {bornAt: FIRST + 20})];
  expect(pids(quick, {agent: undefined})).toEqual([12]);
  expect(pids(quick.slice(1), {agent: undefined})).toEqual([12]);
});

test('what an earlier leg started and is still there counts, whatever it is', () => {
  expect(pids([process(20, 'vite', {leg: 1, bornAt: 1}), process(21, 'of a later leg', {leg: 3})])).toEqual([20]);
});

test('without a call in the log nothing of the leg counts', () => {
  expect(pids([process(12, 'vite')], {facts: noFacts})).toEqual([]);
});

test('a hook that waits for us, and what is below it, is ours', () => {
  const hook = [
    process(30, `sh -c ${relay} PreCompact`),
    process(31, 'sleep 0.05', {parent: 30}),
    process(32, 'sleep', {parent: 31}),
  ];
  expect(pids(hook)).toEqual([]);
});

test('one note for a tree, named by the command that the log knows, or by what listens', () => {
  const tree = [
    process(40, "/bin/bash -c eval 'npm run dev' < /dev/null"),
    process(41, 'npm run dev', {parent: 40}),
    process(42, 'node vite', {parent: 41}),
    process(50, '/sandbox --args sh -c x'),
    process(51, 'node api.js', {parent: 50}),
    process(60, 'tail -f log'),
  ];
  const ports = new Map([
    [42, [5173]],
    [41, [24678, 5173]],
    [51, [3000]],
  ]);
  const notes = processNotes(tree, ports, {running: ['npm run dev']});
  expect(notes).toEqual([
    {command: 'npm run dev', pid: 40, ports: [5173, 24678]},
    {command: 'node api.js', pid: 50, ports: [3000]},
    {command: 'tail -f log', pid: 60},
  ]);
  expect(notes.map(processWords)).toEqual([
    'npm run dev (pid 40, port 5173, 24678)',
    'node api.js (pid 50, port 3000)',
    'tail -f log (pid 60)',
  ]);
});

test('a command line is one line and not too long, and there are at most ten', () => {
  const many = Array.from({length: 30}, (_, at) => process(100 + at, `node\u001b[31m -e "${'x'.repeat(500)}\n"`));
  const notes = processNotes(many, new Map(), {running: []});
  expect(notes).toHaveLength(10);
  for (const {command} of notes) {
    expect(command.length).toBeLessThanOrEqual(200);
    expect(command).toMatch(/^node -e "x+…$/);
  }
});

test('it stands on the page for people and in the lines for scripts', () => {
  const checkpoint = sample({processes: [{command: 'vite', pid: 812, ports: [5173]}]});
  expect(checkpointMarkdown(checkpoint)).toContain('## Left running\n\n- `vite (pid 812, port 5173)`');
  expect(resumeLines(checkpoint, undefined)).toContain('\nprocesses=vite (pid 812, port 5173)\n');
});
