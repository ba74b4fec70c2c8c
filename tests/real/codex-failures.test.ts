// Every failure of the API, with the real Codex under ckpt-run: signal, death or none, action, terminal, leftovers.

import {describe, expect, test} from 'vitest';
import {type FailureRow, failureRows, silentRows} from './codex-failure-rows.ts';
import {cleanTerminal, isProved, jobWord, keepRow, leftovers, openCodex} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {goalOf} from './model/job.ts';
import type {Scenario} from './model/reply.ts';
import {ended, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);
const rows = failureRows.filter(({ci}) => isFull || ci);

describe('Codex 0.169.0 in its terminal', () => {
  test.each(rows)('$name', async (row) => {
    const since = Date.now();
    await using ground = await openFailing(row);
    const terminal = ground.start(ground.under(ground.tui(goal, ...(row.flags ?? [])), '--until-done'));
    const {code} = await ended(terminal, 150_000);
    const observed = await observe(ground, code);
    keepRow('failures', row.name, [row.tui, observed], since);
    expect(observed).toEqual({...row.tui, leftovers: []});
    expect(terminal.modes()).toMatchObject(cleanTerminal);
    expect(ground.model.bugs).toEqual([]);
  });

  test.each(silentRows.filter(({ci}) => isFull || ci))('$name: seen at most, no death', async (row) => {
    const since = Date.now();
    const worker = amnesiac();
    const {reply} = row;
    await using ground = await openCodex({
      scenario: {...worker, main: (request) => (reply === 'refused' ? worker.main(request) : reply)},
    });
    // Port 1 of the loopback address: nobody listens there.
    const refused = ['-c', 'model_providers.ground.base_url="http://127.0.0.1:1/v1"'];
    const argv = ground.tui(goal, ...(reply === 'refused' ? refused : []));
    const terminal = ground.start(ground.under(argv));
    await terminal.waitFor(row.shows, 60_000);
    const alerted = async () => (await ground.journal()).filter(({event, proof}) => event === 'overload' && !proof);
    if (row.alerts.length > 0) await until('the alert', async () => (await alerted()).length > 0);
    const alerts = [...new Set((await alerted()).map(({event}) => event))];
    const {code} = await ground.quit(terminal);
    const observed = {...(await observe(ground, code)), alerts};
    const expected = {signals: [], deaths: [], legs: 1, code: 0, job: 'unfinished', alerts: row.alerts};
    keepRow('failures', row.name, [expected, observed], since);
    expect(observed).toEqual({...expected, leftovers: []});
    expect(terminal.modes()).toMatchObject(cleanTerminal);
  });
});

// Left to itself Codex would try for ever and log nothing: with nobody there it is bounded, so that the run can wait.
test.each(isFull ? (['terminal', 'pipes'] as const) : [])(
  'the network is gone for a while, nobody there, %s: an overload by proof, waited out',
  async (where) => {
    const since = Date.now();
    const worker = amnesiac();
    let refuse = (): void => {};
    await using ground = await openCodex({
      scenario: {
        ...worker,
        main: (request) => {
          if (request.main === 3) refuse();
          return worker.main(request);
        },
      },
    });
    refuse = () => {
      refuse = () => {};
      // The answer to this request is cut off, and those after it find nobody.
      setImmediate(() => void ground.model.refuse());
    };
    const isTerminal = where === 'terminal';
    const argv = isTerminal ? ground.tui(goal) : ground.headless(goal);
    const words = ground.under(argv, '--until-done');
    const program = isTerminal ? ground.start(words) : ground.pipe(words);
    const overloads = async () => (await ground.journal()).filter((entry) => isProved(entry)).length;
    await until('two failures in a row', async () => (await overloads()) >= 2, 90_000);
    await ground.model.accept();
    const {code} = 'screen' in program ? await ended(program) : await program.exit;
    const observed = await observe(ground, code ?? undefined);
    const legs = (await ground.certificates()).length + 1;
    const deaths = Array.from({length: legs - 1}, () => 'overload');
    const expected = {signals: ['overload'], deaths: isTerminal ? [] : deaths, legs, code: 0, job: 'exact'};
    keepRow(isTerminal ? 'failures' : 'failures, exec', 'the network is gone for a while', [expected, observed], since);
    expect(observed).toEqual({...expected, leftovers: []});
  },
);

describe('codex exec 0.169.0 through pipes', () => {
  test.each(rows)('$name', async (row) => {
    const since = Date.now();
    await using ground = await openFailing(row);
    const argv = ground.headless(goal, ...(row.flags ?? []));
    const {code} = await ground.pipe(ground.under(argv, '--until-done')).exit;
    const observed = await observe(ground, code ?? undefined);
    keepRow('failures, exec', row.name, [row.exec, observed], since);
    expect(observed).toEqual({...row.exec, leftovers: []});
  });

  test('a key that is not in the environment: the agent’s own words and code, not restarted', async () => {
    await using ground = await openCodex({scenario: amnesiac()});
    const env = Object.fromEntries(Object.entries(ground.env).filter(([name]) => name !== 'GROUND_KEY'));
    const {code, stderr} = await ground.pipe(ground.under(ground.headless(goal), '--until-done'), {env}).exit;
    expect({code, told: stderr.includes('Missing environment variable: `GROUND_KEY`')}).toEqual({code: 1, told: true});
    expect(await observe(ground, 1)).toMatchObject({deaths: [], legs: 1});
  });
});

/** Two steps go well, then the API fails. */
const openFailing = async ({reply, fails}: FailureRow): Promise<Supervised> => {
  const worker = amnesiac();
  let seen = false;
  const failing: Scenario = {
    ...worker,
    main: (request) => {
      const isDue = fails === 'once' ? request.main === 3 : request.main >= 3 && (fails === 'always' || !seen);
      if (!isDue) return worker.main(request);
      return typeof reply === 'function' ? reply(request.at) : reply;
    },
  };
  const ground = await openCodex({scenario: failing});
  const look = setInterval(async () => {
    seen ||= (await ground.journal()).some(isProved);
  }, 100);
  return {
    ...ground,
    [Symbol.asyncDispose]: async () => {
      clearInterval(look);
      await ground[Symbol.asyncDispose]();
    },
  };
};

const observe = async (ground: Supervised, code: number | undefined): Promise<object> => {
  const journal = await ground.journal();
  return {
    signals: [...new Set(journal.filter(isProved).map(({event}) => event))],
    deaths: (await ground.certificates()).map(({cause}) => cause),
    legs: journal.filter(({event}) => event === 'leg-spawned').length,
    code,
    job: jobWord(ground, job),
    leftovers: await leftovers(ground),
  };
};
