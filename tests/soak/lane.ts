// One lane, from its seed to its verdict: lives of the supervisor, one after the other, until the relay is through.
//
//   driver ── pty or pipes ── ckpt-run (+ faults) ── pty or pipes ── practice agent ── relay.txt
//     └── strikes: kill either, fill the disk, set the clock, tear files between two lives

import {setTimeout as wait} from 'node:timers/promises';
import {endMarked} from '../real/leftovers.ts';
import {newDice} from './dice.ts';
import {judgeLane, type LaneVerdict, type RssSample} from './judge.ts';
import {type LaneFolder, openLaneFolder} from './lane-folder.ts';
import {type LanePlan, planLane, type Strike} from './lane-plan.ts';
import {carryOut, setFaults, tear} from './strikes.ts';
import {type Life, startLife} from './supervisor.ts';

export interface LaneOptions {
  repo: string;
  seed: number;
  deaths: number;
  lies: readonly string[];
  /** Called whenever steps were done. */
  onSteps?: (steps: number) => void;
  /** Leaves the folder where it is when something was wrong. */
  keep?: boolean;
}

export const runLane = async ({repo, seed, deaths, lies, onSteps, keep}: LaneOptions): Promise<LaneVerdict> => {
  const plan = planLane(seed, deaths, lies);
  const lane = openLaneFolder(repo, plan);
  let failed = true;
  try {
    const lived = await live({repo, lane, plan, onSteps});
    const verdict = await judgeLane(lane, plan, lived);
    failed = verdict.wrong.length > 0;
    return verdict;
  } finally {
    await endMarked(lane.mark);
    if (!(failed && keep)) lane.remove();
  }
};

export interface Lived {
  lives: number;
  /** Undefined: the last life ended well. */
  stuck: string | undefined;
  rss: RssSample[][];
}

interface Living {
  repo: string;
  lane: LaneFolder;
  plan: LanePlan;
  onSteps: ((steps: number) => void) | undefined;
}

/** No step for so long, with waits as short as they are: it is stuck. */
const STUCK_MS = 150_000;
const STEADY_HEAP_MB = 40;

const live = async ({repo, lane, plan, onSteps}: Living): Promise<Lived> => {
  const dice = newDice(plan.seed ^ 0x5eed);
  const strikes = [...plan.strikes];
  const rss: RssSample[][] = [];
  const most = strikes.length + 10;
  // The collector lets a large heap wander; in a small one whatever leaks from leg to leg ends the supervisor.
  const heapMb = plan.kind === 'steady' ? STEADY_HEAP_MB : undefined;
  for (let lives = 1; ; lives += 1) {
    const headless = plan.through === 'pipes' ? ['-p'] : [];
    const first = ['--until-done', 'soak', ...headless, '--script', lane.script, 'Run the relay.'];
    const words = lives === 1 ? first : ['--continue-run'];
    const life = startLife(repo, lane, {words, through: plan.through, heapMb});
    const watched = await watchLife({lane, life, strikes, onSteps});
    rss.push(watched.rss);
    setFaults(lane, {});
    const {end} = watched;
    if (end !== 'stuck' && end.code === 0) return {lives, stuck: undefined, rss};
    // It was killed when all was done and written down: that there is nothing left to do is for the judge to say.
    const isOver = end !== 'stuck' && end.code === 66 && life.tail().includes('has ended: nothing is left to do');
    if (isOver) return {lives, stuck: undefined, rss};
    const mayGoOn = end !== 'stuck' && (end.code === 75 || end.signal === 9);
    if (!mayGoOn || lives > most) {
      return {lives, stuck: `life ${lives} ended with ${JSON.stringify(end)}:\n${life.tail()}`, rss};
    }
    tear(lane, watched.tear, dice);
  }
};

interface Watched {
  end: Awaited<Life['exit']> | 'stuck';
  tear: Extract<Strike, {do: 'kill-supervisor'}>['tear'];
  rss: RssSample[];
}

const LOOK_MS = 25;
const RSS_EVERY = 20;

const watchLife = async ({
  lane,
  life,
  strikes,
  onSteps,
}: {
  lane: LaneFolder;
  life: Life;
  strikes: Strike[];
  onSteps: ((steps: number) => void) | undefined;
}): Promise<Watched> => {
  const watched: Watched = {end: 'stuck', tear: [], rss: []};
  let over = false;
  let steps = 0;
  let movedAt = performance.now();
  const ended = life.exit.then((end) => {
    over = true;
    watched.end = end;
  });
  for (let look = 0; !over; look += 1) {
    const now = lane.relay().length;
    if (now !== steps) {
      movedAt = performance.now();
      onSteps?.(now - steps);
    }
    steps = now;
    if (look % RSS_EVERY === 0) watched.rss.push({steps, mb: life.rssMb()});
    if (performance.now() - movedAt > STUCK_MS) {
      life.kill();
      await ended;
      return {...watched, end: 'stuck'};
    }
    const next = strikes[0];
    if (next !== undefined && steps >= next.step) {
      strikes.shift();
      await Promise.race([wait(next.delayMs), ended]);
      if (next.do === 'kill-supervisor') watched.tear = next.tear;
      if (!over) await carryOut(lane, life, next);
    }
    await Promise.race([wait(LOOK_MS), ended]);
  }
  return watched;
};
