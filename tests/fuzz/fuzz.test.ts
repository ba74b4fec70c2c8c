// Whatever others have written, broken by seed: no reader of ours throws, hangs or grows. CKPT_LONG=1 plays a million
// cases with a seed of their own, CKPT_SEED=<seed> plays one run again.

import {afterAll, describe, expect, test} from 'vitest';
import {openScreen} from '../../src/detect/screen.ts';
import {readRecording, recordingsOf} from '../detect/recording.ts';
import {newDice} from '../soak/dice.ts';
import {keepFigures, longSeed} from '../support/keep-figures.ts';
import {mutated} from './mutate.ts';
import {targets} from './targets.ts';

const isLong = process.env.CKPT_LONG === '1';
const ALL = isLong ? 1_000_000 : 5000;
const SLOWEST_MS = 5000;
const MOST_MB = 700;
const seed = longSeed();
const all = targets();
const shares = all.reduce((sum, {share}) => sum + share, 0);
const slowest = new Map<string, number>();
let cases = 0;
let throws = 0;

afterAll(() => {
  const worstMs = Math.round(Math.max(...slowest.values()));
  const targetCount = all.length + 1;
  if (isLong)
    keepFigures('fuzz', 'readers', {cases, throws, targets: targetCount, worstMs, rssMb: Math.round(rssMb()), seed});
});

const rssMb = (): number => process.memoryUsage().rss / 1e6;

describe(`seed ${seed}`, () => {
  test.each(all)('$name', {timeout: 3_600_000}, ({name, share, play}) => {
    const times = Math.ceil((ALL * share) / shares);
    for (let n = 0; n < times; n += 1) {
      const since = performance.now();
      try {
        play(newDice(seed + n));
      } catch (error) {
        throws += 1;
        throw new Error(`case ${n} of seed ${seed}`, {cause: error});
      }
      const ms = performance.now() - since;
      slowest.set(name, Math.max(slowest.get(name) ?? 0, ms));
      // Not through expect() each time: of a million cases that is most of the work.
      if (ms >= SLOWEST_MS) throw new Error(`case ${n} of seed ${seed} took ${Math.round(ms)} ms`);
    }
    cases += times;
    expect(rssMb()).toBeLessThan(MOST_MB);
  });

  test('the screen', {timeout: 3_600_000}, async () => {
    const pieces = ['claude', 'codex'].flatMap((agent) =>
      recordingsOf(agent).map((name) => Buffer.from(readRecording(agent, name).bytes).toString('latin1')),
    );
    const times = isLong ? 60_000 : 300;
    const screen = openScreen({cols: 100, rows: 30});
    for (let n = 0; n < times; n += 1) {
      const dice = newDice(seed + n);
      const text = dice.pick(pieces);
      const from = dice.between(0, text.length);
      screen.feed(Buffer.from(mutated(dice, text.slice(from, from + 2000), dice.pick(pieces)), 'latin1'));
      if (dice.oneIn(20)) screen.resize(dice.between(0, 300), dice.between(0, 100));
      const view = await screen.look().catch((error: unknown) => {
        throws += 1;
        throw new Error(`case ${n} of seed ${seed}`, {cause: error});
      });
      expect(typeof view.screen, `case ${n} of seed ${seed}`).toBe('string');
    }
    screen.close();
    cases += times;
    expect(rssMb()).toBeLessThan(MOST_MB);
  });
});
