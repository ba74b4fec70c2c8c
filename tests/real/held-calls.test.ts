// Calls that wait in the hook before they are done, with the real CLIs: behind a checkpoint, behind a person's word.

import {execFile} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {claudeNew, codex} from './clis.ts';
import {scripted, textOf} from './scripted.ts';
import {openSupervised, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const ckpt = join(dirname(fileURLToPath(import.meta.url)), '../../dist/ckpt.cjs');
const call = promisify(execFile);
const push = 'git push nowhere main; echo yes > pushed.txt';

const isHeld = (ground: Supervised) =>
  until('the held call', async () =>
    (await ground.journal()).some(({event, outside}) => event === 'call-held' && outside),
  );
const say = (ground: Supervised, ...words: string[]) =>
  call(process.execPath, [ckpt, ...words], {cwd: ground.project, env: ground.env});

describe.each([
  ['Claude Code 2.1.326', claudeNew],
  ['Codex 0.169.0', codex],
])('%s', (_, cli) => {
  const open = (calls: string[]) =>
    openSupervised({cli: cli(), scenario: scripted([{when: /./, calls: [...calls, 'ckpt done --note "all of it"']}])});

  // Codex itself refuses `rm -rf`.
  test('rm -r: what it deletes is in the tree of the checkpoint before it', async () => {
    await using ground = await open([
      'mkdir -p precious; echo gold > precious/untracked.txt',
      'git status --short',
      'rm -r precious',
    ]);
    const {code} = await ground.pipe(ground.under(ground.headless('clean up'), '--until-done')).exit;
    expect(code).toBe(0);
    expect(existsSync(ground.path('precious'))).toBe(false);
    const before = (await ground.checkpoints()).filter(({trigger}) => trigger === 'before_risky_change');
    expect(before).toHaveLength(1);
    const {ref} = (before[0]?.workspace ?? {}) as {ref?: string};
    const {stdout} = await call('git', ['show', `${ref}:precious/untracked.txt`], {cwd: ground.project});
    expect(stdout).toBe('gold\n');
    expect((await ground.journal()).filter(({event}) => event === 'call-held')).toHaveLength(1);
  });

  test('a push waits for ckpt approve, and goes on', async () => {
    await using ground = await open(['echo one > one.txt', push]);
    const program = ground.pipe(ground.under(ground.headless('push it'), '--until-done', '--approve-outside-effects'));
    await isHeld(ground);
    expect(existsSync(ground.path('pushed.txt'))).toBe(false);
    expect((await say(ground, 'status')).stdout).toContain('ckpt approve or ckpt deny: Bash: git push nowhere');
    expect((await say(ground, 'approve')).stdout).toContain('goes on');
    expect((await program.exit).code).toBe(0);
    expect(existsSync(ground.path('pushed.txt'))).toBe(true);
    expect((await ground.journal()).some(({event}) => event === 'outside-effect')).toBe(true);
  });

  test('ckpt deny: it is not done, and the model reads why', async () => {
    await using ground = await open([push]);
    const program = ground.pipe(ground.under(ground.headless('push it'), '--until-done', '--approve-outside-effects'));
    await isHeld(ground);
    await say(ground, 'deny', '--note', 'not on a Friday');
    expect((await program.exit).code).toBe(0);
    expect(existsSync(ground.path('pushed.txt'))).toBe(false);
    const told = ground.model.main().map(({request}) => textOf(request));
    expect(told.some((text) => text.includes('a person said no: not on a Friday'))).toBe(true);
  });

  test('nobody says anything: denied when the time is over', async () => {
    await using ground = await open([push]);
    writeFileSync(ground.path('ckpt.yaml'), 'policy: {approvalMinutes: 0.05}\n');
    const program = ground.pipe(ground.under(ground.headless('push it'), '--until-done', '--approve-outside-effects'));
    expect((await program.exit).code).toBe(0);
    expect(existsSync(ground.path('pushed.txt'))).toBe(false);
    const told = ground.model.main().map(({request}) => textOf(request));
    expect(told.some((text) => text.includes('nobody has approved it in time'))).toBe(true);
  });
});
