import fc from 'fast-check';
import {expect, test} from 'vitest';
import {newBacklog, type Size} from '../../src/detect/backlog.ts';
import {runs} from './chunks.ts';

/** Bytes as numbers, sizes as `80x24`. Blocks that only follow each other are joined. */
const taken = (steps: (Uint8Array | Size)[]): (number | string)[] =>
  steps.flatMap((step): (number | string)[] =>
    step instanceof Uint8Array ? Array.from(step) : [`${step.cols}x${step.rows}`],
  );

const printed = (steps: (Uint8Array | Size)[]): string =>
  steps
    .map((step) => (step instanceof Uint8Array ? Buffer.from(step).toString('base64') : JSON.stringify(step)))
    .join();

test('bytes and sizes come back in order, once', () => {
  const backlog = newBacklog(100);
  backlog.resize({cols: 80, rows: 24});
  backlog.add(Uint8Array.of(1, 2));
  backlog.resize({cols: 90, rows: 24});
  backlog.add(Uint8Array.of(3));
  expect(taken(backlog.take())).toEqual(['80x24', 1, 2, '90x24', 3]);
  expect(backlog.take()).toEqual([]);
});

test('of sizes with nothing between them only the last counts', () => {
  const backlog = newBacklog(100);
  for (const cols of [80, 81, 82]) backlog.resize({cols, rows: 24});
  expect(taken(backlog.take())).toEqual(['82x24']);
});

test('what was fed is a copy: the chunk may be used again', () => {
  const backlog = newBacklog(100);
  const chunk = Uint8Array.of(7);
  backlog.add(chunk);
  chunk[0] = 8;
  expect(taken(backlog.take())).toEqual([7]);
});

test('of too many bytes the newest are kept, behind a cancel and the size that they were drawn for', () => {
  const backlog = newBacklog(3);
  backlog.add(Uint8Array.of(1, 2));
  backlog.resize({cols: 80, rows: 24});
  backlog.add(Uint8Array.of(3, 4, 5));
  expect(taken(backlog.take())).toEqual(['80x24', 0x18, 3, 4, 5]);
  backlog.add(Uint8Array.of(6));
  expect(taken(backlog.take())).toEqual([6]);
});

test('the chunks do not matter, not even to the blocks', () => {
  const feed = fc.array(
    fc.oneof(
      {weight: 4, arbitrary: fc.nat(20_000)},
      {weight: 1, arbitrary: fc.record({cols: fc.nat(300), rows: fc.nat(90)})},
    ),
    {maxLength: 12},
  );
  fc.assert(
    fc.property(feed, fc.integer({min: 1, max: 60_000}), fc.integer({min: 1, max: 5000}), (parts, limit, every) => {
      const [whole, cut] = [newBacklog(limit), newBacklog(limit)];
      for (const part of parts) {
        if (typeof part !== 'number') {
          whole.resize(part);
          cut.resize(part);
          continue;
        }
        const bytes = Uint8Array.from({length: part}, (_, n) => n % 251);
        whole.add(bytes);
        for (let at = 0; at < part; at += every) cut.add(bytes.subarray(at, at + every));
      }
      const steps = whole.take();
      expect(printed(cut.take())).toBe(printed(steps));
      const kept = steps.reduce((sum, step) => sum + (step instanceof Uint8Array ? step.length : 0), 0);
      expect(kept).toBeLessThanOrEqual(limit + 1);
    }),
    runs(200),
  );
});
