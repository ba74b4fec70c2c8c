// Every failure of the API, with the real Claude Code under ckpt-run: signal, death or none, action, terminal, leftovers.

import {describe, expect, test} from 'vitest';
import {type Expected, type FailureRow, failureRows, silentRows} from './claude-failure-rows.ts';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {isFull, keepResult} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {cut, unifiedLimit} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Reply, Scenario} from './model/reply.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import {stateOf} from './terminal-modes.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);
/** The new one wakes by itself up to two minutes after a limit's reset. */
const LONG = 240_000;
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

  test.each(rows)(
    '$name',
    async (row) => {
      const since = Date.now();
      await using ground = await open(row);
      const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
      const {code} = await ended(terminal, LONG - 10_000);
      const observed = {...(await observe(ground, code)), terminal: stateOf(terminal)};
      const wanted = 'new' in row.expected ? row.expected[version === '2.1.326' ? 'new' : 'old'] : row.expected;
      const expected = {...wanted, leftovers: [], terminal: 'as before'};
      keep('failures', row.name, [expected, observed], since);
      expect(observed).toEqual(expected);
      expect(ground.model.bugs).toEqual([]);
    },
    LONG,
  );

  const piped = rows.flatMap((row) => (row.pipes === undefined ? [] : [{...row, wanted: row.pipes}]));
  test.each(piped.filter(() => isFull))('$name, -p', async (row) => {
    const since = Date.now();
    await using ground = await open(row);
    const {code} = await ground.pipe(ground.under(ground.headless(goal), '--until-done')).exit;
    const observed = await observe(ground, code ?? undefined);
    const expected = {...row.wanted, leftovers: []};
    keep('failures -p', row.name, [expected, observed], since);
    expect(observed).toEqual(expected);
  });

  // One row of each class: what the stream or the document says of the failure is the last leg's.
  const machine = ['json', 'stream-json'].flatMap((format) =>
    piped.filter(({ci}) => isFull && ci).map((row) => ({...row, format})),
  );
  test.each(machine)('$name, -p $format', async ({format, ...row}) => {
    const since = Date.now();
    await using ground = await open(row);
    const flags = ['--output-format', format, ...(format === 'json' ? [] : ['--verbose'])];
    const {code, stdout} = await ground.pipe(ground.under(ground.headless(goal, ...flags), '--until-done')).exit;
    const lines = stdout.trimEnd().split('\n');
    const {type, is_error} = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
    const observed = {...(await observe(ground, code ?? undefined)), type, is_error, isOne: lines.length === 1};
    const expected = {
      ...{...row.wanted, leftovers: [], type: 'result'},
      ...{is_error: row.wanted.code !== 0, isOne: format === 'json'},
    };
    keep(`failures -p ${format}`, row.name, [expected, observed], since);
    expect(observed).toEqual(expected);
  });

  test.each(silentRows.filter((_, at) => isFull || at === 0))('$name: no death yet', async ({name, reply}) => {
    const since = Date.now();
    await using ground = await openFailing({name, reply, fails: 'always', expected: nothing}, cli);
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(() => ground.model.main().length === 3);
    await new Promise((later) => setTimeout(later, 4000));
    const {code} = await ground.quit(terminal);
    const observed = {...(await observe(ground, code)), terminal: stateOf(terminal)};
    const expected = {...nothing, leftovers: [], terminal: 'as before'};
    keep('failures', name, [expected, observed], since);
    expect(observed).toEqual(expected);
  });
});

const nothing: Expected = {signals: [], deaths: [], legs: 1, code: 0, job: 'unfinished'};

/** Two steps go well, then the API fails. */
const openFailing = async ({reply, fails, account, from = 3}: FailureRow, cli: Cli): Promise<Supervised> => {
  const worker = amnesiac();
  let isSeen = (): boolean => false;
  let refuse = (): void => {};
  const failing: Scenario = {
    ...worker,
    main: (request) => {
      const isLater = request.main >= from && (fails === 'always' || !isSeen());
      if (!(fails === 'once' ? request.main === from : isLater)) return worker.main(request);
      if (reply === 'warned') return {...worker.main(request), headers: warning(request.at)} as Reply;
      if (reply === 'refused') {
        refuse();
        return cut;
      }
      return typeof reply === 'function' ? reply(request.at) : reply;
    },
  };
  const ground = await openSupervised({cli, scenario: failing, config: quick, ...(account ? {account} : {})});
  let seen = false;
  let refused = false;
  const look = setInterval(async () => {
    seen ||= (await ground.journal()).some(isProved);
    if (!seen || !refused) return;
    refused = false;
    await ground.model.accept();
  }, 100);
  isSeen = () => seen;
  refuse = () => {
    refused = true;
    // After the answer: it is the next connection that nobody takes.
    setImmediate(() => void ground.model.refuse());
  };
  return {
    ...ground,
    [Symbol.asyncDispose]: async () => {
      clearInterval(look);
      await ground[Symbol.asyncDispose]();
    },
  };
};

const warning = (at: number): Record<string, string> => unifiedLimit('allowed_warning', Math.round(at / 1000) + 3600);

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
