// `npm run soak`: see soak.ts.

import {mkdirSync, writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import type {LaneVerdict} from './judge.ts';
import {runLane} from './lane.ts';
import {readLies} from './lane-folder.ts';
import {soak} from './soak.ts';

const {values} = parseArgs({
  options: {
    deaths: {type: 'string', default: '10000'},
    seed: {type: 'string'},
    lanes: {type: 'string', default: '8'},
    'per-lane': {type: 'string', default: '50'},
    /** Plays one lane again. */
    lane: {type: 'string'},
    /** Leaves the folder of a lane that went wrong. */
    keep: {type: 'boolean', default: false},
    /** Writes the result to tests/bench/results/soak.json. */
    save: {type: 'boolean', default: false},
  },
});
const repo = process.cwd();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const count = (text: string, name: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  process.stderr.write(`soak: --${name} must be a whole number, 1 or more\n`);
  process.exit(64);
};
const tell = ({seed, through, kind, deaths, lives, causes, rss, wrong}: LaneVerdict, soFar: number): void => {
  say(
    `lane ${seed} ${through} ${kind}: ${deaths} deaths in ${lives} lives ${JSON.stringify(causes)} ${rss?.series.join(' ') ?? ''} MB · ${soFar} so far`,
  );
  for (const what of wrong) say(`  WRONG: ${what}`);
};

const perLane = count(values['per-lane'], 'per-lane');
if (values.lane !== undefined) {
  const seed = count(values.lane, 'lane');
  const verdict = await runLane({repo, seed, deaths: perLane, lies: readLies(repo), keep: values.keep});
  tell(verdict, verdict.deaths);
  process.exitCode = verdict.wrong.length === 0 ? 0 : 1;
} else {
  const seed = values.seed === undefined ? (Date.now() % 2 ** 31) + 1 : count(values.seed, 'seed');
  const deaths = count(values.deaths, 'deaths');
  const lanes = count(values.lanes, 'lanes');
  say(`soak: ${deaths} deaths, seed ${seed}, ${lanes} lanes at once of ${perLane} deaths each`);
  const result = await soak({repo, seed, deaths, lanes, perLane, keep: values.keep, onLane: tell});
  const machine = {cores: cpus().length, cpu: cpus()[0]?.model ?? '', node: process.version};
  const text = `${JSON.stringify({...result, perLane, machine}, undefined, 2)}\n`;
  say(text);
  if (values.save) {
    const folder = join(repo, 'tests/bench/results');
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'soak.json'), text);
  }
  for (const what of result.wrong)
    say(`${what}\n  play it again: npm run soak -- --per-lane ${perLane} --lane ${/^lane (\d+)/.exec(what)?.[1]}`);
  process.exitCode = result.wrong.length === 0 ? 0 : 1;
}
