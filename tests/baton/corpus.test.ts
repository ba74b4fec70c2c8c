// The bars of the baton, over all recorded session logs. How they were recorded: tests/corpus.

import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {scoreBatons} from '../bench/baton.ts';

const corpus = fileURLToPath(new URL('../fixtures/corpus', import.meta.url));
const files = readdirSync(corpus, {recursive: true, encoding: 'utf8'})
  .map((name) => join(corpus, name))
  .filter((path) => statSync(path).isFile());
const score = scoreBatons(corpus);

describe('the corpus', () => {
  test('has at least 40 logs of three versions of two agents, within 2 MB', () => {
    expect(score.logs.length).toBeGreaterThanOrEqual(40);
    expect(new Set(score.logs.map(({log}) => log.split('/')[0]))).toEqual(
      new Set(['claude-2.1.197', 'claude-2.1.326', 'codex-0.169.0']),
    );
    expect(files.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(2_000_000);
  });

  test('tells nothing of the machine that recorded it', () => {
    for (const path of files) expect(readFileSync(path, 'utf8')).not.toMatch(/\/(?:tmp|root|work)\//);
  });
});

describe('batons made of it', () => {
  test('carry 95 of 100 structural facts, and invent none', () => {
    expect(score.invented).toEqual([]);
    expect(score.structural, score.missed.join('\n')).toBeGreaterThanOrEqual(0.95);
  });

  test('say what matters in the first prompt itself', () => {
    expect(score.inPrompt, score.missed.join('\n')).toBeGreaterThanOrEqual(0.95);
  });

  test('are prompts of at most 2,000 tokens', () => {
    expect(score.maxTokens).toBeLessThanOrEqual(2000);
  });
});
