// The run follows the conversation wherever the person takes it: /clear, --resume, --fork-session, --continue; and with
// hooks switched off the other channels carry on, and the run says so.

import {rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const job = {steps: 3, file: 'job.txt'};
const goal = goalOf(job);
const second = goalOf({steps: 2, file: 'second.txt'});
const done = /All \d steps are done\./;

/** The conversation of the newest checkpoint, which is made from the log that is followed. */
const lastConversation = async (ground: Supervised): Promise<{session_id: string; log_path: string}> => {
  const checkpoint = (await ground.checkpoints()).at(-1);
  return checkpoint?.conversation as {session_id: string; log_path: string};
};

const submit = async (terminal: {type(text: string): void}, text: string): Promise<void> => {
  terminal.type(text);
  await new Promise((later) => setTimeout(later, 500));
  terminal.type('\r');
};

const idles = async (ground: Supervised): Promise<number> =>
  (await ground.journal()).filter(({event}) => event === 'idle').length;

const versions: [string, Cli][] = [
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
];

describe.each(isFull ? versions : versions.slice(0, 1))('Claude Code %s', (_, cli) => {
  const open = () => openSupervised({cli, scenario: amnesiac()});
  /** A conversation of the person's own, without us. */
  const before = async (ground: Supervised): Promise<string> => {
    const terminal = ground.start(ground.tui('Hello'));
    await terminal.waitFor(/I do not know what to do\./);
    await ground.quit(terminal);
    const [log] = await ground.logs();
    return String(log?.find(({sessionId}) => typeof sessionId === 'string')?.sessionId);
  };

  test('/clear: the new conversation is followed, and the checkpoint is of it alone', async () => {
    await using ground = await open();
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(done);
    await submit(terminal, '/clear');
    await terminal.waitFor((screen) => !done.test(screen));
    await submit(terminal, second);
    await terminal.waitFor(/All 2 steps are done\./);
    await ground.quit(terminal);
    const {session_id, log_path} = await lastConversation(ground);
    expect(basename(log_path)).toBe(`${session_id}.jsonl`);
    const logs = await ground.logs();
    expect(logs.length).toBeGreaterThanOrEqual(2);
    const followed = logs.find((log) => log.some((line) => line.sessionId === session_id));
    expect(JSON.stringify(followed)).toContain('second.txt');
    expect((await ground.checkpoints()).at(-1)).toMatchObject({run: expect.any(String), leg: 1});
    expect(await ground.certificates()).toEqual([]);
  });

  test.each([
    ['--resume', (id: string) => ['--resume', id], 'same'],
    ['--continue', () => ['--continue'], 'same'],
    ['--fork-session', (id: string) => ['--resume', id, '--fork-session'], 'another'],
  ] as const)('%s: its past gives no signal, and what follows is seen', async (_name, flags, which) => {
    await using ground = await open();
    const id = await before(ground);
    const terminal = ground.start(ground.under([cli.word, ...flags(id), '--', goal]));
    await terminal.waitFor(done);
    await ground.quit(terminal);
    const {session_id} = await lastConversation(ground);
    expect(session_id === id ? 'same' : 'another').toBe(which);
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect(await ground.certificates()).toEqual([]);
  });

  test('a leg that dies after --resume is followed by a fresh conversation, never by the old one', async () => {
    await using ground = await openSupervised({
      ...{cli, scenario: amnesiac({slow: {step: 2, seconds: 60, write: 'first'}})},
      config: 'policy: {backoff: {firstSeconds: 0.1}}',
    });
    await before(ground);
    const terminal = ground.start(ground.under([cli.word, '--continue', '--', goal], '--until-done'));
    await ground.untilAsleep(60);
    process.kill(await ground.agentPid(1), 'SIGKILL');
    expect(await ended(terminal)).toMatchObject({code: 0});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    const ids = (await ground.checkpoints()).map(({conversation}) => (conversation as {session_id: string}).session_id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['--bare', ['--bare'], {}],
    ['--safe-mode', ['--safe-mode'], {}],
    ['disableAllHooks', [], {disableAllHooks: true}],
  ])('hooks off by %s: the job is watched by the other channels, and that is said', async (_name, flags, settings) => {
    await using ground = await openSupervised({cli, scenario: amnesiac({delayMs: 300})});
    const own = {permissions: {allow: ['Bash'], defaultMode: 'default'}, ...settings};
    writeFileSync(join(ground.home, '.claude', 'settings.json'), JSON.stringify(own));
    const terminal = ground.start(ground.under(ground.tui(goal, ...flags)));
    await terminal.waitFor(done);
    await until('the notice of it', async () => (await ground.journal()).some(({event}) => event === 'hooks-off'));
    await until('the end of its turn', async () => (await idles(ground)) > 0);
    await ground.quit(terminal);
    expect(terminal.raw()).toContain('runs none of our hooks');
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    const {session_id, log_path} = await lastConversation(ground);
    expect(basename(log_path)).toBe(`${session_id}.jsonl`);
    expect((await ground.checkpoints()).at(-1)).toMatchObject({goal});
  });

  test('inherited from an agent around us: it saves its transcript and its state all the same', async () => {
    // Bare it would save nothing.
    const env = {CLAUDECODE: '1', CLAUDE_CODE_CHILD_SESSION: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PID: '1'};
    await using ground = await openSupervised({cli, scenario: amnesiac(), env});
    const alone = ground.start(ground.tui(goal));
    await alone.waitFor(done);
    await ground.quit(alone);
    expect(await ground.logs()).toEqual([]);
    rmSync(ground.path(job.file));
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(done);
    await ground.quit(terminal);
    expect(await ground.logs()).toHaveLength(1);
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect((await lastConversation(ground)).log_path).toContain('.claude/projects/');
  });

  test('hooks off, and killed: the baton comes from the log that was found without them', async () => {
    await using ground = await openSupervised({
      ...{cli, scenario: amnesiac({delayMs: 300, slow: {step: 3, seconds: 60, write: 'first'}})},
      config: 'policy: {backoff: {firstSeconds: 0.1}}',
    });
    const terminal = ground.start(ground.under(ground.tui(goal, '--safe-mode')));
    await ground.untilAsleep(60);
    // What the transcript does not have yet, nobody could know.
    await until('the call in the transcript', async () => JSON.stringify(await ground.logs()).includes('sleep 60'));
    process.kill(await ground.agentPid(1), 'SIGKILL');
    await terminal.waitFor(done, 60_000);
    await ground.quit(terminal);
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect((await ground.certificates()).map(({cause}) => cause)).toEqual(['killed']);
  });
});
