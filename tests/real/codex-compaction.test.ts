// Compactions that are let through, with the real Codex: `reinject` and the person's own /compact give the baton back
// inside; `observe` only looks; one that fails is the death of the context. What the model gets is in its next request.

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {textAt} from '../../adapters/shared/json.ts';
import {legsOf, openCodex, proved, typeLine} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {compactsAt} from './homes.ts';
import {compactionsIn} from './log-reading.ts';
import {type AmnesiacOptions, amnesiac} from './model/amnesiac.ts';
import {codexOnly, failuresOf} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import type {ModelRequest} from './model/request.ts';
import {ended, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const job = {steps: 12, file: 'job.txt'};
const goal = goalOf(job);
const handing = 'handing over to you the work of an agent whose context has ended';
const watching = 'watching over this session';
/** The summary keeps nothing: whatever the worker knows afterwards, it has from us. */
const forgetful: AmnesiacOptions = {tokens: {start: 5000, perStep: 14_000}, memory: 'forgetful'};

const told = ({turns}: ModelRequest): string => turns.map((turn) => (turn.is === 'text' ? turn.text : '')).join('\n');

/** What the first request after the (last) summary told the model. */
const afterSummary = (ground: Supervised): string | undefined => {
  const {requests} = ground.model;
  const at = requests.findLastIndex(({request}) => request.kind === 'compaction');
  const next = requests.slice(at + 1).find(({request}) => request.kind === 'main');
  return at < 0 || next === undefined ? undefined : told(next.request);
};

/** As with OpenAI's own account: the provider's name decides who compacts. */
const openRemote = async (scenario: Scenario): Promise<Supervised> => {
  const ground = await openCodex({scenario});
  const file = join(ground.env.CODEX_HOME ?? '', 'config.toml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"Proving ground"', '"OpenAI"'));
  return ground;
};

describe('Codex 0.169.0', () => {
  test('reinject: it compacts, the whole baton reaches the model, the same leg does the job', async () => {
    await using ground = await openCodex({scenario: amnesiac(forgetful)});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done', '--on-compaction', 'reinject'));
    expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect(compactionsIn(await ground.logs())).toBeGreaterThanOrEqual(1);
    const text = afterSummary(ground) ?? '';
    expect(text.includes(handing) && /^Next: /m.test(text) && /^Git: branch main/m.test(text)).toBe(true);
    expect(await ground.certificates()).toEqual([]);
    expect((await ground.checkpoints()).map(({trigger}) => trigger)).toContain('pre-compaction');
  });

  test('observe: it compacts, nothing is put in but the protocol, and that is on record', async () => {
    await using ground = await openCodex({scenario: amnesiac(forgetful)});
    const terminal = ground.start(ground.under(ground.tui(goal), '--on-compaction', 'observe'));
    await until('the compaction', async () => (await proved(ground, 'compaction-done')) > 0, 60_000);
    await terminal.waitFor(() => afterSummary(ground) !== undefined);
    const text = afterSummary(ground) ?? '';
    expect({baton: text.includes(handing), protocol: text.includes(watching)}).toEqual({baton: false, protocol: true});
    await ground.quit(terminal);
    expect(await ground.certificates()).toEqual([]);
    expect((await ground.checkpoints()).map(({trigger}) => trigger)).toContain('pre-compaction');
  });

  test.runIf(isFull)(
    'remote: its summary is closed to us; the whole baton reaches the model, the same leg does the job',
    async () => {
      await using ground = await openRemote(amnesiac(forgetful));
      const terminal = ground.start(ground.under(ground.tui(goal), '--until-done', '--on-compaction', 'reinject'));
      expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
      expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
      const summaries = (await ground.logs()).flat().filter(({type}) => type === 'compacted');
      expect(summaries.length).toBeGreaterThanOrEqual(1);
      for (const line of summaries) expect(textAt(line, 'payload', 'message')).toBe('');
      expect(afterSummary(ground)).toContain(handing);
      expect(await proved(ground, 'compaction-done')).toBeGreaterThanOrEqual(1);
      expect(await ground.certificates()).toEqual([]);
      expect(ground.model.bugs).toEqual([]);
    },
  );

  test.runIf(isFull)('remote, restart: held before it is paid for, and handed on', async () => {
    await using ground = await openRemote(amnesiac(forgetful));
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect((await ground.certificates()).map(({cause}) => cause)).toEqual(['compaction']);
    expect(ground.model.requests.filter(({request}) => request.kind === 'compaction')).toEqual([]);
  });

  test.runIf(isFull)('remote, and it fails: the death of the context, told as what it was', async () => {
    await using ground = await openRemote({...amnesiac(forgetful), summary: () => codexOnly.contextFullInStream});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done', '--on-compaction', 'reinject'));
    expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    expect((await ground.certificates()).map(({cause}) => cause)).toEqual(['compaction-failed']);
  });

  test('what the person says to a full context is not lost with it: let through, the baton and the words inside', async () => {
    const wish = 'echo ripe > banana.txt';
    const worker = amnesiac();
    const scenario: Scenario = {
      main: (request) => {
        const isWished = told(request).includes(wish);
        if (isWished && !request.turns.some((turn) => turn.is === 'call')) return {is: 'call', command: wish};
        const answer = isWished ? ({is: 'text', text: 'That is all.'} as const) : worker.main(request);
        return answer.is === 'text' && !isWished ? {...answer, tokens: compactsAt + 1000} : answer;
      },
    };
    await using ground = await openCodex({scenario});
    const terminal = ground.start(ground.under(ground.tui(goalOf({steps: 2, file: 'job.txt'}))));
    await terminal.waitFor(/All 2 steps are done\./);
    await typeLine(terminal, `Now do this: ${wish}`);
    await terminal.waitFor(/That is all\./);
    expect(readFileSync(ground.path('banana.txt'), 'utf8')).toBe('ripe\n');
    const text = afterSummary(ground) ?? '';
    expect({baton: text.includes(handing), words: text.includes(wish)}).toEqual({baton: true, words: true});
    await ground.quit(terminal);
    expect(await ground.certificates()).toEqual([]);
    expect(await legsOf(ground)).toBe(1);
  });

  test('the person’s own /compact is reinjected, whatever the policy', async () => {
    await using ground = await openCodex({scenario: amnesiac({memory: 'forgetful'})});
    const terminal = ground.start(ground.under(ground.tui(goalOf({steps: 3, file: 'job.txt'}))));
    await terminal.waitFor(/All 3 steps are done\./);
    await typeLine(terminal, '/compact');
    await until('the compaction', async () => (await proved(ground, 'compaction-done')) > 0, 60_000);
    await terminal.waitFor(/Context compacted/);
    await typeLine(terminal, 'and now?');
    await terminal.waitFor(() => afterSummary(ground) !== undefined);
    expect(afterSummary(ground)?.includes(handing)).toBe(true);
    await ground.quit(terminal);
    expect(await ground.certificates()).toEqual([]);
    expect(await legsOf(ground)).toBe(1);
  });

  test.each(isFull ? (['limit', 'overload'] as const) : [])(
    'a compaction that meets a provider’s %s is waited out, and the same leg goes on',
    async (signal) => {
      const {serverError, usageLimit} = failuresOf('codex');
      const worker = amnesiac(forgetful);
      let isSeen = false;
      const summary: Scenario['summary'] = (request) => {
        if (isSeen && worker.summary !== undefined) return worker.summary(request);
        return signal === 'limit' ? usageLimit(Math.ceil(request.at / 1000) + 4) : serverError;
      };
      await using ground = await openCodex({scenario: {...worker, summary}});
      const own = ['--until-done', '--on-compaction', 'reinject'];
      const terminal = ground.start(ground.under(ground.tui(goal), ...own));
      await until('the failure on record', async () => (await proved(ground, signal)) > 0, 60_000);
      isSeen = true;
      expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
      expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
      expect(await ground.certificates()).toEqual([]);
    },
  );

  test('a compaction that fails is the death of the context: a fresh agent, the job exact', async () => {
    const scenario: Scenario = {...amnesiac(forgetful), summary: () => codexOnly.contextFullInStream};
    await using ground = await openCodex({scenario});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done', '--on-compaction', 'reinject'));
    expect(await ended(terminal)).toEqual({code: 0, signal: undefined});
    expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
    for (const {cause} of await ground.certificates()) expect(['compaction-failed', 'context-full']).toContain(cause);
    expect(await legsOf(ground)).toBe(2);
  });
});
