// Codex runs only trusted hooks. A Codex with another recipe for the hash is played by a program on PATH that gives the
// real one slightly other hooks than we have asked for: then our hash is wrong, and only Codex itself knows the right one.

import {chmodSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {codex} from './clis.ts';
import {legsOf, openCodex} from './codex-rig.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {ended, type Supervised} from './supervised.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);

/** Another version: it says so, and its hooks have another timeout and so another hash. */
const playOtherVersion = ({env}: Supervised, {answers}: {answers: boolean}): void => {
  const path = join(env.PATH?.split(':')[0] ?? '', 'codex');
  rmSync(path);
  writeFileSync(
    path,
    `#!/usr/bin/env node
const {spawnSync} = require('node:child_process');
const given = process.argv.slice(2);
if (given.includes('--version')) { console.log('codex-cli 0.170.0'); process.exit(0); }
if (given.includes('app-server') && !${answers}) process.exit(1);
const args = given.map((word) => word.startsWith('hooks.') ? word.replace(/timeout=(\\d+)/, (_, n) => 'timeout=' + (Number(n) - 1)) : word);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
const {status, signal} = spawnSync(${JSON.stringify(codex().native)}, args, {stdio: 'inherit'});
process.exitCode = status ?? 1;
`,
  );
  chmodSync(path, 0o755);
};

const entries = async (ground: Supervised, name: string) =>
  (await ground.journal()).filter(({event}) => event === name);

describe('Codex of another version', () => {
  test('with another recipe: it is asked, its hooks come, the job is exact', async () => {
    await using ground = await openCodex({scenario: amnesiac({tokens: {start: 5000, perStep: 40_000}})});
    playOtherVersion(ground, {answers: true});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    const asked = await entries(ground, 'trust-asked');
    expect(asked[0]).toMatchObject({version: 'codex-cli 0.170.0', recipe_holds: 'no', leg: 1});
    expect(await entries(ground, 'hooks-off')).toEqual([]);
    // Only a hook can be before a compaction.
    expect((await ground.certificates())[0]).toMatchObject({
      cause: 'compaction',
      evidence: [{channel: 'hook', detail: 'PreCompact(auto)'}],
    });
  });

  test('that does not answer, exec: hooks stay silent, it is said, and the rollout is found by its open file', async () => {
    await using ground = await openCodex({scenario: amnesiac({delayMs: 1500})});
    playOtherVersion(ground, {answers: false});
    const {code, stderr} = await ground.pipe(ground.under(ground.headless(goal), '--until-done')).exit;
    expect(code).toBe(0);
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect((await entries(ground, 'trust-asked'))[0]).toMatchObject({recipe_holds: 'unknown'});
    // Once in each leg: a second one may come, since nobody told the first about ckpt done.
    expect((await entries(ground, 'hooks-off')).filter(({leg}) => leg === 1)).toHaveLength(1);
    expect(stderr).toContain('codex runs none of our hooks');
    const [last] = (await ground.checkpoints()).slice(-1);
    expect(JSON.stringify(last)).toContain(`step ${job.steps}`);
  });
});

test('hooks switched off by a setting: told, and a compaction is seen when it is done', async () => {
  await using ground = await openCodex({
    scenario: amnesiac({tokens: {start: 5000, perStep: 14_000}, delayMs: 700}),
  });
  const long = {steps: 14, file: 'job.txt'};
  const terminal = ground.start(ground.under(ground.tui(goalOf(long), '--disable', 'hooks')));
  await terminal.waitFor(async () => (await legsOf(ground)) === 2, 90_000);
  expect((await ground.certificates())[0]).toMatchObject({
    cause: 'compaction',
    evidence: [{channel: 'log', detail: 'compacted(auto)'}],
  });
  expect(await entries(ground, 'hooks-off')).not.toEqual([]);
  await ground.quit(terminal);
  expect(await ground.processes()).toEqual([]);
});
