// Every failure of the API, with the real Claude Code under ckpt-run: signal, death or none, action, terminal, leftovers.

import {describe, expect, test} from 'vitest';
import {type Expected, type FailureRow, failureRows, silentRows} from './claude-failure-rows.ts';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {isFull, keepResult} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);
const clean = {changed: [], alternate: false, kitty: [], otherKeys: false};
/** The pauses of the real policy, in seconds instead of minutes. */
const quick = `policy:
  overload: {firstSeconds: 2, maxMinutes: 0.07}
  limit: {marginSeconds: 1, unknownMinutes: 0.03}
  nudgeSeconds: 15
  backoff: {firstSeconds: 0.1}
`;
const failureSignals = [
  'compaction-started',
  'compaction-failed',
  'context-full',
  'limit',
  'overload',
  'auth',
  'fatal',
];

describe.each([
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
] as [string, Cli][])('Claude Code %s', (version, cli) => {
  const rows = failureRows.filter(({ci}) => isFull || ci === true);
  const open = (row: FailureRow) => openFailing(row, cli);
  const keep = (table: string, row: string, [expected, observed]: [object, object], since: number): void =>
    keepResult('claude', {table, version, row, expected, observed, seconds: Math.round((Date.now() - since) / 1000)});

  test.each(rows)('$name', async (row) => {
    const since = Date.now();
    await using ground = await open(row);
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    const {code} = await ended(terminal);
    const observed = await observe(ground, code);
    const expected = 'new' in row.expected ? row.expected[version === '2.1.326' ? 'new' : 'old'] : row.expected;
    keep('failures', row.name, [expected, observed], since);
    expect(observed).toEqual({...expected, leftovers: []});
    expect(terminal.modes()).toMatchObject(clean);
    expect(ground.model.bugs).toEqual([]);
  });

  const piped = rows.flatMap((row) => (row.pipes === undefined ? [] : [{...row, wanted: row.pipes}]));
  test.each(piped.filter(() => isFull))('$name, -p', async (row) => {
    const since = Date.now();
    await using ground = await open(row);
    const {code} = await ground.pipe(ground.under(ground.headless(goal), '--until-done')).exit;
    const observed = await observe(ground, code ?? undefined);
    keep('failures -p', row.name, [row.wanted, observed], since);
    expect(observed).toEqual({...row.wanted, leftovers: []});
  });

  test.each(silentRows.filter((_, at) => isFull || at === 0))('$name: no death yet', async ({name, reply}) => {
    const since = Date.now();
    await using ground = await openFailing({name, reply, fails: 'always', expected: nothing}, cli);
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(() => ground.model.main().length === 3);
    await new Promise((later) => setTimeout(later, 4000));
    const {code} = await ground.quit(terminal);
    const observed = await observe(ground, code);
    keep('failures', name, [nothing, observed], since);
    expect(observed).toEqual({...nothing, leftovers: []});
    expect(terminal.modes()).toMatchObject(clean);
  });
});

const nothing: Expected = {signals: [], deaths: [], legs: 1, code: 0, job: 'unfinished'};

/** Two steps go well, then the API fails. */
const openFailing = async ({reply, fails, account}: FailureRow, cli: Cli): Promise<Supervised> => {
  const worker = amnesiac();
  let isSeen = (): boolean => false;
  const failing: Scenario = {
    ...worker,
    main: (request) => {
      const isDue = fails === 'once' ? request.main === 3 : request.main >= 3 && (fails === 'always' || !isSeen());
      if (!isDue) return worker.main(request);
      return typeof reply === 'function' ? reply(request.at) : reply;
    },
  };
  const ground = await openSupervised({cli, scenario: failing, config: quick, ...(account ? {account} : {})});
  let seen = false;
  const look = setInterval(async () => {
    seen ||= (await ground.journal()).some(isProved);
  }, 100);
  isSeen = () => seen;
  return {
    ...ground,
    [Symbol.asyncDispose]: async () => {
      clearInterval(look);
      await ground[Symbol.asyncDispose]();
    },
  };
};

const isProved = ({event, proof}: Record<string, unknown>): boolean =>
  proof === true && failureSignals.includes(String(event));

const observe = async (ground: Supervised, code: number | undefined): Promise<object> => {
  const journal = await ground.journal();
  const proved = journal.filter(isProved);
  return {
    signals: [...new Set(proved.map(({event}) => event))],
    deaths: (await ground.certificates()).map(({cause}) => cause),
    legs: journal.filter(({event}) => event === 'leg-spawned').length,
    code,
    ...verdictOf(ground),
    leftovers: (await ground.processes()).map(({command}) => command.slice(0, 60)),
  };
};

const verdictOf = (ground: Supervised): object => {
  const verdict = judge(ground.path(job.file), job.steps);
  const {missing: _, ...faults} = verdict;
  if (JSON.stringify(verdict) === JSON.stringify(flawless)) return {job: 'exact'};
  const isCut = Object.values(faults).every(({length}) => length === 0);
  return isCut ? {job: 'unfinished'} : {job: 'wrong', ...verdict};
};
