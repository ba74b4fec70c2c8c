// The supervisor is struck at one change of the disk after the other: it dies before it, or finds the disk full from there
// on. One command goes on, and every step is done once. CKPT_LONG=1 goes through all of them, through a terminal too.

import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {openPlace, type Place} from '../support/run-practice.ts';

const long = process.env.CKPT_LONG === '1';
const STEPS = 8;
/** A run of this relay changes the disk some 160 times; the last ones come when all is done. */
const CHANGES = 170;
const every = long ? 1 : 14;
const points = Array.from({length: Math.ceil(CHANGES / every)}, (_, at) => 1 + at * every);
const ways = long ? (['terminal', 'pipes'] as const) : (['pipes'] as const);
/** As a spell that ends by itself. */
const FULL_FOR = 25;

const faults = fileURLToPath(new URL('../soak/faults.mjs', import.meta.url));
const strikes = points.flatMap((at) => [
  {name: `dies before its change ${at}`, crash: {dieAt: at}},
  {name: `finds the disk full from its change ${at}`, crash: {fullFrom: at, fullTo: at + FULL_FOR}},
]);

test.each(ways.flatMap((way) => strikes.map((strike) => ({way, ...strike}))))(
  '$way: ckpt-run $name',
  async ({way, crash}) => {
    await using place = openPlace();
    const script = place.script([{job: {steps: STEPS, stepMs: 0, compactAfter: 5, crashIn: 3, limitAfter: null}}]);
    const headless = way === 'pipes' ? ['-p'] : [];
    const first = ['--until-done', 'practice', ...headless, '--script', script, 'Run the relay.'];
    const struck = {NODE_OPTIONS: `--import=${faults}`, SOAK_CRASH: JSON.stringify(crash)};
    let code = await lived(place, {way, words: first, env: struck});
    for (let lives = 1; code !== 0 && lives < 4; lives += 1) {
      code = await lived(place, {way, words: ['--continue-run']});
      // Nobody has noted that there was a run: so nobody may have done anything either.
      if (code === 66 && place.file('relay.txt') === '') code = await lived(place, {way, words: first});
      else if (code === 66 && isWhole(place)) code = 0;
    }
    expect({code, steps: stepsOf(place)}).toEqual({code: 0, steps: Array.from({length: STEPS}, (_, at) => at + 1)});
    expect(place.json(/certificate\.json$/).length).toBeLessThan(6);
  },
);

interface Life {
  way: 'terminal' | 'pipes';
  words: string[];
  env?: Record<string, string>;
}

const lived = async (place: Place, {way, words, env = {}}: Life): Promise<number | null | undefined> => {
  if (way === 'pipes') return (await place.pipes(words, {env, outlived: true})).code;
  return (await place.terminal(words, {env}).exit).code;
};

const stepsOf = (place: Place): number[] =>
  place
    .file('relay.txt')
    .split('\n')
    .slice(0, -1)
    .map((line) => Number(/^step (\d+):/.exec(line)?.[1]));

/** It was struck when all was done and written down. */
const isWhole = (place: Place): boolean => stepsOf(place).length === STEPS;
