import {expect, test} from 'vitest';
import {modeLedger} from '../../src/detect/mode-ledger.ts';
import {bytesOf} from './chunks.ts';
import {openOracle} from './oracle-terminal.ts';

/** What the agents turn on (facts); each is stopped in the middle of it, and goes on. */
const dirty: [what: string, bytes: string][] = [
  ['nothing', 'text'],
  ['hidden cursor', '\x1b[?25l'],
  ['mouse', '\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h'],
  ['paste, focus, colour scheme', '\x1b[?2004h\x1b[?1004h\x1b[?2031h'],
  ['no wrapping', '\x1b[?7l'],
  ['cursor keys and keypad', '\x1b[?1h\x1b='],
  ['insert mode', '\x1b[4h'],
  ['alternate screen', '\x1b[?1049h'],
  ['keyboard flags, pushed twice', '\x1b[>1u\x1b[>7u'],
  ['keyboard flags, set in place', '\x1b[=5;1u'],
  ['keyboard flags on both screens', '\x1b[>7u\x1b[?1049h\x1b[>1u\x1b[>5u'],
  ['modified keys', '\x1b[>4;2m'],
  ['margins', '\x1b[5;10r'],
  ['margins on the other screen', '\x1b[?1049h\x1b[5;10r'],
  ['cursor style', '\x1b[5 q'],
  ['a title', '\x1b]0;◐ Claude Code é\x07'],
  [
    'all of Claude Code 2.1.326 in kitty',
    '\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[?2031h\x1b[>5u\x1b[>4;2m\x1b[?1049h\x1b[>5u\x1b[2J\x1b[H' +
      '\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b]0;✳ Claude Code\x07',
  ],
  [
    'all of Codex 0.169.0',
    '\x1b[?2004h\x1b[>4;0m\x1b[>7u\x1b[?1004h\x1b[?1049h\x1b[>7u\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h',
  ],
];

const stateAfter = async (...writes: string[]): Promise<object> => {
  const terminal = openOracle();
  for (const text of writes) await terminal.write(text);
  const state = await terminal.state();
  terminal.close();
  return state;
};

test.each(dirty)('the terminal is as the agent had it: %s', async (_, bytes) => {
  const ledger = modeLedger();
  ledger.feed(bytesOf(bytes));
  const [resets, restores] = [ledger.resets(true), ledger.restores()];
  expect(await stateAfter(bytes, resets, restores)).toEqual(await stateAfter(bytes));
  expect(await stateAfter(bytes, resets, restores, ledger.resets(true))).toEqual(await stateAfter(''));
});

test('an agent that has undone everything itself gets nothing back', () => {
  const ledger = modeLedger();
  ledger.feed(bytesOf('\x1b[?1049h\x1b[>7u\x1b[?25l\x1b[?25h\x1b[<u\x1b[?1049l'));
  expect(ledger.restores()).toBe('');
});
