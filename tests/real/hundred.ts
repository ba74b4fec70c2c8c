// One run, a hundred handoffs: compactions, kills and API failures in turn. Each leg does two steps and dies; every step
// of the job must be there once, in order.

import type {Cli} from './clis.ts';
import {keepResult} from './full-results.ts';
import {compactsAt} from './homes.ts';
import {amnesiac} from './model/amnesiac.ts';
import {failuresOf} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import type {Failure, Reply, Scenario} from './model/reply.ts';
import type {ModelRequest} from './model/request.ts';
import {ended, openSupervised} from './supervised.ts';

export interface Hundred {
  cli: Cli;
  /** The conversation that a request belongs to: one per leg. */
  conversation(request: ModelRequest): string;
  contextFull: Failure;
  /** A signal that it dies of at once; Codex survives its first SIGSEGV. */
  crash: NodeJS.Signals;
  minutes: number;
}

const HANDOFFS = 100;
const job = {steps: 3 * HANDOFFS, file: 'job.txt'};
const ways = ['compaction', 'SIGKILL', 'full context', 'overload, then SIGTERM', 'prompt too long', 'crash'] as const;
const config = 'policy: {backoff: {firstSeconds: 0.05}, overload: {firstSeconds: 0.5, maxMinutes: 0.02}}';

export interface HundredSeen {
  observed: object;
  expected: object;
  /** Processes that are still there. */
  left: string[];
}

export const walkHundred = async (plan: Hundred): Promise<HundredSeen> => {
  const since = Date.now();
  let kill: (signal: NodeJS.Signals) => void = () => {};
  await using ground = await openSupervised({cli: plan.cli, scenario: mortal(plan, (signal) => kill(signal)), config});
  kill = async (signal) => {
    for (const {pid} of await ground.agents()) process.kill(pid, signal);
  };
  const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
  const end = await ended(terminal, plan.minutes * 60_000);
  const certificates = await ground.certificates();
  const uptakes = (await ground.journal()).filter(({event}) => event === 'uptake-seen');
  const causes: Record<string, number> = {};
  for (const {cause} of certificates) causes[cause] = (causes[cause] ?? 0) + 1;
  const observed = {
    ...{code: end.code, handoffs: certificates.length, verdict: judge(ground.path(job.file), job.steps)},
    uptakes: new Set(uptakes.map(({leg}) => leg)).size,
    withoutProgress: certificates.filter(({progress}) => !progress).length,
  };
  const expected = {code: 0, handoffs: HANDOFFS, verdict: flawless, uptakes: HANDOFFS, withoutProgress: 0};
  keepResult(plan.cli.word, {
    ...{table: 'handoffs', version: plan.cli.version, row: `${HANDOFFS} in one run`, expected},
    ...{observed: {...observed, causes}, seconds: Math.round((Date.now() - since) / 1000)},
  });
  return {observed, expected, left: (await ground.processes()).map(({command}) => command)};
};

/** Dies of the next way in each conversation, when two steps of it are in its context. */
const mortal = ({cli, conversation, contextFull, crash}: Hundred, kill: (signal: NodeJS.Signals) => void): Scenario => {
  const worker = amnesiac();
  const failures = failuresOf(cli.word);
  const legs: string[] = [];
  const overloads = new Map<string, number>();
  const killed = (signal: NodeJS.Signals): Reply => {
    kill(signal);
    return {is: 'hang', where: 'mid-stream'};
  };
  const die = (request: ModelRequest, leg: string): Reply => {
    const way = ways[legs.indexOf(leg) % ways.length] ?? 'compaction';
    switch (way) {
      case 'compaction':
        // The step is done, and the answer to it fills the context.
        return {...worker.main(request), tokens: compactsAt + 3000} as Reply;
      case 'full context':
        return contextFull;
      case 'prompt too long':
        return failures.promptTooLong;
      case 'overload, then SIGTERM': {
        const times = (overloads.get(leg) ?? 0) + 1;
        overloads.set(leg, times);
        return times <= 3 ? failures.overloaded : killed('SIGTERM');
      }
      case 'crash':
        return killed(crash);
      default:
        return killed(way);
    }
  };
  return {
    ...worker,
    main: (request) => {
      const leg = conversation(request);
      if (!legs.includes(leg)) legs.push(leg);
      const calls = request.turns.filter((turn) => turn.is === 'call' && turn.command.startsWith('printf')).length;
      return calls >= 2 && legs.length <= HANDOFFS ? die(request, leg) : worker.main(request);
    },
  };
};
