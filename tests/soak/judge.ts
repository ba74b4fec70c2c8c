// What a lane has left behind, against what was done to it. Nothing here asks the program itself how it went.

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import type {Hazard} from '../../src/practice/acts.ts';
import {marked} from '../real/leftovers.ts';
import type {Lived} from './lane.ts';
import {type LaneFolder, linesOf} from './lane-folder.ts';
import type {LanePlan} from './lane-plan.ts';
import type {StrikeEntry} from './strikes.ts';

export interface RssSample {
  steps: number;
  mb: number | undefined;
}

export interface LaneVerdict {
  seed: number;
  through: LanePlan['through'];
  kind: LanePlan['kind'];
  /** Legs that ended before the work did. */
  deaths: number;
  causes: Record<string, number>;
  lives: number;
  /** Of the longest life: median of its second quarter and of its last, in MB. */
  rss: {early: number; late: number; series: number[]} | undefined;
  /** Each with what was seen; empty: all is well. */
  wrong: string[];
}

export const judgeLane = async (lane: LaneFolder, plan: LanePlan, lived: Lived): Promise<LaneVerdict> => {
  const certificates = readCertificates(lane);
  const causes: Record<string, number> = {};
  for (const {cause} of certificates) causes[cause] = (causes[cause] ?? 0) + 1;
  const rss = rssOf(lived.rss);
  const wrong = [
    ...(lived.stuck === undefined ? [] : [`stuck: ${lived.stuck}`]),
    ...stepsWrong(lane.relay(), plan.steps),
    ...falseKills(lane, certificates),
    ...(await orphans(lane)),
    ...leaks(lane),
    ...(rss !== undefined && rss.late > MOST_MB ? [`memory: ${JSON.stringify(rss)}`] : []),
  ];
  const deaths = Math.max(0, legsOf(lane) - 1);
  return {seed: plan.seed, through: plan.through, kind: plan.kind, deaths, causes, lives: lived.lives, rss, wrong};
};

/** It goes up and down by 40 MB with the mood of the collector; what leaks goes beyond any bound. */
const MOST_MB = 180;

const stepsWrong = (lines: string[], steps: number): string[] => {
  const done = lines.map((line) => Number(/^step (\d+):/.exec(line)?.[1]));
  const doubled = done.filter((step, at) => done.indexOf(step) !== at);
  const lost = Array.from({length: steps}, (_, at) => at + 1).filter((step) => !done.includes(step));
  const inOrder = done.every((step, at) => at === 0 || step > (done[at - 1] ?? 0));
  return [
    ...(doubled.length > 0 ? [`doubled: ${doubled.join(', ')}`] : []),
    ...(lost.length > 0 ? [`lost: ${lost.length} (${lost.slice(0, 10).join(', ')})`] : []),
    ...(inOrder || doubled.length > 0 ? [] : [`out of order: ${done.join(' ')}`]),
  ];
};

interface Certificate {
  leg: number;
  cause: string;
  evidence: {channel: string; detail: string}[];
}

/** Every leg that was ended must have had a reason that we know of: something befell it, or we struck it. */
const falseKills = (lane: LaneFolder, certificates: Certificate[]): string[] => {
  const hazards = entries<Hazard & {leg: number}>(lane.hazardLog);
  const strikes = entries<StrikeEntry>(lane.strikeLog);
  return certificates.flatMap(({leg, cause, evidence}) => {
    const befell = hazards.filter((hazard) => hazard.leg === leg).some((hazard) => explains(hazard, cause));
    // Which leg a strike from outside met is known only roughly.
    const struck = strikes.some((strike) => Math.abs(strike.leg - leg) <= 1 && strikeExplains(strike, cause));
    return befell || struck ? [] : [`false kill: leg ${leg} as ${cause} (${evidence.map(({detail}) => detail)})`];
  });
};

const explains = (hazard: Hazard, cause: string): boolean => {
  if ('inside' in hazard) return cause === 'crashed' || cause === 'killed';
  const act = hazard.before;
  if ('crash' in act) return cause === 'crashed' || cause === 'killed';
  if ('compact' in act) return cause === 'compaction';
  if ('fail' in act) return cause === 'context-full';
  if ('limit' in act) return cause === 'limit';
  if ('overload' in act) return cause === 'overload';
  return 'hang' in act && cause === 'hang';
};

/** Where a death cannot be written down the run parks: then the leg is known to have died with its supervisor. */
const strikeExplains = (strike: StrikeEntry, cause: string): boolean =>
  strike.do !== 'set-clock' && (cause === 'killed' || cause === 'crashed');

const entries = <T>(path: string): T[] => linesOf(path).map((line) => JSON.parse(line) as T);

const readCertificates = ({store}: LaneFolder): Certificate[] =>
  namesBelow(store)
    .filter((name) => name.endsWith('certificate.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(store, name), 'utf8')) as Certificate);

const namesBelow = (folder: string): string[] => {
  try {
    return readdirSync(folder, {recursive: true, encoding: 'utf8'});
  } catch {
    return [];
  }
};

/** By the run's own record. More than one run would be wrong too. */
const legsOf = ({store}: LaneFolder): number => {
  const records = namesBelow(store).filter((name) => name.endsWith('run.json'));
  return records
    .map((name) => (JSON.parse(readFileSync(join(store, name), 'utf8')) as {leg: number}).leg)
    .reduce((sum, leg) => sum + leg, 0);
};

/** The lane starts nothing in the background, so nothing may be there; what is just ending gets a moment. */
const orphans = async (lane: LaneFolder): Promise<string[]> => {
  for (let look = 0; ; look += 1) {
    const left = await marked(lane.mark);
    if (left.length === 0) return [];
    if (look === 100) return left.map(({pid, command}) => `orphan: ${pid} ${command}`);
    await wait(100);
  }
};

const leaks = ({store, root, project}: LaneFolder): string[] => [
  ...namesBelow(store)
    .filter((name) => /\.tmp$|\.lock$/.test(name) && !/(?:^|\/)\.?latest\.lock$/i.test(name))
    .map((name) => `leaked: ${name}`),
  ...namesBelow(join(root, 'tmp')).map((name) => `leaked in the temp folder: ${name}`),
  ...readdirSync(project)
    .filter((name) => !['relay.txt', 'runtime', '.git'].includes(name))
    .map((name) => `leaked in the project: ${name}`),
];

const rssOf = (lives: RssSample[][]): LaneVerdict['rss'] => {
  const longest = lives.map((life) => life.flatMap(({mb}) => mb ?? [])).sort((a, b) => b.length - a.length)[0] ?? [];
  // Shorter ones tell of the start alone.
  if (longest.length < 100) return undefined;
  const quarter = Math.floor(longest.length / 4);
  const series = Array.from({length: 10}, (_, at) => Math.round(longest[Math.floor((at * longest.length) / 10)] ?? 0));
  return {early: median(longest.slice(quarter, 2 * quarter)), late: median(longest.slice(-quarter)), series};
};

const median = (of: number[]): number => {
  const sorted = [...of].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 10) / 10;
};
