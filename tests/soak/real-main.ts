// `npm run soak:real [-- --tui 200 --headless 2065 --per-run 50 --seed S --only claude|codex] [--save]`: the pinned Claude
// Code and Codex, dying in their terminals and through -p / exec.

import {parseArgs} from 'node:util';
import {claudeNew, codex} from '../real/clis.ts';
import installClis from '../real/install.ts';
import {keepFigures} from '../support/keep-figures.ts';
import {newDice} from './dice.ts';
import {type RealVerdict, realRun} from './real-run.ts';

const {values} = parseArgs({
  options: {
    tui: {type: 'string', default: '200'},
    headless: {type: 'string', default: '2065'},
    'per-run': {type: 'string', default: '50'},
    seed: {type: 'string', default: String((Date.now() % 2 ** 31) + 1)},
    only: {type: 'string'},
    save: {type: 'boolean', default: false},
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const dice = newDice(Number(values.seed));
say(`soak:real: seed ${values.seed}`);
await installClis();
let failed = 0;
for (const [name, cli] of [
  ['claude', claudeNew],
  ['codex', codex],
] as const) {
  if (values.only !== undefined && values.only !== name) continue;
  for (const [through, wanted] of [
    ['terminal', Number(values.tui)],
    ['pipes', Number(values.headless)],
  ] as const) {
    const all: RealVerdict = {deaths: 0, causes: {}, seconds: 0, wrong: []};
    while (all.deaths < wanted) {
      const seed = dice.between(1, 2 ** 31);
      const deaths = Math.min(Number(values['per-run']), wanted - all.deaths);
      const run = await realRun({cli: cli(), through, seed, deaths});
      all.deaths += Math.max(run.deaths, 1);
      all.seconds += run.seconds;
      for (const [cause, count] of Object.entries(run.causes)) all.causes[cause] = (all.causes[cause] ?? 0) + count;
      all.wrong.push(...run.wrong.map((what) => `${name} ${through} seed ${seed}, ${deaths} deaths: ${what}`));
      say(`${name} ${through}: ${all.deaths} of ${wanted} deaths in ${all.seconds} s ${JSON.stringify(run)}`);
    }
    failed += all.wrong.length;
    if (values.save) keepFigures('soak-real', `${name}-${through}`, {...all, seed: Number(values.seed)});
  }
}
process.exitCode = failed === 0 ? 0 : 1;
