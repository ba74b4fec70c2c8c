// `codex exec` through pipes: byte-exact text, --json as one stream of all legs, resume; and the npm launcher.

import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parseLine, textAt} from '../../adapters/shared/json.ts';
import {legsOf, openCodex} from './codex-rig.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {ended} from './supervised.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);
const slow = {slow: {step: 3, seconds: 60, write: 'first'}} as const;

describe('codex exec 0.169.0', () => {
  test('text: killed in a tool call, only the final leg’s stdout, nothing of ours on it', async () => {
    await using ground = await openCodex({scenario: amnesiac(slow)});
    const program = ground.pipe(ground.under(ground.headless(goal), '--until-done'));
    await ground.untilAsleep(60, 60_000);
    process.kill(await ground.agentPid(1), 'SIGKILL');
    const {code, stdout} = await program.exit;
    expect({code, stdout}).toEqual({code: 0, stdout: 'All 4 steps are done.\n'});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
  });

  test('--json: the lines of both legs, each of them whole', async () => {
    await using ground = await openCodex({scenario: amnesiac(slow)});
    const program = ground.pipe(ground.under(ground.headless(goal, '--json'), '--until-done'));
    await ground.untilAsleep(60, 60_000);
    process.kill(await ground.agentPid(1), 'SIGKILL');
    const {code, stdout} = await program.exit;
    const lines = stdout.trimEnd().split('\n').map(parseLine);
    expect(code).toBe(0);
    expect(lines.every((line) => line !== undefined)).toBe(true);
    const types = lines.map((line) => textAt(line, 'type'));
    expect(types.filter((type) => type === 'thread.started')).toHaveLength(2);
    expect(types.at(-1)).toBe('turn.completed');
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
  });

  test('exec resume: the same thread goes on, and its death is handed on without the thread', async () => {
    await using ground = await openCodex({scenario: amnesiac(slow)});
    const greeting = await ground.pipe(ground.headless('Hello')).exit;
    expect(greeting.code).toBe(0);
    const program = ground.pipe(ground.under(['codex', 'exec', 'resume', '--last', goal], '--until-done'));
    await ground.untilAsleep(60, 60_000);
    process.kill(await ground.agentPid(1), 'SIGKILL');
    const {code} = await program.exit;
    expect(code).toBe(0);
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    // The resumed one and the fresh one: nothing resumes a dead session by itself.
    expect(await ground.logs()).toHaveLength(2);
  });
});

describe('behind npm’s launcher', () => {
  test('the native program is the agent: it is started, and killed, without the launcher', async () => {
    await using ground = await openCodex({scenario: amnesiac(slow), through: 'launcher'});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    await ground.untilAsleep(60, 60_000);
    const pid = await ground.agentPid(1);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]).toBe(ground.cli.native);
    process.kill(pid, 'SIGKILL');
    expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect(await legsOf(ground)).toBe(2);
    expect(await ground.processes()).toEqual([]);
  });
});
