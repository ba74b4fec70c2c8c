// Deaths of every kind, mixed by seed, in lanes side by side. `npm run soak [-- --deaths 10000 --seed S --lanes N]`; a lane
// that went wrong names the seed that plays it again: `npm run soak -- --lane SEED`.

import {newDice} from './dice.ts';
import type {LaneVerdict} from './judge.ts';
import {runLane} from './lane.ts';
import {readLies} from './lane-folder.ts';

export interface SoakOptions {
  repo: string;
  seed: number;
  deaths: number;
  /** So many at once. */
  lanes: number;
  perLane: number;
  keep?: boolean;
  onLane?: (verdict: LaneVerdict, soFar: number) => void;
}

export interface SoakResult {
  seed: number;
  deaths: number;
  causes: Record<string, number>;
  /** Lives of supervisors: each but the first of a lane began after a SIGKILL, or after a disk that was full. */
  lives: number;
  lanes: number;
  seconds: number;
  /** The largest growth of one supervisor, from its second quarter to its last. */
  mostGrowthMb: number;
  wrong: string[];
}

export const soak = async (options: SoakOptions): Promise<SoakResult> => {
  const {repo, seed, deaths, lanes, perLane, onLane} = options;
  const lies = readLies(repo);
  const dice = newDice(seed);
  const since = performance.now();
  const verdicts: LaneVerdict[] = [];
  const soFar = (): number => verdicts.reduce((sum, one) => sum + one.deaths, 0);
  let planned = 0;
  const work = async (): Promise<void> => {
    while (soFar() + planned < deaths) {
      planned += perLane;
      const verdict = await runLane({
        ...{repo, seed: dice.between(1, 2 ** 31), deaths: perLane, lies},
        keep: options.keep ?? false,
      });
      planned -= perLane;
      verdicts.push(verdict);
      onLane?.(verdict, soFar());
    }
  };
  await Promise.all(Array.from({length: lanes}, work));
  const causes: Record<string, number> = {};
  for (const verdict of verdicts) {
    for (const [cause, count] of Object.entries(verdict.causes)) causes[cause] = (causes[cause] ?? 0) + count;
  }
  return {
    ...{seed, deaths: soFar(), causes, lanes: verdicts.length},
    lives: verdicts.reduce((sum, {lives}) => sum + lives, 0),
    seconds: Math.round((performance.now() - since) / 1000),
    mostGrowthMb: Math.max(0, ...verdicts.map(({rss}) => (rss === undefined ? 0 : rss.late - rss.early))),
    wrong: verdicts.flatMap((verdict) => verdict.wrong.map((what) => `lane ${verdict.seed} (${perLane}): ${what}`)),
  };
};
