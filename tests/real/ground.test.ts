// The bare CLIs on the proving ground: what every test on top of it builds on.

import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld, codex} from './clis.ts';
import {type Ground, openGround} from './ground.ts';
import {compactionsIn, errorsIn, openCallsIn} from './log-reading.ts';
import {amnesiac} from './model/amnesiac.ts';
import {failuresOf, hangs} from './model/failures.ts';
import {flawless, goalOf, judge, stepCommand} from './model/job.ts';
import {withFaults} from './model/reply.ts';
import {until} from './until.ts';

const job = (steps: number) => ({steps, file: 'job.txt'});

/** The job is done, the model had no trouble, and nothing went out but what is refused. */
const wentWell = (ground: Ground, steps: number): void => {
  expect(judge(ground.path('job.txt'), steps)).toEqual(flawless);
  expect(ground.model.bugs).toEqual([]);
  // Codex's TUI asks for announcements; there is no switch for that.
  expect(ground.model.escapes.filter((host) => host !== 'raw.githubusercontent.com:443')).toEqual([]);
};

describe.each([
  ['Claude Code, new', claudeNew()],
  ['Claude Code, old', claudeOld()],
  ['Codex', codex()],
] as [string, Cli][])('%s', (_, cli) => {
  const failures = failuresOf(cli.word);

  test('does the job in its terminal, and leaves the terminal as it was when the person quits', async () => {
    await using ground = await openGround({cli, scenario: amnesiac()});
    const terminal = ground.start(ground.tui(goalOf(job(3))));
    await terminal.waitFor(/All 3 steps are done\./);
    expect(await ground.agents()).toHaveLength(1);
    expect(terminal.modes().changed).toContain(2004);
    expect(await ground.quit(terminal)).toEqual({code: 0, signal: undefined});
    expect(terminal.modes()).toMatchObject({changed: [], alternate: false, kitty: [], otherKeys: false});
    wentWell(ground, 3);
  });

  test('does the job without a terminal', async () => {
    await using ground = await openGround({cli, scenario: amnesiac()});
    expect(await ground.pipe(ground.headless(goalOf(job(3)))).exit).toMatchObject({
      code: 0,
      stdout: 'All 3 steps are done.\n',
    });
    wentWell(ground, 3);
  });

  test('does the job through the launcher that npm installs', async () => {
    await using ground = await openGround({cli, scenario: amnesiac(), through: 'launcher'});
    expect(await ground.pipe(ground.headless(goalOf(job(3)))).exit).toMatchObject({code: 0});
    wentWell(ground, 3);
  });

  // 10,000 tokens and 20,000 a step: six steps are 130,000, and 117,000 is where it compacts.
  test('compacts by itself in the midst of a turn, and goes on by the summary', async () => {
    await using ground = await openGround({cli, scenario: amnesiac({tokens: {start: 10_000, perStep: 20_000}})});
    const terminal = ground.start(ground.tui(goalOf(job(9))));
    await terminal.waitFor(/All 9 steps are done\./);
    expect(compactionsIn(await ground.logs())).toBe(1);
    const kinds = ground.model.requests.map(({request}) => request.kind).filter((kind) => kind !== 'title');
    expect(kinds.indexOf('compaction')).toBe(6);
    expect(kinds).toHaveLength(11);
    wentWell(ground, 9);
  });

  test('tries again when the API is overloaded', async () => {
    const scenario = withFaults(amnesiac(), [{from: 2, times: 1, reply: failures.overloaded}]);
    await using ground = await openGround({cli, scenario});
    expect(await ground.pipe(ground.headless(goalOf(job(3)))).exit).toMatchObject({code: 0});
    expect(ground.model.main()).toHaveLength(5);
    wentWell(ground, 3);
  });

  test('stays at its prompt when the usage limit is reached', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 7200;
    const scenario = withFaults(amnesiac(), [{from: 2, times: 99, reply: failures.usageLimit(resetsAt)}]);
    await using ground = await openGround({cli, scenario, account: 'subscription'});
    const terminal = ground.start(ground.tui(goalOf(job(3))));
    await terminal.waitFor(/You.ve hit your (?:usage|session|5-hour) limit/);
    const word = cli.word === 'claude' ? 'rate_limit' : 'usage_limit_exceeded';
    await until('the limit in the log', async () => errorsIn(await ground.logs()).includes(word));
    expect(ground.model.main()).toHaveLength(2);
    expect(await ground.agents()).toHaveLength(1);
  });

  test('ends when the very first prompt is too long', async () => {
    const scenario = withFaults(amnesiac(), [{from: 1, times: 99, reply: failures.promptTooLong}]);
    await using ground = await openGround({cli, scenario});
    expect(await ground.pipe(ground.headless(goalOf(job(3)))).exit).toMatchObject({code: 1});
    const word = cli.word === 'claude' ? 'invalid_request' : 'context_window_exceeded';
    expect(errorsIn(await ground.logs())).toEqual([word]);
  });

  test('waits without a word while the API hangs, and is left dirty by a SIGKILL', async () => {
    const scenario = withFaults(amnesiac(), [{from: 2, times: 99, reply: hangs.beforeHeaders}]);
    await using ground = await openGround({cli, scenario});
    const terminal = ground.start(ground.tui(goalOf(job(3))));
    await until('the request that hangs', () => ground.model.main().length === 2);
    terminal.kill('SIGKILL');
    expect(await terminal.exit).toEqual({code: undefined, signal: 9});
    expect(errorsIn(await ground.logs())).toEqual([]);
    expect(terminal.modes().changed).toContain(2004);
  });

  test.each(['first', 'last'] as const)('is killed in the midst of a step that writes %s', async (write) => {
    await using ground = await openGround({cli, scenario: amnesiac({slow: {step: 2, seconds: 61, write}})});
    const terminal = ground.start(ground.tui(goalOf(job(3))));
    await ground.untilAsleep(61);
    // Claude Code's log is up to 100 ms behind its tools: till then step 1 may still look open, and step 2 not begun.
    await until('the call in the log', async () =>
      openCallsIn(await ground.logs()).some((call) => /step 2/.test(call)),
    );
    terminal.kill('SIGKILL');
    expect(await terminal.exit).toEqual({code: undefined, signal: 9});
    expect(judge(ground.path('job.txt'), 3)).toEqual({...flawless, missing: write === 'first' ? [3] : [2, 3]});
    expect(openCallsIn(await ground.logs())).toEqual([expect.stringContaining(stepCommand(2, 'job.txt'))]);
    // Claude Code's tools live in a session of their own and outlive it; Codex takes its own along.
    if (cli.word === 'claude') await ground.untilAsleep(61);
    else await until('the end of the sandbox', async () => (await ground.processes()).length === 0);
  });
});
