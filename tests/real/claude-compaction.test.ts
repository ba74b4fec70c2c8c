// Compactions that are let through, with the real Claude Code: `reinject` and the person's own /compact give the baton
// back inside, once; `observe` only looks. What the model really gets is read from its next request.

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {textAt} from '../../adapters/shared/json.ts';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {isFull} from './full-results.ts';
import {compactsAt} from './homes.ts';
import {compactionsIn} from './log-reading.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Reply, Scenario} from './model/reply.ts';
import type {ModelRequest} from './model/request.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const job = {steps: 12, file: 'job.txt'};
const goal = goalOf(job);
const handing = 'handing over to you the work of an agent whose context has ended';
const watching = 'watching over this session';

const told = ({turns}: ModelRequest): string => turns.map((turn) => (turn.is === 'text' ? turn.text : '')).join('\n');

/** The requests of the conversation that came after its (last) summary. */
const afterSummary = (ground: Supervised): ModelRequest[] => {
  const {requests} = ground.model;
  const at = requests.findLastIndex(({request}) => request.kind === 'compaction');
  return requests.slice(at + 1).flatMap(({request}) => (request.kind === 'main' ? [request] : []));
};

/** What the next session start inside the leg would be given. */
const contextNow = (ground: Supervised): string => {
  const runs = ground.path('runtime/checkpoints/runs');
  const [run = ''] = readdirSync(runs);
  return readFileSync(join(runs, run, 'spool/leg-001/context.md'), 'utf8');
};

const versions: [string, Cli][] = [
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
];

describe.each(isFull ? versions : versions.slice(0, 1))('Claude Code %s', (version, cli) => {
  // The summary keeps nothing: whatever the worker knows afterwards, it has from us.
  const open = () =>
    openSupervised({cli, scenario: amnesiac({tokens: {start: 5000, perStep: 14_000}, memory: 'forgetful'})});

  test('reinject: it compacts, the baton reaches the model in the next request, the same leg does the job', async () => {
    await using ground = await open();
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done', '--on-compaction', 'reinject'));
    expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect(compactionsIn(await ground.logs())).toBeGreaterThanOrEqual(1);
    expect(told(afterSummary(ground)[0] as ModelRequest)).toContain(handing);
    expect(await ground.certificates()).toEqual([]);
    expect((await ground.checkpoints()).map(({trigger}) => trigger)).toContain('pre-compaction');
  });

  test('nearly full: it is told once, through a hook inside its turn, to save what it knows', async () => {
    // Nine tenths of the threshold from the first answer on, and time to look.
    const worker = amnesiac({delayMs: 2500});
    const scenario: Scenario = {...worker, main: (request) => ({...worker.main(request), tokens: 105_000}) as Reply};
    await using ground = await openSupervised({cli, scenario});
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(/All 12 steps are done\./, 120_000);
    const last = JSON.stringify(ground.model.main().at(-1)?.request.body);
    expect(last.split('your context is nearly full').length - 1).toBe(1);
    const moments = (await ground.journal()).filter(
      ({event, trigger}) => event === 'moment-seen' && trigger === 'threshold',
    );
    expect(moments).toHaveLength(1);
    await ground.quit(terminal);
    expect(await ground.certificates()).toEqual([]);
  });

  test.runIf(version === '2.1.326')(
    'thrashing: three refills in three turns are the death of the context',
    async () => {
      const worker = amnesiac();
      let first: string | undefined;
      const scenario: Scenario = {
        ...worker,
        main: (request) => {
          const who = textAt(request.body, 'metadata', 'user_id') ?? '';
          first ??= who;
          return who === first ? ({...worker.main(request), tokens: compactsAt + 3000} as Reply) : worker.main(request);
        },
      };
      await using ground = await openSupervised({cli, scenario});
      const terminal = ground.start(ground.under(ground.tui(goal), '--until-done', '--on-compaction', 'observe'));
      expect(await ended(terminal)).toMatchObject({code: 0});
      expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
      expect((await ground.certificates()).map(({cause}) => cause)).toEqual(['context-full']);
      expect(await proved(ground, 'compaction-done')).toBeGreaterThanOrEqual(2);
    },
  );

  test('PreCompact alone is no compaction: of a very short conversation it is told as done where it was', async () => {
    const asked = ['-p', '--continue', '--', '/compact'];
    const walk = async (line: (ground: Supervised) => string[]) => {
      await using ground = await openSupervised({cli, scenario: amnesiac()});
      await ground.pipe(ground.headless('Hello')).exit;
      const {code, stdout} = await ground.pipe(line(ground)).exit;
      return {
        ...{code, stdout, summaries: compactionsIn(await ground.logs()), deaths: await ground.certificates()},
        ...{started: await proved(ground, 'compaction-started'), compacted: await proved(ground, 'compaction-done')},
      };
    };
    const bare = await walk(() => [cli.word, ...asked]);
    // The old one gives up on it behind its hook; the new one does it.
    const summaries = version === '2.1.326' ? 1 : 0;
    expect(bare).toMatchObject({code: 0, summaries});
    const observed = await walk((ground) => ground.under([cli.word, ...asked]));
    expect(observed).toEqual({...bare, started: 1, compacted: summaries});
  });

  test('observe: it compacts, nothing is put in but the protocol, and that is on record', async () => {
    await using ground = await open();
    const terminal = ground.start(ground.under(ground.tui(goal), '--on-compaction', 'observe'));
    await until('the compaction', async () => (await proved(ground, 'compaction-done')) > 0, 60_000);
    await terminal.waitFor(() => afterSummary(ground).length > 0);
    const next = told(afterSummary(ground)[0] as ModelRequest);
    expect(next).not.toContain(handing);
    expect(next).toContain(watching);
    await ground.quit(terminal);
    expect(await ground.certificates()).toEqual([]);
    expect((await ground.checkpoints()).map(({trigger}) => trigger)).toContain('pre-compaction');
  });

  test('the person’s own /compact is reinjected, whatever the policy; then the protocol lies there again', async () => {
    await using ground = await openSupervised({cli, scenario: amnesiac({memory: 'forgetful'})});
    const terminal = ground.start(ground.under(ground.tui(goalOf({steps: 3, file: 'job.txt'}))));
    await terminal.waitFor(/All 3 steps are done\./);
    terminal.type('/compact');
    await new Promise((later) => setTimeout(later, 500));
    terminal.type('\r');
    await until('the compaction', async () => (await proved(ground, 'compaction-done')) > 0, 60_000);
    await until('the protocol', () => !contextNow(ground).includes(handing));
    expect(contextNow(ground)).toContain(watching);
    await terminal.waitFor(/Compacted|Conversation compacted/);
    terminal.type('and now?');
    await new Promise((later) => setTimeout(later, 500));
    terminal.type('\r');
    await terminal.waitFor(() => afterSummary(ground).length > 0);
    expect(told(afterSummary(ground)[0] as ModelRequest)).toContain(handing);
    await ground.quit(terminal);
    expect(await ground.certificates()).toEqual([]);
    expect((await ground.journal()).filter(({event}) => event === 'leg-spawned')).toHaveLength(1);
  });
});

const proved = async (ground: Supervised, name: string): Promise<number> =>
  (await ground.journal()).filter(({event, proof}) => event === name && proof === true).length;
