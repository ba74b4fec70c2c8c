// What a long mode has seen is kept in tests/bench/results/, so that a reader need not take our word for it.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const folder = fileURLToPath(new URL('../bench/results/', import.meta.url));

/** One name of one file; the others in it stay. */
export const keepFigures = (file: string, name: string, figures: object): void => {
  const path = `${folder}${file}.json`;
  mkdirSync(folder, {recursive: true});
  const all = {...readFigures(path), [name]: figures};
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify(sorted, undefined, 2)}\n`);
};

const readFigures = (path: string): object => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as object;
  } catch {
    return {};
  }
};

/** The same in CI every time; others in each long run, told in the names of the tests. CKPT_SEED plays one again. */
export const longSeed = (): number => {
  if (process.env.CKPT_SEED !== undefined) return Number(process.env.CKPT_SEED);
  return process.env.CKPT_LONG === '1' ? Date.now() % 2 ** 31 : 20_261_118;
};
