import {describe, expect, test} from 'vitest';
import type {Checkpoint} from '../../src/baton/checkpoint.ts';
import {protocolText} from '../../src/baton/protocol.ts';
import {renderPrompt} from '../../src/baton/render.ts';
import {sample} from '../baton/samples.ts';
import {type AmnesiacOptions, amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judgeText, stepCommand} from './model/job.ts';
import type {Reply} from './model/reply.ts';
import type {CallOutcome, ModelRequest, Turn} from './model/request.ts';

const job = {steps: 20, file: 'job.txt'};
const goal = goalOf(job);
const ckpt = '/opt/ckpt/bin/ckpt';

const said = (text: string): Turn => ({is: 'text', role: 'person', text});
const ran = (command: string, outcome: CallOutcome = 'finished', text = ''): Turn[] => [
  {is: 'call', id: command, tool: 'Bash', command},
  {is: 'result', id: command, outcome, text},
];
const did = (...steps: number[]): Turn[] => steps.flatMap((step) => ran(stepCommand(step, job.file)));
const asked = (turns: Turn[]): ModelRequest => ({
  number: 1,
  main: 1,
  at: 0,
  kind: 'main',
  api: 'anthropic',
  method: 'POST',
  path: '/v1/messages',
  headers: {},
  model: 'm',
  stream: true,
  tools: ['Bash'],
  turns,
  body: {},
});
const reply = (turns: Turn[], options?: AmnesiacOptions): Reply => amnesiac(options).main(asked(turns));
/** The command that it runs next, or what it says. */
const next = (...turns: Turn[]): string => {
  const answer = reply(turns);
  return answer.is === 'call' ? answer.command : answer.is === 'text' ? answer.text : answer.is;
};

/** A first prompt exactly as a later leg gets it. */
const baton = (changes: Partial<Checkpoint>): Turn =>
  said(
    renderPrompt({
      checkpoint: sample({goal, tasks: [], next_cmd: '', recent_calls: [], in_flight: undefined, ...changes}),
      drift: 'none',
      ckptBin: ckpt,
      dir: '/repo/runtime/checkpoints',
      legNumber: 2,
      fullPath: '/repo/runtime/checkpoints/c.md',
    }),
  );
const doneCalls = (...steps: number[]) => steps.map((step) => `Bash: ${stepCommand(step, job.file)}`);
const inFlight = (step: number, outcome: 'unknown' | 'finished') => ({
  call: `Bash: ${stepCommand(step, job.file)}`,
  outcome,
  outside: false,
});

describe('the amnesiac worker', () => {
  test('begins at step 1 when nobody says that anything is done', () => {
    expect(next(said(goal))).toBe(stepCommand(1, 'job.txt'));
    expect(next(baton({}))).toBe(stepCommand(1, 'job.txt'));
  });

  test('does not know what to do without a goal', () => {
    expect(next(said('Hello'))).toBe('I do not know what to do.');
  });

  test('goes on by its own calls and their results', () => {
    expect(next(said(goal), ...did(1, 2))).toBe(stepCommand(3, 'job.txt'));
  });

  test('does a failed step again, and gives up after three failures', () => {
    const failed = ran(stepCommand(2, 'job.txt'), 'failed');
    expect(next(said(goal), ...did(1), ...failed)).toBe(stepCommand(2, 'job.txt'));
    expect(next(said(goal), ...did(1), ...failed, ...failed, ...failed)).toMatch(/fails/);
  });

  test('takes up the baton after the last finished call', () => {
    expect(next(baton({recent_calls: doneCalls(4, 5, 6)}))).toBe(stepCommand(7, 'job.txt'));
    expect(next(baton({in_flight: inFlight(6, 'finished')}))).toBe(stepCommand(7, 'job.txt'));
    expect(next(baton({next_cmd: `continue the goal after \`${doneCalls(6)[0]}\``}))).toBe(stepCommand(7, 'job.txt'));
    expect(next(baton({next_cmd: stepCommand(7, 'job.txt')}))).toBe(stepCommand(7, 'job.txt'));
  });

  test('takes a call that ran and failed for no step', () => {
    const recent_calls = [...doneCalls(5), `${doneCalls(6)[0]} [failed]`];
    expect(next(baton({recent_calls}))).toBe(stepCommand(6, 'job.txt'));
  });

  test('looks first when the outcome is unknown, and decides by what it sees', () => {
    const unsure = baton({recent_calls: doneCalls(5, 6), in_flight: inFlight(7, 'unknown')});
    const look = 'tail -n 1 job.txt';
    expect(next(unsure)).toBe(look);
    expect(next(unsure, ...ran(look, 'finished', 'step 7'))).toBe(stepCommand(8, 'job.txt'));
    expect(next(unsure, ...ran(look, 'finished', 'step 6'))).toBe(stepCommand(7, 'job.txt'));
    expect(next(unsure, ...ran(look, 'finished', 'step 8'))).toBe(stepCommand(9, 'job.txt'));
    expect(next(unsure, ...ran(look, 'failed', 'permission denied'))).toBe(look);
  });

  test('sees from a missing file that the first step was not done', () => {
    const unsure = baton({in_flight: inFlight(1, 'unknown')});
    const missing = ran('tail -n 1 job.txt', 'failed', "tail: cannot open 'job.txt': No such file or directory");
    expect(next(unsure, ...missing)).toBe(stepCommand(1, 'job.txt'));
  });

  test('doubts a call of its own that has no result, or an interrupted one', () => {
    const open: Turn = {is: 'call', id: 'x', tool: 'Bash', command: stepCommand(3, 'job.txt')};
    expect(next(said(goal), ...did(1, 2), open)).toBe('tail -n 1 job.txt');
    expect(next(said(goal), ...did(1, 2), ...ran(stepCommand(3, 'job.txt'), 'unknown'))).toBe('tail -n 1 job.txt');
  });

  test('waits for a command that the CLI left running', () => {
    const running = ran(stepCommand(3, 'job.txt'), 'running', 'Process running with session ID 7\nOutput:\n');
    expect(reply([said(goal), ...did(1, 2), ...running])).toMatchObject({is: 'poll', id: '7'});
    const poll: Turn[] = [
      {is: 'call', id: 'p', tool: 'write_stdin', command: ''},
      {is: 'result', id: 'p', outcome: 'finished', text: ''},
    ];
    expect(next(said(goal), ...did(1, 2), ...running, ...poll)).toBe(stepCommand(4, 'job.txt'));
  });

  test('calls the done command that the protocol names, once, and then says so', () => {
    const all = did(...Array.from({length: 20}, (_, at) => at + 1));
    const protocol = said(protocolText({ckptBin: ckpt, dir: '/d', track: 'main'}));
    const done = `${ckpt} done --note "all 20 steps are done"`;
    expect(next(said(goal), ...all)).toBe('All 20 steps are done.');
    expect(next(protocol, said(goal), ...all)).toBe(done);
    expect(next(protocol, said(goal), ...all, ...ran(done))).toBe('All 20 steps are done.');
    expect(next(baton({recent_calls: doneCalls(19, 20)}))).toBe(done);
  });

  test('after a compaction goes by an honest summary, and by nothing after a forgetful one', () => {
    const compacted = (memory: 'honest' | 'forgetful'): Turn => {
      const summary = amnesiac({memory}).summary?.(asked([said(goal), ...did(1, 2, 3)]));
      const text = summary?.is === 'text' ? summary.text : '';
      return said(`This session is being continued from a previous conversation.\n${text}`);
    };
    expect(next(compacted('honest'))).toBe(stepCommand(4, 'job.txt'));
    expect(next(compacted('forgetful'))).toBe('I do not know what to do.');
    expect(next(said(goal), compacted('forgetful'))).toBe(stepCommand(1, 'job.txt'));
  });

  test('after a compaction does what the protocol says: resume first', () => {
    const protocol = said(protocolText({ckptBin: ckpt, dir: '/d', track: 'main'}));
    const summary = said('This session is being continued from a previous conversation. Work went on.');
    const resumed = `step=x\nnext_cmd=continue the goal after \`${doneCalls(9)[0]}\`\ngoal=${goal}\n`;
    expect(next(said(goal), protocol, summary)).toBe(`${ckpt} resume --live`);
    expect(next(said(goal), protocol, summary, ...ran(`${ckpt} resume --live`, 'finished', resumed))).toBe(
      stepCommand(10, 'job.txt'),
    );
  });

  test('reports more tokens with each step in its context, and few in a fresh one', () => {
    const tokens = {start: 10_000, perStep: 20_000};
    expect(reply([said(goal)], {tokens})).toMatchObject({tokens: 30_000});
    expect(reply([said(goal), ...did(1, 2, 3)], {tokens})).toMatchObject({tokens: 90_000});
    expect(reply([baton({recent_calls: doneCalls(1, 2, 3)})], {tokens})).toMatchObject({tokens: 30_000});
  });

  test('makes a step slow once only', () => {
    const worker = amnesiac({slow: {step: 1, seconds: 30, write: 'last'}});
    expect(worker.main(asked([said(goal)]))).toMatchObject({command: "true; sleep 30; printf 'step 1\\n' >> job.txt"});
    expect(worker.main(asked([said(goal)]))).toMatchObject({command: stepCommand(1, 'job.txt')});
  });
});

test.each([
  ['step 1\nstep 2\nstep 3\n', {}],
  ['', {missing: [1, 2, 3]}],
  ['step 1\nstep 3\n', {missing: [2]}],
  ['step 1\nstep 2\nstep 2\nstep 3\n', {doubled: [2]}],
  ['step 2\nstep 1\nstep 3\n', {outOfOrder: [1]}],
  ['step 1\nstep 2\nstep 3', {missing: [3], foreign: ['step 3 [no end of line]']}],
  ['step 1\nst\nstep 2\nstep 3\nstep 4\n', {foreign: ['st', 'step 4']}],
])('the judge sees in %j what went wrong', (text, faults) => {
  expect(judgeText(text, 3)).toEqual({...flawless, ...faults});
});
