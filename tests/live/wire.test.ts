import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {frame, frameKinds, frameReader, readSize, sizeFrame} from '../../src/live/frames.ts';
import {smallest} from '../../src/live/smallest.ts';
import {wholeOutput} from '../../src/live/whole-output.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (given: Uint8Array): string => new TextDecoder().decode(given);

describe('frames', () => {
  test('come out as they went in, however they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...frameKinds), fc.uint8Array({maxLength: 300}))),
        fc.integer({min: 1, max: 50}),
        (frames, cut) => {
          const wire = Buffer.concat(frames.map(([kind, body]) => frame(kind, body)));
          const read = frameReader();
          const seen = [];
          for (let at = 0; at < wire.length; at += cut) {
            const some = read(wire.subarray(at, at + cut));
            if (some === 'broken') throw new Error('broken');
            seen.push(...some.map(({kind, body}) => [kind, [...body]]));
          }
          expect(seen).toEqual(frames.map(([kind, body]) => [kind, [...body]]));
        },
      ),
    );
  });

  test.each([
    ['an unknown kind', bytes('GET / HTTP/1.1')],
    ['one that is too long', Uint8Array.of(107, 255, 255, 255, 255)],
  ])('%s is refused', (_, wire) => {
    expect(frameReader()(wire)).toBe('broken');
  });

  test('sizes', () => {
    const [read] = frameReader()(sizeFrame('size', {cols: 80, rows: 24})) as {body: Uint8Array}[];
    expect(read && readSize(read.body)).toEqual({cols: 80, rows: 24});
    for (const bad of ['{}', '{"cols":0,"rows":1}', '{"cols":1e9,"rows":1}', 'x', 'null'])
      expect(readSize(bytes(bad))).toBeUndefined();
  });
});

test('the smallest viewer decides in each direction', () => {
  expect(smallest([])).toBeUndefined();
  expect(smallest([{cols: 100, rows: 20}])).toEqual({cols: 100, rows: 20});
  expect(
    smallest([
      {cols: 100, rows: 20},
      {cols: 80, rows: 40},
    ]),
  ).toEqual({cols: 80, rows: 20});
});

describe('what viewers get', () => {
  const passed = (...chunks: string[]): string[] => {
    const whole = wholeOutput();
    return chunks.map((chunk) => text(whole(bytes(chunk))));
  };

  test.each([
    ['\x1b[c'],
    ['\x1b[0c'],
    ['\x1b[>c'],
    ['\x1b[6n'],
    ['\x1b[?6n'],
    ['\x1b[?u'],
    ['\x1b[?2026$p'],
    ['\x1b[>0q'],
    ['\x1b[14t'],
    ['\x1b]11;?\x07'],
    ['\x1b]10;?\x1b\\'],
    ['\x1b]4;1;?\x1b\\'],
    ['\x1bP+q544e\x1b\\'],
    ['\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\'],
  ])('has no question %j, however it is cut', (question) => {
    const all = `a${question}b`;
    for (let cut = 1; cut < all.length; cut += 1) expect(passed(all.slice(0, cut), all.slice(cut)).join('')).toBe('ab');
  });

  test.each([
    ['\x1b[31mred\x1b[0m'],
    ['\x1b[?1049h\x1b[2J\x1b[>7u\x1b[>4;2m\x1b[<u'],
    ['\x1b]0;title?\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\'],
    ['é日本👩‍👧 ⠋'],
    ['\x1b(0qqq\x1b(B\x1b7\x1b8\x1bM'],
    ['\x1b[>4n\x1b[22;0t\x1b[8;24;80t'],
  ])('has everything else: %j', (output) => {
    expect(passed(output).join('')).toBe(output);
    const all = bytes(output);
    for (let cut = 1; cut < all.length; cut += 1) {
      const whole = wholeOutput();
      const given = [all.subarray(0, cut), all.subarray(cut), bytes('x')].map((part) => text(whole(part)));
      expect(given.join('')).toBe(`${output}x`);
    }
  });

  test('begins and ends with whole letters and sequences', () => {
    const whole = wholeOutput();
    const [first, second] = [bytes('é').subarray(0, 1), bytes('é').subarray(1)];
    expect(text(whole(Buffer.concat([bytes('a\x1b[3')])))).toBe('a');
    expect(text(whole(Buffer.concat([bytes('1mb'), first])))).toBe('\x1b[31mb');
    expect(text(whole(second))).toBe('é');
    expect(text(whole(bytes('x\x1b]0;tit')))).toBe('x');
    expect(text(whole(bytes('le\x1b')))).toBe('');
    expect(text(whole(bytes('\\y')))).toBe('\x1b]0;title\x1b\\y');
  });

  test('is not kept back for ever', () => {
    expect(passed(`\x1b]0;${'x'.repeat(5000)}`).join('').length).toBeGreaterThan(4000);
  });
});
