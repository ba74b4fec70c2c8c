// Hangs that Claude Code itself would sit out for minutes, or for ever: in the stream, and in a tool. The bounds of the
// config end them, and a fresh leg goes on. So with a process that is frozen where nobody can say fg. (Before the
// headers: hang.test.ts.) Only in a full walk.

import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {isFull, keepResult} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {hangs} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {type Scenario, withFaults} from './model/reply.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import {stateOf} from './terminal-modes.ts';
import {until} from './until.ts';

const job = {steps: 4, file: 'job.txt'};
const config = 'policy: {backoff: {firstSeconds: 0.1}, hang: {thinkingMinutes: 0.2, toolMinutes: 0.2}}';
const stuck = (reply: (typeof hangs)[keyof typeof hangs]): Scenario =>
  withFaults(amnesiac(), [{from: 3, times: 1, reply}]);

const rows: [string, () => Scenario, string][] = [
  ['hang after headers', () => stuck(hangs.afterHeaders), 'turn open'],
  ['hang mid-stream', () => stuck(hangs.midStream), 'turn open'],
  ['a tool that hangs', () => amnesiac({slow: {step: 3, seconds: 600, write: 'last'}}), 'Bash open'],
];

describe.runIf(isFull).each([
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
] as [string, Cli][])('Claude Code %s', (version, cli) => {
  const keep = (table: string, row: string, [expected, observed]: [object, object], since: number): void =>
    keepResult('claude', {table, version, row, expected, observed, seconds: Math.round((Date.now() - since) / 1000)});

  test.each(rows)('%s: ended at the bound, the job exact', async (row, scenario, where) => {
    const since = Date.now();
    await using ground = await openSupervised({cli, scenario: scenario(), config});
    const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
    const {code} = await ended(terminal, 170_000);
    const observed = {...(await observe(ground, code, where)), terminal: stateOf(terminal)};
    const expected = {...handedOn, terminal: 'as before'};
    keep('hangs', row, [expected, observed], since);
    expect(observed).toEqual(expected);
  });

  test.each(rows)('%s, -p: ended at the bound, the job exact', async (row, scenario, where) => {
    const since = Date.now();
    await using ground = await openSupervised({cli, scenario: scenario(), config});
    const {code} = await ground.pipe(ground.under(ground.headless(goalOf(job)), '--until-done')).exit;
    const observed = await observe(ground, code ?? undefined, where);
    keep('hangs -p', row, [handedOn, observed], since);
    expect(observed).toEqual(handedOn);
  });

  test('frozen by SIGSTOP, -p: ended at the bound, the job exact', async () => {
    const since = Date.now();
    await using ground = await openSupervised({cli, scenario: amnesiac({delayMs: 700}), config});
    const program = ground.pipe(ground.under(ground.headless(goalOf(job)), '--until-done'));
    await until('the third request', () => ground.model.main().length >= 3);
    process.kill(await ground.agentPid(1), 'SIGSTOP');
    const {code} = await program.exit;
    const observed = await observe(ground, code ?? undefined, 'open');
    keep('hangs -p', 'frozen by SIGSTOP', [handedOn, observed], since);
    expect(observed).toEqual(handedOn);
  });
});

const handedOn = {code: 0, deaths: ['hang'], evidence: true, exact: true, leftovers: []};

const observe = async (ground: Supervised, code: number | undefined, where: string): Promise<object> => {
  const deaths = await ground.certificates();
  return {
    code,
    deaths: deaths.map(({cause}) => cause),
    evidence: deaths.every(({evidence}) => evidence[0]?.detail.includes(where)),
    exact: JSON.stringify(judge(ground.path(job.file), job.steps)) === JSON.stringify(flawless),
    leftovers: (await ground.processes()).map(({command}) => command.slice(0, 60)),
  };
};
