import {describe, expect, test} from 'vitest';
import {keepFigures} from '../../support/keep-figures.ts';
import {runOnPty} from '../../support/pty-run.ts';

// The last words of a dying agent are its death notice. Every flavour of node-pty loses them in 6 to 70 % of deaths
// (ECOSYSTEM §0.1). 0 lost of 3,000 means below 0.1 % at 95 % confidence: `CKPT_LONG=1` runs them all.
const isLong = process.env.CKPT_LONG === '1';
const deaths = isLong ? 1000 : 100;

const size = 64 * 1024;
/** Numbered, so that a hole, a doubled or a moved piece shows, and not only a lost end. */
const words = Buffer.from(Array.from({length: size / 8}, (_, i) => i.toString().padStart(8, '.')).join(''), 'latin1');
const program = (end: string): string[] => [
  'perl',
  '-e',
  `$SIG{HUP} = 'IGNORE'; syswrite STDOUT, join('', map { sprintf '%8d', $_ } 0 .. ${size / 8 - 1}) =~ tr/ /./r; ${end}`,
];
const ends = [
  {end: 'exit 0', want: {code: 0, signal: undefined}},
  {end: 'exit 7', want: {code: 7, signal: undefined}},
  {end: 'kill 9, $$; sleep 9', want: {code: 0, signal: 9}},
];

const block = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

describe(`no byte of 64 KB is lost in ${deaths} deaths`, () => {
  test.each([0, 20, 100])('with the event loop blocked for %i ms', {timeout: 900_000}, async (blockedMs) => {
    for (let death = 0; death < deaths; death += 1) {
      const {end, want} = ends[death % ends.length] ?? ends[0] ?? {end: '', want: undefined};
      let blocked = false;
      const run = runOnPty(program(end), {
        onData: () => {
          if (blocked || blockedMs === 0) return;
          blocked = true;
          block(blockedMs);
        },
      });
      // Every other death happens while nobody has looked at all yet.
      if (death % 2 === 1 && blockedMs > 0) {
        blocked = true;
        block(blockedMs);
      }
      const exit = await run.exit;
      const output = run.output();
      if (!output.equals(words)) throw new Error(`death ${death} (${end}): ${output.length} of ${size} bytes`);
      expect(exit).toEqual(want);
    }
    if (isLong) keepFigures('last-words', `blocked-${blockedMs}-ms`, {deaths, bytesEach: size, lost: 0});
  });
});

test('what comes while the reader has paused is handed on at the death, in order', async () => {
  const slow = '$| = 1; for (1 .. 4) { print chr(64 + $_) x 1000; select undef, undef, undef, 0.02 } exit 3';
  for (let death = 0; death < 10; death += 1) {
    const run = runOnPty(['perl', '-e', slow], {onData: () => run.pty.pause()});
    expect(await run.exit).toEqual({code: 3, signal: undefined});
    expect(run.output().toString()).toBe(['A', 'B', 'C', 'D'].map((letter) => letter.repeat(1000)).join(''));
  }
});
