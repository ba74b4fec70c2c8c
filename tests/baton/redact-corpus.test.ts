// How good redaction is, measured: secrets made by others' rules, an independent scanner as the judge, and real source
// text that must come through untouched.

import {readdirSync, readFileSync, statSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {lintSource} from '@secretlint/core';
import {creator as recommended} from '@secretlint/secretlint-rule-preset-recommend';
import {describe, expect, test} from 'vitest';
import {redactor} from '../../src/baton/redact.ts';
import {type Planted, plantSecrets} from './secrets.ts';

const redact = redactor([]);
const seeds = [1, 2, 3, 4, 5];

const byKind = (planted: Planted[]): Map<string, Planted[]> => {
  const kinds = new Map<string, Planted[]>();
  for (const one of planted) kinds.set(one.kind, [...(kinds.get(one.kind) ?? []), one]);
  return kinds;
};

describe('secrets of the usual kinds', () => {
  const planted = seeds.flatMap(plantSecrets);

  test('99 of 100 are gone', () => {
    const seen = planted.filter(({text, secret}) => secret === '' || redact(text).includes(secret));
    const missed = [...byKind(seen)].map(([kind, all]) => `${kind}: ${all.length}, e.g. ${all[0]?.text}`);
    expect(planted.length).toBeGreaterThan(3000);
    expect(missed.length === 0 ? 1 : 1 - seen.length / planted.length, missed.join('\n')).toBeGreaterThanOrEqual(0.99);
  });

  test('no kind is missed as a rule', () => {
    const weak = [...byKind(planted)].filter(([, all]) => {
      const gone = all.filter(({text, secret}) => !redact(text).includes(secret)).length;
      return gone / all.length < 0.8;
    });
    expect(weak.map(([kind]) => kind)).toEqual([]);
  });

  test('what is redacted once stays as it is', () => {
    for (const {text} of planted) expect(redact(redact(text))).toBe(redact(text));
  });
});

/** The parts of a text that secretlint takes for secrets. */
const flagged = async (content: string): Promise<string[]> => {
  const {messages} = await lintSource({
    source: {filePath: '/project/a.txt', content, ext: '.txt', contentType: 'text'},
    options: {config: {rules: [{id: '@secretlint/secretlint-rule-preset-recommend', rule: recommended}]}},
  });
  return messages.map(({range}) => content.slice(range[0], range[1]));
};

describe('an independent scanner', () => {
  test('finds nothing any more that it found before', async () => {
    const texts = plantSecrets(77).map(({text}) => text);
    let found = 0;
    for (const text of texts) {
      for (const secret of await flagged(text)) {
        found += 1;
        expect(await flagged(redact(text)), secret).toEqual([]);
      }
    }
    // It must have something to say, or this proves nothing.
    expect(found).toBeGreaterThan(150);
  }, 120_000);
});

describe('real source text', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const files = (folder: string): string[] =>
    readdirSync(`${root}${folder}`, {recursive: true, encoding: 'utf8'})
      .filter((name) => /\.(?:[cm]?[jt]s|md|json|ya?ml)$/.test(name))
      .map((name) => `${root}${folder}/${name}`)
      .filter((path) => statSync(path).isFile() && statSync(path).size < 300_000)
      .sort();
  const packages = ['commander', 'execa', 'yaml', 'zod', 'vitest', 'fast-check', '@types/node'].map(
    (name) => `node_modules/${name}`,
  );

  test.each([
    ['our own', ['src', 'adapters', 'tests']],
    ['that of others', packages],
  ])(
    '%s: not one line in a hundred is touched',
    (_, folders) => {
      const all = folders.flatMap(files);
      const texts = all
        .filter((_path, at) => at % Math.ceil(all.length / 400) === 0)
        .map((path) => readFileSync(path, 'utf8'));
      const lines = texts.flatMap((text) => text.split('\n'));
      const touched = lines.filter((line) => redact(line) !== line);
      expect(lines.length).toBeGreaterThan(5000);
      expect(touched.length / lines.length, touched.slice(0, 10).join('\n')).toBeLessThanOrEqual(0.01);
    },
    120_000,
  );
});
