import {expect, test} from 'vitest';
import {modeLedger} from '../../../src/detect/mode-ledger.ts';
import {ringer} from '../../../src/io/terminal/ring.ts';

const rig = () => {
  const modes = modeLedger();
  let shown = '';
  const bell = ringer(modes.isInside, (bytes) => {
    shown += Buffer.from(bytes).toString('latin1');
  });
  return {
    ring: () => bell.ring('\x07'),
    prints: (text: string | Uint8Array) => {
      const chunk = Buffer.from(text);
      shown += chunk.toString('latin1');
      modes.feed(chunk);
      bell.seen(chunk);
    },
    shown: () => shown,
  };
};

test('it rings at once when nothing is open', () => {
  const {ring, prints, shown} = rig();
  ring();
  prints('a\x1b[31mb');
  ring();
  expect(shown()).toBe('\x07a\x1b[31mb\x07');
});

test.each([
  ['a sequence', '\x1b[3', '1mx'],
  ['a title', '\x1b]0;tit', 'le\x07x'],
  ['a letter', Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)],
])('inside %s it waits for its end', (_, first, second) => {
  const {ring, prints, shown} = rig();
  prints(first);
  ring();
  const before = shown();
  expect(before.endsWith('\x07')).toBe(false);
  prints(second);
  expect(shown()).toBe(`${before}${Buffer.from(second).toString('latin1')}\x07`);
});

test('a whole letter of several bytes holds nothing up', () => {
  const {ring, prints, shown} = rig();
  prints('…');
  ring();
  expect(shown()).toBe(`${Buffer.from('…').toString('latin1')}\x07`);
});
