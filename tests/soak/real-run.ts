// One run of a real CLI that dies again and again: killed, compacted, its context full, as the seed says. The model is the
// amnesiac worker of tests/real; every step of its job must be there once, in order.

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Cli} from '../real/clis.ts';
import {compactsAt} from '../real/homes.ts';
import {amnesiac} from '../real/model/amnesiac.ts';
import {failuresOf} from '../real/model/failures.ts';
import {flawless, goalOf, judge} from '../real/model/job.ts';
import type {Reply, Scenario} from '../real/model/reply.ts';
import type {ModelRequest} from '../real/model/request.ts';
import {ended, openSupervised} from '../real/supervised.ts';
import {type Dice, newDice} from './dice.ts';

export interface RealRun {
  cli: Cli;
  through: 'terminal' | 'pipes';
  seed: number;
  deaths: number;
}

export interface RealVerdict {
  deaths: number;
  causes: Record<string, number>;
  seconds: number;
  wrong: string[];
}

const CONFIG = `policy:
  maxLegs: 100000
  budget: {legs: 1000, minutes: 1}
  backoff: {firstSeconds: 0.05, maxMinutes: 1}
`;

const ways = ['SIGKILL', 'SIGSEGV', 'SIGTERM', 'compaction', 'context-full'] as const;
type Way = (typeof ways)[number];

/** Dies in each conversation when it has done one to three steps, until it has died often enough. */
const mortal = (
  cli: Cli,
  dice: Dice,
  {deaths, kill}: {deaths: number; kill(signal: NodeJS.Signals): void},
): Scenario => {
  const worker = amnesiac();
  let died = 0;
  let way: Way | undefined;
  let after = dice.between(1, 3);
  const die = (request: ModelRequest, how: Way): Reply => {
    if (how === 'compaction') return {...worker.main(request), tokens: compactsAt + 3000} as Reply;
    if (how === 'context-full') return failuresOf(cli.word).promptTooLong;
    kill(how);
    return {is: 'hang', where: 'mid-stream'};
  };
  return {
    ...worker,
    main: (request) => {
      const calls = request.turns.filter((turn) => turn.is === 'call' && turn.command.startsWith('printf')).length;
      if (calls === 0 && way !== undefined) {
        way = undefined;
        after = dice.between(1, 3);
      }
      if (way === undefined && calls >= after && died < deaths) {
        way = dice.pick(ways);
        died += 1;
      }
      return way === undefined ? worker.main(request) : die(request, way);
    },
  };
};

const LONGEST_MS = 60_000;

export const realRun = async ({cli, through, seed, deaths}: RealRun): Promise<RealVerdict> => {
  const since = performance.now();
  const job = {steps: 4 * deaths + 4, file: 'job.txt'};
  let kill: (signal: NodeJS.Signals) => void = () => undefined;
  const scenario = mortal(cli, newDice(seed), {deaths, kill: (signal) => kill(signal)});
  await using ground = await openSupervised({cli, scenario});
  const config = join(ground.home, '.config/ckpt-run');
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'config.yaml'), CONFIG);
  kill = (signal) =>
    void ground.agents().then((agents) => {
      for (const {pid} of agents) process.kill(pid, signal);
    });
  const argv = through === 'terminal' ? ground.tui(goalOf(job)) : ground.headless(goalOf(job));
  const words = ground.under(argv, '--until-done');
  const code =
    through === 'terminal'
      ? (await ended(ground.start(words), deaths * LONGEST_MS)).code
      : ((await ground.pipe(words).exit).code ?? undefined);
  const certificates = await ground.certificates();
  const causes: Record<string, number> = {};
  for (const {cause} of certificates) causes[cause] = (causes[cause] ?? 0) + 1;
  const verdict = judge(ground.path(job.file), job.steps);
  const left = await ground.processes();
  return {
    deaths: certificates.length,
    causes,
    seconds: Math.round((performance.now() - since) / 1000),
    wrong: [
      ...(code === 0 ? [] : [`it ended with ${code}`]),
      ...(JSON.stringify(verdict) === JSON.stringify(flawless) ? [] : [`the job: ${JSON.stringify(verdict)}`]),
      ...(certificates.length === deaths ? [] : [`${certificates.length} deaths were certified, ${deaths} happened`]),
      ...left.map(({command}) => `orphan: ${command}`),
    ],
  };
};
