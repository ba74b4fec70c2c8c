// The logs of the false-kill corpus (tests/detect/harmless.ts) as files that grow in pieces of any size: whatever they are
// cut into, the tail gives the same lines. CKPT_LONG=1 lets 70 MB of each grow.

import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {openLogTail} from '../../../src/io/session-logs/log-tail.ts';
import {byteByByte, cutAt, seededCuts} from '../../detect/chunks.ts';
import {harmlessClaude, harmlessCodex} from '../../detect/harmless.ts';
import {type Dice, newDice} from '../../soak/dice.ts';
import {keepFigures, longSeed} from '../../support/keep-figures.ts';

const isLong = process.env.CKPT_LONG === '1';
const megabytes = isLong ? 70 : 1;
const byBytes = isLong ? 1 : 0.01;
const MB = 1e6;
const BLOCK = MB;
const seed = longSeed();
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ckpt-harmless-log-'));
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

const linesOf = (lineOf: (dice: Dice, n: number) => string, dice: Dice, bytes: number): string[] => {
  const lines: string[] = [];
  for (let size = 0; size < bytes; size += lines.at(-1)?.length ?? 0) lines.push(lineOf(dice, lines.length + 1));
  return lines;
};

/** A look after each piece. */
const grown = async (name: string, pieces: Uint8Array[]): Promise<string[]> => {
  const path = join(folder, name);
  writeFileSync(path, '');
  const seen: string[] = [];
  const tail = openLogTail().follow(path, (line) => seen.push(line));
  for (const piece of pieces) {
    appendFileSync(path, piece);
    await tail.flush();
  }
  tail.close();
  return seen;
};

const sameLines = (seen: string[], lines: string[], what: string): void => {
  // Compared by hand: of a megabyte of difference the first line is enough.
  expect(seen.length, what).toBe(lines.length);
  for (const [n, line] of lines.entries()) if (seen[n] !== line) expect(seen[n], `${what}, line ${n}`).toBe(line);
};

test.each([
  ['claude', harmlessClaude],
  ['codex', harmlessCodex],
])(
  `${megabytes} MB of a log of %s that grows at random cuts, and some of it byte by byte (seed ${seed})`,
  async (agent, lineOf) => {
    const dice = newDice(seed);
    for (let part = 0; part * BLOCK < megabytes * MB; part += 1) {
      const lines = linesOf(lineOf, dice, Math.min(BLOCK, megabytes * MB));
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      const cuts = seededCuts(bytes.length, {seed: part + 1, every: 4000});
      sameLines(await grown(`${agent}-${part}`, cutAt(bytes, cuts)), lines, `block ${part}`);
      rmSync(join(folder, `${agent}-${part}`));
    }
    const few = linesOf(lineOf, dice, byBytes * MB);
    sameLines(await grown(`${agent}-bytes`, byteByByte(Buffer.from(`${few.join('\n')}\n`))), few, 'byte by byte');
    if (isLong) keepFigures('harmless', `tail-${agent}`, {megabytes, byBytes, sameLines: true, seed});
  },
  3_600_000,
);
