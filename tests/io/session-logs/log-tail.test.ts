import {appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {openLogTail} from '../../../src/io/session-logs/log-tail.ts';

let dir = '';
let log = '';
const ends: {close(): void}[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ckpt-tail-'));
  log = join(dir, 'log.jsonl');
});
afterEach(() => {
  for (const end of ends.splice(0)) end.close();
  rmSync(dir, {recursive: true, force: true});
});

const follow = (lines: string[]) => {
  const tail = openLogTail().follow(log, (line) => lines.push(line));
  ends.push(tail);
  return tail;
};

const within = (check: () => void): Promise<void> => vi.waitFor(check, {timeout: 20_000, interval: 20});

test('a file whose folder does not even exist yet is read once it is there', async () => {
  const lines: string[] = [];
  log = join(dir, 'later', 'log.jsonl');
  const tail = follow(lines);
  await tail.flush();
  expect(lines).toEqual([]);
  mkdirSync(join(dir, 'later'));
  writeFileSync(log, 'one\ntwo\n');
  await within(() => expect(lines).toEqual(['one', 'two']));
  appendFileSync(log, 'three\n');
  await within(() => expect(lines).toEqual(['one', 'two', 'three']));
});

test('a torn last line waits for its end, and the offset stands before it', async () => {
  const lines: string[] = [];
  writeFileSync(log, 'whole\n{"torn":');
  const tail = follow(lines);
  await tail.flush();
  expect(lines).toEqual(['whole']);
  expect(tail.offset()).toBe(6);
  appendFileSync(log, '1}\n');
  await tail.flush();
  expect(lines).toEqual(['whole', '{"torn":1}']);
  expect(tail.offset()).toBe(17);
});

test('characters and lines split across writes byte by byte arrive whole', async () => {
  const lines: string[] = [];
  writeFileSync(log, '');
  const tail = follow(lines);
  for (const byte of Buffer.from('grüße 🏃\r\n日本\n')) {
    appendFileSync(log, Buffer.of(byte));
    await tail.flush();
  }
  expect(lines).toEqual(['grüße 🏃', '日本']);
});

test('lines and characters on the border of two reads arrive whole', async () => {
  const lines: string[] = [];
  const wanted = Array.from({length: 40}, (_, n) => `${n}${'é'.repeat(20_000 + n)}`);
  writeFileSync(log, `${wanted.join('\n')}\n`);
  const tail = follow(lines);
  await tail.flush();
  expect(lines).toEqual(wanted);
});

test('a file that was cut short is read anew', async () => {
  const lines: string[] = [];
  writeFileSync(log, 'a\nb\nhalf');
  const tail = follow(lines);
  await tail.flush();
  truncateSync(log);
  await tail.flush();
  expect(tail.offset()).toBe(0);
  appendFileSync(log, 'c\n');
  await tail.flush();
  expect(lines).toEqual(['a', 'b', 'c']);
});

test('a file that was replaced by another is read from its start, also when that is longer or shorter', async () => {
  const lines: string[] = [];
  writeFileSync(log, 'old one\nold');
  const tail = follow(lines);
  await tail.flush();
  for (const text of ['new and much longer one\n', 'x\n']) {
    writeFileSync(join(dir, 'other'), text);
    renameSync(join(dir, 'other'), log);
    await tail.flush();
  }
  expect(lines).toEqual(['old one', 'new and much longer one', 'x']);
});

test('a large log comes in pieces: other work gets its turn in between', async () => {
  const count = 40_000;
  writeFileSync(log, Array.from({length: count}, (_, n) => `${n} ${'x'.repeat(250)}\n`).join(''));
  let seen = 0;
  const tail = openLogTail().follow(log, () => {
    seen += 1;
  });
  ends.push(tail);
  const turns: number[] = [];
  let watching = true;
  const turn = (): void => {
    turns.push(seen);
    if (watching) setImmediate(turn);
  };
  turn();
  await tail.flush();
  watching = false;
  expect(seen).toBe(count);
  const steps = turns.map((now, n) => now - (turns[n - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThan(count / 4);
});

test('after close nothing comes any more', async () => {
  const lines: string[] = [];
  writeFileSync(log, 'a\n');
  const tail = follow(lines);
  await tail.flush();
  tail.close();
  appendFileSync(log, 'b\n');
  await tail.flush();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(lines).toEqual(['a']);
});
