// Hooks of the person's own, with the real Codex: those in their settings run beside ours, trusted as they have trusted
// them; one on the command line takes the place of ours, and that is said.

import {appendFileSync, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {trustedHash} from '../../adapters/codex/trust.ts';
import {openCodex} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {ended} from './supervised.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);

test.runIf(isFull)('in the settings: theirs and ours run, nobody is asked, a compaction is still held', async () => {
  await using ground = await openCodex({scenario: amnesiac({tokens: {start: 5000, perStep: 40_000}})});
  const config = join(ground.env.CODEX_HOME ?? '', 'config.toml');
  const events = {Stop: 'stop', PreCompact: 'pre_compact', PreToolUse: 'pre_tool_use', SessionStart: 'session_start'};
  for (const [event, snake] of Object.entries(events)) {
    const command = `echo ran >> '${ground.home}/${event}.txt'`;
    const hash = trustedHash({snake, command, timeout: 10, contextLimit: undefined});
    const hook = `[[hooks.${event}]]\n[[hooks.${event}.hooks]]\ntype = "command"\ncommand = "${command}"\ntimeout = 10\n`;
    appendFileSync(config, `\n${hook}\n[hooks.state."${config}:${snake}:0:0"]\ntrusted_hash = "${hash}"\n`);
  }
  const before = readFileSync(config, 'utf8');
  const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
  expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
  expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
  for (const event of Object.keys(events)) expect(existsSync(join(ground.home, `${event}.txt`))).toBe(true);
  expect((await ground.certificates())[0]).toMatchObject({
    cause: 'compaction',
    evidence: [{channel: 'hook', detail: 'PreCompact(auto)'}],
  });
  const hookLines = (text: string) => text.split('\n').filter((line) => /hook|^command = |^timeout = /.test(line));
  expect(hookLines(readFileSync(config, 'utf8'))).toEqual(hookLines(before));
});

test.runIf(isFull)('on the command line: theirs runs, ours of that event does not, and that is said', async () => {
  await using ground = await openCodex({scenario: amnesiac()});
  const note = join(ground.home, 'theirs.txt');
  const own = `hooks.PreToolUse=[{hooks=[{type="command",command="echo ran >> ${note}"}]}]`;
  const argv = ground.headless(goal, '-c', own, '--dangerously-bypass-hook-trust');
  const {code, stderr} = await ground.pipe(ground.under(argv, '--until-done')).exit;
  expect({code, verdict: judge(ground.path(job.file), job.steps)}).toEqual({code: 0, verdict: flawless});
  expect(readFileSync(note, 'utf8')).toMatch(/^(?:ran\n){4,}$/);
  expect(stderr).toContain('your own -c hooks.PreToolUse takes the place of ours: no call waits');
});
