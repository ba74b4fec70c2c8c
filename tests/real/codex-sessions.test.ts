// The run follows the conversation, wherever the person takes it; subagents' and hidden threads are not the leg's.

import {expect, test} from 'vitest';
import {at, textAt} from '../../adapters/shared/json.ts';
import {legsOf, openCodex, proved, typeLine} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {codexOnly, failuresOf} from './model/failures.ts';
import {goalOf} from './model/job.ts';
import {type Scenario, withFaults} from './model/reply.ts';
import type {Supervised} from './supervised.ts';
import {until} from './until.ts';

const job = {steps: 3, file: 'job.txt'};
const goal = goalOf(job);
const finished = /All 3 steps are done\./;

/** The conversation of the last checkpoint. */
const followed = async (ground: Supervised): Promise<string> =>
  textAt((await ground.checkpoints()).at(-1), 'conversation', 'session_id') ?? '';

/** Every thread that has a rollout, oldest first. */
const threads = async (ground: Supervised): Promise<string[]> =>
  (await ground.logs()).map((log) => textAt(log[0], 'payload', 'id') ?? '');

const starts = async (ground: Supervised, source: string): Promise<boolean> =>
  (await ground.journal()).some(({evidence}) => JSON.stringify(evidence ?? '').includes(`SessionStart(${source})`));

test.each(isFull ? ['/clear', '/new'] : ['/clear'])(
  '%s: the new conversation is followed, in the same leg',
  async (command) => {
    await using ground = await openCodex({scenario: amnesiac()});
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(finished);
    const before = ground.model.main().length;
    await typeLine(terminal, command);
    if (command === '/new') {
      await terminal.waitFor(/Where should the new conversation run/);
      terminal.type('\r');
    }
    await terminal.waitFor((screen) => !finished.test(screen));
    terminal.type('Hello again');
    await terminal.waitFor(/Hello again/);
    // A return that comes before the new thread is there is lost.
    let looks = 0;
    await until('the next request', () => {
      looks += 1;
      if (looks % 40 === 0) terminal.type('\r');
      return ground.model.main().length > before;
    });
    await terminal.waitFor(/I do not know what to do/);
    await ground.quit(terminal);
    const [first, second, ...more] = await threads(ground);
    expect(first).not.toBe(second);
    expect(more).toEqual([]);
    expect(await followed(ground)).toBe(second);
    expect(await legsOf(ground)).toBe(1);
    expect(await ground.certificates()).toEqual([]);
  },
);

test.each(isFull ? (['resume', 'fork'] as const) : (['resume'] as const))(
  '%s: that conversation is followed; what failed in its past is past',
  async (word) => {
    // The past ends with a failure that would park a run.
    const scenario = withFaults(amnesiac(), [{from: 3, times: 1, reply: failuresOf('codex').badRequest}]);
    await using ground = await openCodex({scenario});
    const bare = await ground.pipe(ground.headless(goal)).exit;
    expect(bare.code).toBe(1);
    const [first = ''] = await threads(ground);
    const terminal = ground.start(ground.under(['codex', word, first, 'Go on.']));
    await terminal.waitFor(finished);
    await ground.quit(terminal);
    const all = await threads(ground);
    expect(all).toHaveLength(word === 'fork' ? 2 : 1);
    expect(await followed(ground)).toBe(all.at(-1));
    expect(await legsOf(ground)).toBe(1);
    expect(await ground.certificates()).toEqual([]);
    if (word === 'resume') expect(await starts(ground, 'resume')).toBe(true);
  },
);

test('the hidden thread that finds a title, and its failure, are not the leg’s', async () => {
  await using ground = await openCodex({scenario: amnesiac()});
  const terminal = ground.start(ground.under(ground.tui(goal)));
  await terminal.waitFor(finished);
  await ground.quit(terminal);
  const titles = ground.model.requests.filter(({request}) => request.kind === 'title');
  expect(titles.length).toBeGreaterThan(0);
  const main = ground.model.main()[0]?.request.body;
  const thread = textAt(at(main, 'client_metadata'), 'session_id') ?? textAt(main, 'prompt_cache_key') ?? '';
  expect(await followed(ground)).toBe(thread);
  expect(await ground.certificates()).toEqual([]);
});

test.runIf(isFull)('a subagent, its calls and the death of its context are not the leg’s', async () => {
  const tool = (name: string, input: object) => ({is: 'tool', namespace: 'collaboration', name, input}) as const;
  const root = [
    tool('spawn_agent', {task_name: 'sub', message: 'Look around', fork_turns: 'none'}),
    tool('wait_agent', {timeout_ms: 20_000}),
  ];
  const scenario: Scenario = {
    main: ({turns, body}) => {
      const calls = turns.filter((turn) => turn.is === 'call').length;
      if (textAt(body, 'client_metadata', 'x-openai-subagent') === undefined) {
        return root[calls] ?? {is: 'text', text: 'That is all.'};
      }
      return calls === 0 ? {is: 'call', command: 'echo around > sub.txt'} : codexOnly.contextFullInStream;
    },
  };
  await using ground = await openCodex({scenario});
  const terminal = ground.start(ground.under(ground.tui('send somebody', '--enable', 'multi_agent_v2')));
  await terminal.waitFor(/That is all\./, 60_000);
  await ground.quit(terminal);
  const logs = await ground.logs();
  const [main, sub, ...more] = logs.map((log) => textAt(log[0], 'payload', 'id'));
  expect({sub: textAt(logs[1]?.[0], 'payload', 'thread_source'), more}).toEqual({sub: 'subagent', more: []});
  expect(JSON.stringify(logs[1])).toContain('context_window_exceeded');
  expect(main).not.toBe(sub);
  expect(await followed(ground)).toBe(main);
  expect(await proved(ground, 'context-full')).toBe(0);
  expect(await ground.certificates()).toEqual([]);
  expect(await legsOf(ground)).toBe(1);
});
