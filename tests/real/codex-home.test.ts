// The person's CODEX_HOME is theirs: after a supervised run with a handoff it holds what bare runs leave there that end the
// same way, and nothing of ours. Their settings are the same but for the one note that Codex itself makes.

import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openCodex} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {ended, type Supervised} from './supervised.ts';
import type {OuterTerminal} from './terminal.ts';

const job = {steps: 3, file: 'job.txt'};
const goal = goalOf(job);
/** Two steps fill the context: a handoff that ends Codex cleanly, so that it tidies up as ever. */
const full = {tokens: {start: 5000, perStep: 60_000}};

/** Every file below the home, with what differs from run to run made alike. */
const filesOf = ({home}: Supervised): string[] => {
  const names = readdirSync(home, {recursive: true, encoding: 'utf8'});
  const files = names.filter((name) => statSync(join(home, name), {throwIfNoEntry: false})?.isFile());
  return [...new Set(files.map(alike))].sort();
};

const alike = (name: string): string =>
  name
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/sessions\/\d+\/\d+\/\d+\//, 'sessions/<day>/')
    .replace(/rollout-[\dT:-]+-/, 'rollout-<time>-')
    .replace(/[0-9a-f]{16,}/g, '<hash>')
    .replace(/arg0\/codex-arg0\w+/, 'arg0/<random>')
    .replace(/\d{8,}/g, '<time>');

/** sqlite keeps these while a database is open. */
const isPassing = (name: string): boolean => /-(?:wal|shm|journal)$/.test(name);

const settings = ({env}: Supervised): string => readFileSync(join(env.CODEX_HOME ?? '', 'config.toml'), 'utf8');

/** What Codex itself has added to its settings. */
const added = (before: string, after: string): string[] => {
  const known = before.split('\n');
  return after.split('\n').filter((line) => line !== '' && !known.includes(line));
};

/** Two runs of a bare Codex, as there are two legs: it counts its starts. */
const leftByBare = async (ground: Supervised, end: (terminal: OuterTerminal) => Promise<unknown>): Promise<void> => {
  const alone = ground.start(ground.tui(goal));
  await end(alone);
  const again = ground.start(ground.tui('Hello'));
  await again.waitFor(/I do not know what to do/);
  await ground.quit(again);
};

/** Files and settings of the supervised home are those of the bare one; ours are where DESIGN §5 has them. */
const expectAlike = ([bare, bareBefore]: [Supervised, string], [ground, before]: [Supervised, string]): void => {
  expect(added(before, settings(ground))).toEqual(added(bareBefore, settings(bare)));
  expect(settings(ground).startsWith(before.trimEnd())).toBe(true);
  const left = filesOf(bare);
  const codexHome = filesOf(ground).filter((name) => name.startsWith('.codex/'));
  expect(codexHome.filter((name) => !left.includes(name) && !isPassing(name))).toEqual([]);
  expect(codexHome.filter((name) => /ckpt/i.test(name))).toEqual([]);
  const elsewhere = filesOf(ground).filter((name) => !name.startsWith('.codex/') && !left.includes(name));
  expect(elsewhere.filter((name) => !name.startsWith('.local/state/ckpt-run/'))).toEqual([]);
};

test('Codex 0.169.0: a supervised run leaves in the home what a bare one leaves', async () => {
  await using bare = await openCodex({scenario: amnesiac()});
  const first = settings(bare);
  await leftByBare(bare, async (terminal) => {
    await terminal.waitFor(/All 3 steps are done\./);
    await bare.quit(terminal);
  });

  await using ground = await openCodex({scenario: amnesiac(full)});
  const before = settings(ground);
  const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
  expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
  expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
  // What a restart adds (hooks, trust in them) is for that leg alone.
  expect(await ground.logs()).toHaveLength(2);
  expectAlike([bare, first], [ground, before]);
});

// SIGKILL leaves what Codex would have tidied up, such as the snapshot of the person's shell: supervised or not.
test.runIf(isFull)(
  'Codex 0.169.0, killed in a tool call: what a bare one leaves that is killed the same way',
  async () => {
    const slow = {slow: {step: 2, seconds: 60, write: 'last'}} as const;
    await using bare = await openCodex({scenario: amnesiac(slow)});
    const first = settings(bare);
    await leftByBare(bare, async (terminal) => {
      await bare.untilAsleep(60, 60_000);
      terminal.kill('SIGKILL');
      await terminal.exit;
    });

    await using ground = await openCodex({scenario: amnesiac(slow)});
    const before = settings(ground);
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    await ground.untilAsleep(60, 60_000);
    process.kill(await ground.agentPid(1), 'SIGKILL');
    expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect(await ground.logs()).toHaveLength(2);
    expectAlike([bare, first], [ground, before]);
    expect(filesOf(ground).filter((name) => name.includes('shell_snapshots')).length).toBeGreaterThan(0);
  },
);
