// One run, a hundred handoffs: compactions, kills and API failures in turn. Each leg does two steps and dies; every step
// of the job must be there once, in order. Only in a full walk: it takes many minutes.

import {expect, test} from 'vitest';
import {textAt} from '../../adapters/shared/json.ts';
import {claudeNew} from './clis.ts';
import {isFull, keepResult} from './full-results.ts';
import {compactsAt} from './homes.ts';
import {amnesiac} from './model/amnesiac.ts';
import {claudeOnly, failuresOf} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Reply, Scenario} from './model/reply.ts';
import type {ModelRequest} from './model/request.ts';
import {ended, openSupervised} from './supervised.ts';

const HANDOFFS = 100;
const job = {steps: 3 * HANDOFFS, file: 'job.txt'};
const ways = ['compaction', 'SIGKILL', 'full context', 'overload, then SIGTERM', 'prompt too long', 'SIGSEGV'] as const;
const MINUTES = 40;

/** Dies of the next way in each conversation, when two steps of it are in its context. */
const mortal = (kill: (signal: NodeJS.Signals) => void): Scenario => {
  const worker = amnesiac();
  const legs: string[] = [];
  const overloads = new Map<string, number>();
  const die = (request: ModelRequest, leg: string): Reply => {
    const way = ways[legs.indexOf(leg) % ways.length] ?? 'compaction';
    switch (way) {
      case 'compaction':
        // The step is done, and the answer to it fills the context.
        return {...worker.main(request), tokens: compactsAt + 3000} as Reply;
      case 'full context':
        return claudeOnly.contextFull;
      case 'prompt too long':
        return failuresOf('claude').promptTooLong;
      case 'overload, then SIGTERM': {
        const times = (overloads.get(leg) ?? 0) + 1;
        overloads.set(leg, times);
        if (times <= 3) return failuresOf('claude').overloaded;
        kill('SIGTERM');
        return {is: 'hang', where: 'mid-stream'};
      }
      default:
        kill(way);
        return {is: 'hang', where: 'mid-stream'};
    }
  };
  return {
    ...worker,
    main: (request) => {
      const leg = textAt(request.body, 'metadata', 'user_id') ?? '';
      if (!legs.includes(leg)) legs.push(leg);
      const calls = request.turns.filter((turn) => turn.is === 'call' && turn.command.startsWith('printf')).length;
      return calls >= 2 && legs.length <= HANDOFFS ? die(request, leg) : worker.main(request);
    },
  };
};

test.runIf(isFull)(
  `${HANDOFFS} handoffs in one run: the job is exact`,
  async () => {
    const since = Date.now();
    let kill: (signal: NodeJS.Signals) => void = () => {};
    await using ground = await openSupervised({
      ...{cli: claudeNew(), scenario: mortal((signal) => kill(signal))},
      config: 'policy: {backoff: {firstSeconds: 0.05}, overload: {firstSeconds: 0.5, maxMinutes: 0.02}}',
    });
    kill = async (signal) => {
      for (const {pid} of await ground.agents()) process.kill(pid, signal);
    };
    const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
    const end = await ended(terminal, (MINUTES - 1) * 60_000);
    const certificates = await ground.certificates();
    const causes: Record<string, number> = {};
    for (const {cause} of certificates) causes[cause] = (causes[cause] ?? 0) + 1;
    const observed = {
      ...{code: end.code, handoffs: certificates.length, verdict: judge(ground.path(job.file), job.steps)},
      withoutProgress: certificates.filter(({progress}) => !progress).length,
    };
    const expected = {code: 0, handoffs: HANDOFFS, verdict: flawless, withoutProgress: 0};
    const seconds = Math.round((Date.now() - since) / 1000);
    keepResult('claude', {
      ...{table: 'handoffs', version: '2.1.326', row: `${HANDOFFS} in one run`, expected},
      ...{observed: {...observed, causes}, seconds},
    });
    expect(observed).toEqual(expected);
    expect(await ground.processes()).toEqual([]);
  },
  MINUTES * 60_000,
);
