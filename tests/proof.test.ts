// The README's figures are those that were measured: its section and the plot are made of tests/bench/results. `UPDATE=1` writes them.

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {packageRoot} from '../src/io/setup/adapter-files.ts';
import {goals} from './bench/goals.ts';
import {plotOf} from './bench/plot.ts';
import {inReadme, proofSection, readFigures, sectionOf} from './bench/proof-section.ts';

const results = join(packageRoot(), 'tests/bench/results');
const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

test('README and JSON tell the same figures', () => {
  if (process.env.UPDATE) {
    const figures = readFigures(results);
    writeFileSync(join(packageRoot(), 'README.md'), inReadme(read('README.md'), proofSection(figures)));
    writeFileSync(join(results, 'bench.svg'), plotOf(figures));
  }
  expect(sectionOf(read('README.md'))).toBe(proofSection(readFigures(results)));
  expect(read('tests/bench/results/bench.svg')).toBe(plotOf(readFigures(results)));
});

test('a goal that is not reached stays in the table, with its figure and the reason', () => {
  const figures = {'bench-hooks': {ratio: 7.25, quick: false}};
  expect(goals(figures)).toMatchObject([{measured: '7.25×', goal: '≤ 6×', met: false, why: expect.any(String)}]);
  const section = proofSection(figures);
  expect(section).toContain('| a hook, to `sh -c true` | 7.25× | ≤ 6× | no |\n');
  expect(section).toContain('- a hook, to `sh -c true`: ');
  expect(inReadme('a\n<!-- proof -->\nold\n<!-- /proof -->\nb', section)).toBe(`a\n${section}\nb`);
});
