// What `ckpt install` writes, in the real CLIs: it is offered, it is called by its name, and the agent runs ckpt by it.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld, codex} from './clis.ts';
import {type Ground, openGround} from './ground.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import type {ModelRequest} from './model/request.ts';
import {openSupervised} from './supervised.ts';

const ckptScript = fileURLToPath(new URL('../../dist/ckpt.cjs', import.meta.url));

const ckpt = (ground: Ground, ...args: string[]) => ground.pipe([process.execPath, ckptScript, ...args]).exit;

/** Everything that the request says, in the person's place or in the system's. */
const said = ({turns}: ModelRequest): string =>
  turns.map((turn) => (turn.is === 'text' && turn.role !== 'agent' ? turn.text : '')).join('\n');

const results = ({turns}: ModelRequest): string[] => turns.flatMap((turn) => (turn.is === 'result' ? [turn.text] : []));

/** Does what the command's text asks: the line that stands apart is run as it is, once. */
const obedient: Scenario = {
  main: (request) => {
    if (results(request).length > 0) return {is: 'text', text: 'Obeyed.'};
    const lines = [...said(request).matchAll(/^ {4}(\S.*\/ckpt'? (?:snapshot|list) ?.*)$/gm)];
    const command = lines.at(-1)?.[1];
    return command === undefined ? {is: 'text', text: 'Nothing was asked.'} : {is: 'call', command};
  },
};

const latest = (ground: Ground): Record<string, unknown> =>
  JSON.parse(readFileSync(ground.path('runtime/checkpoints/LATEST.json'), 'utf8')) as Record<string, unknown>;

/** The person has allowed nothing: what runs is what the command itself may run. */
const allowNothing = (ground: Ground): void =>
  writeFileSync(join(ground.home, '.claude/settings.json'), '{"permissions": {"defaultMode": "default"}}\n');

const clis: [string, Cli][] = [
  ['Claude Code 2.1.326', claudeNew()],
  ['Claude Code 2.1.197', claudeOld()],
  ['Codex 0.169.0', codex()],
];

describe.each(clis)('%s', (_, cli) => {
  const sign = cli.word === 'codex' ? '$' : '/';

  test.each(['user', 'project'])('installed for the %s: the agent runs ckpt, and uninstall ends it', async (scope) => {
    await using ground = await openGround({cli, scenario: obedient});
    if (cli.word === 'claude') allowNothing(ground);
    expect(await ckpt(ground, 'install', cli.word, `--${scope}`)).toMatchObject({code: 0, stderr: ''});

    const saved = await ground.pipe(ground.headless(`${sign}checkpoint some "note" of mine`)).exit;
    expect(saved).toMatchObject({code: 0, stdout: 'Obeyed.\n'});
    expect(said(ground.model.main()[0]?.request as ModelRequest)).toContain('some "note" of mine');
    expect(results(ground.model.main()[1]?.request as ModelRequest).join('\n')).toContain('checkpoint 1 saved: ');
    expect(latest(ground)).toMatchObject({current_track: 'main'});

    await ground.pipe(ground.headless(`${sign}checkpoints`)).exit;
    const listed = results(ground.model.main().at(-1)?.request as ModelRequest).join('\n');
    expect(listed).toContain('what is done');

    expect(await ckpt(ground, 'uninstall')).toMatchObject({code: 0, stderr: ''});
    const before = ground.model.main().length;
    await ground.pipe(ground.headless(`${sign}checkpoints`)).exit;
    const after = ground.model.main().slice(before);
    expect(after.map(({request}) => said(request)).join('\n')).not.toContain('ckpt list');
  });

  test('every command is offered by its name, and the protocol is in the context', async () => {
    await using ground = await openGround({cli, scenario: {main: () => ({is: 'text', text: 'Answered.'})}});
    await ckpt(ground, 'install', cli.word);
    const terminal = ground.start(ground.tui('hi'));
    await terminal.waitFor(/Answered\./);
    const context = said(ground.model.main()[0]?.request as ModelRequest);
    expect(context).toContain(cli.word === 'claude' ? 'resume --live' : 'ALWAYS first after a compaction');
    // What is for the person alone does not cost the agent's context anything.
    expect(context).not.toContain('Bring files and baton back');
    for (const [typed, offered] of [
      ['checkpoint', /Save a checkpoint of this work/],
      ['checkpoints', /List all checkpoints/],
      ['restore', /back to checkpoint N/],
      ['rollback', /back to the last checkpoint/],
      ['prune', /Remove old automatic/],
      ['rehydrate', /go on where it left off/],
      ['reload', /in a fresh conversation/],
      ['autocompact', /when the context is compacted/],
    ] as const) {
      terminal.type(`${sign}${typed}`);
      await terminal.waitFor(offered);
      terminal.type('\x15');
      await terminal.waitFor((screen) => !offered.test(screen));
    }
  });

  // 10,000 tokens and 20,000 a step: six steps are 130,000, and 117,000 is where it compacts.
  test('--hooks: a checkpoint before the compaction of a bare agent, the baton after it, the job exact', async () => {
    const scenario = amnesiac({tokens: {start: 10_000, perStep: 20_000}, memory: 'forgetful'});
    await using ground = await openGround({cli, scenario});
    await ckpt(ground, 'install', cli.word, '--hooks');
    // The person would be asked once whether they trust the new hooks.
    const trust = cli.word === 'codex' ? ['--dangerously-bypass-hook-trust'] : [];
    const end = await ground.pipe(ground.headless(goalOf({steps: 9, file: 'job.txt'}), ...trust)).exit;
    expect(end).toMatchObject({code: 0});
    expect(judge(ground.path('job.txt'), 9)).toEqual(flawless);
    const shown = JSON.parse((await ckpt(ground, 'list', '--json')).stdout) as Record<string, unknown>[];
    expect(shown).toMatchObject([{trigger: 'pre-compaction', goal: goalOf({steps: 9, file: 'job.txt'})}]);
    const compaction = ground.model.requests.findIndex(({request}) => request.kind === 'compaction');
    const next = ground.model.requests.slice(compaction).find(({request}) => request.kind === 'main')?.request;
    expect(said(next as ModelRequest)).toContain('Next: ');
  });

  test('--hooks in a run: the run’s own hooks do it, ours do nothing', async () => {
    await using ground = await openSupervised({cli, scenario: amnesiac({tokens: {start: 10_000, perStep: 20_000}})});
    await ckpt(ground, 'install', cli.word, '--hooks');
    const trust = cli.word === 'codex' ? ['--dangerously-bypass-hook-trust'] : [];
    const program = ground.pipe(
      ground.under(ground.headless(goalOf({steps: 9, file: 'job.txt'}), ...trust), '--until-done'),
    );
    expect(await program.exit).toMatchObject({code: 0});
    expect(judge(ground.path('job.txt'), 9)).toEqual(flawless);
    expect((await ground.checkpoints()).filter(({label}) => label === 'before-compaction')).toEqual([]);
    expect((await ground.checkpoints()).filter(({run}) => run === undefined)).toEqual([]);
  });

  test('a name that the person has is left to them: the nearest one is used', async () => {
    await using ground = await openGround({cli, scenario: obedient});
    const own = cli.word === 'claude' ? '.claude/commands/checkpoints.md' : '.agents/skills/checkpoints/SKILL.md';
    mkdirSync(dirname(ground.path(own)), {recursive: true});
    writeFileSync(ground.path(own), '---\nname: checkpoints\ndescription: mine\n---\nMine.\n');
    const told = await ckpt(ground, 'install', cli.word, '--project');
    expect(told.stdout).toContain(`the name checkpoints is taken there: use ${sign}ckpt-checkpoints`);
    await ground.pipe(ground.headless(`${sign}ckpt-checkpoints`)).exit;
    expect(said(ground.model.main()[0]?.request as ModelRequest)).toContain('ckpt list');
  });
});
