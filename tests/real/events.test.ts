// One test per class of event, with the real CLIs under ckpt-run: what is a death, what is not, and what is the person's.

import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {renderPrompt} from '../../src/baton/render.ts';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';
import {sample} from '../baton/samples.ts';
import {type Cli, claudeNew, claudeOld, codex} from './clis.ts';
import {amnesiac} from './model/amnesiac.ts';
import {failuresOf} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {type Scenario, withFaults} from './model/reply.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';

const job = {steps: 6, file: 'job.txt'};
const goal = goalOf(job);
const clean = {changed: [], alternate: false, kitty: [], otherKeys: false};

const legs = async (ground: Supervised): Promise<number> =>
  (await ground.journal()).filter(({event}) => event === 'leg-spawned').length;

const verdict = (ground: Supervised) => judge(ground.path(job.file), job.steps);

describe.each([
  ['Claude Code 2.1.326', claudeNew()],
  ['Claude Code 2.1.197', claudeOld()],
  ['Codex 0.169.0', codex()],
] as [string, Cli][])('%s', (_, cli) => {
  const failures = failuresOf(cli.word);
  const open = (scenario: Scenario = amnesiac()) => openSupervised({cli, scenario});

  test.each([
    ['--version', ['--version']],
    ['mcp list', ['mcp', 'list']],
    ['a flag that is not there', ['--no-such-flag']],
    ['a settings value that is none', cli.word === 'claude' ? ['--session-id', 'x', 'hi'] : ['-c', 'model=', 'hi']],
  ])('%s: exactly the agent’s own output and code, and no leg counts', async (_name, args) => {
    await using ground = await open();
    const bare = await ground.pipe([cli.word, ...args]).exit;
    const wrapped = await ground.pipe(ground.under([cli.word, ...args])).exit;
    const own = wrapped.stderr.replace(/^ckpt-run: watching over .*\n/, '');
    expect({...wrapped, stderr: own}).toEqual(bare);
    expect(await ground.certificates()).toEqual([]);
  });

  test('a wrong model without a terminal: the agent’s own output and code, not restarted', async () => {
    const wrong: Scenario = {
      main: () => ({
        is: 'http',
        status: 404,
        body: {type: 'error', error: {type: 'not_found_error', message: 'model: wrong'}},
      }),
    };
    await using ground = await open(wrong);
    const bare = await ground.pipe(ground.headless('hi', '--model', 'wrong')).exit;
    const wrapped = await ground.pipe(ground.under(ground.headless('hi', '--model', 'wrong'))).exit;
    expect(bare.code).not.toBe(0);
    expect({code: wrapped.code, stdout: wrapped.stdout}).toEqual({code: bare.code, stdout: bare.stdout});
    expect(await legs(ground)).toBe(1);
    expect(await ground.certificates()).toEqual([]);
  });

  test('the person quits: their own exit, a clean terminal, a checkpoint, no restart', async () => {
    await using ground = await open();
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(/All 6 steps are done\./);
    expect(await ground.quit(terminal)).toEqual({code: 0, signal: undefined});
    expect(terminal.modes()).toMatchObject(clean);
    expect(await legs(ground)).toBe(1);
    expect((await ground.checkpoints()).map(({trigger}) => trigger)).toEqual(['end']);
    expect(await ground.processes()).toEqual([]);
  });

  // Codex survives a SIGSEGV that nobody's memory has caused.
  test.each([cli.word === 'codex' ? 'SIGABRT' : 'SIGSEGV', 'SIGTERM'])(
    '%s in the middle of a tool call is handed on',
    async (signal) => {
      await using ground = await open(amnesiac({slow: {step: 3, seconds: 60, write: 'last'}}));
      const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
      await ground.untilAsleep(60);
      process.kill(await ground.agentPid(1), signal);
      expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
      expect(verdict(ground)).toEqual(flawless);
      expect(terminal.modes()).toMatchObject(clean);
      expect(await legs(ground)).toBe(2);
      expect(await ground.processes()).toEqual([]);
    },
  );

  test('SIGKILL of ckpt-run itself in the middle of a tool call: one command goes on, the job exact', async () => {
    await using ground = await open(amnesiac({slow: {step: 3, seconds: 60, write: 'first'}}));
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    await ground.untilAsleep(60);
    terminal.kill('SIGKILL');
    await terminal.exit;
    const again = ground.start(ground.under([], '--continue-run'));
    expect(await ended(again)).toEqual({code: 0, signal: undefined});
    expect(verdict(ground)).toEqual(flawless);
    expect(await legs(ground)).toBe(2);
    expect(await ground.processes()).toEqual([]);
  });

  test('a prompt that is too long is the death of the context: a fresh agent, the job exact', async () => {
    await using ground = await open(withFaults(amnesiac(), [{from: 4, times: 1, reply: failures.promptTooLong}]));
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
    expect(verdict(ground)).toEqual(flawless);
    // The new Claude Code compacts by itself then: that is held, and the same to us.
    for (const {cause} of await ground.certificates()) expect(['context-full', 'compaction']).toContain(cause);
    expect(await legs(ground)).toBe(2);
  });

  test('a refused key parks an unattended run, with the reason', async () => {
    await using ground = await open({main: () => failures.forbidden});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    expect(await ended(terminal)).toEqual({code: 75, signal: undefined});
    expect(terminal.screen()).toContain('parked: the agent is not logged in, or its key is refused');
    expect(terminal.modes()).toMatchObject(clean);
    expect(await legs(ground)).toBe(1);
  });

  test('every marker, quoted in an answer and in a file that it prints, ends no leg', async () => {
    const quoted = markers();
    const asks: Scenario = {
      main: ({turns}) => {
        const told = JSON.stringify(turns);
        if (!told.includes('markers.txt')) return {is: 'call', command: 'cat markers.txt'};
        return told.includes('SECOND')
          ? {is: 'text', text: 'All quoted.'}
          : {is: 'call', command: 'echo SECOND; cat markers.txt'};
      },
    };
    await using ground = await open({
      main: (request) =>
        request.main > 2 ? {is: 'text', text: `${quoted.slice(0, 6000)}\nAll quoted.`} : asks.main(request),
    });
    writeFileSync(ground.path('markers.txt'), quoted);
    const terminal = ground.start(ground.under(ground.tui('print the markers'), '--until-done'));
    await terminal.waitFor(/All quoted\./, 60_000);
    await new Promise((done) => setTimeout(done, 1500));
    expect(await ground.quit(terminal)).toEqual({code: 0, signal: undefined});
    expect(await ground.certificates()).toEqual([]);
    expect(await legs(ground)).toBe(1);
  });
});

/** Our own baton, what the screens that fire our rules show, and whole lines of session logs. */
const markers = (): string => {
  const root = join(packageRoot(), 'tests', 'fixtures');
  const files = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter(
    (name) => /fires\/.*\.txt$/.test(name) || /logs\/.*(?:limit|ptl|compact).*\.jsonl$/.test(name),
  );
  const baton = renderPrompt({
    checkpoint: sample(),
    ...{drift: 'none', ckptBin: '/opt/ckpt', dir: '/d', legNumber: 2, fullPath: '/d/x.json'},
  });
  return [baton, ...files.map((name) => readFileSync(join(root, name), 'utf8').slice(0, 3000))].join('\n');
};
