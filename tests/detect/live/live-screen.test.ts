// Whoever attaches sees what stands there, cell for cell, and goes on from there with the same bytes.
//
//     recording ──► live screen ──► picture ──► a fresh terminal, then the rest of the bytes
//              └──► a terminal that saw everything                   same cells, same cursor, same modes

import xterm from '@xterm/headless';
import {describe, expect, test} from 'vitest';
import {openLiveScreen} from '../../../src/detect/live/live-screen.ts';
import {newPen} from '../../../src/detect/live/pen.ts';
import {wholeOutput} from '../../../src/live/whole-output.ts';
import {watchModes} from '../../real/terminal-modes.ts';
import {cellsOfScreen} from '../../support/cells.ts';
import {readRecording, recordingsOf} from '../recording.ts';

const openViewer = (cols: number, rows: number) => {
  const terminal = new xterm.Terminal({cols, rows, scrollback: 1000, allowProposedApi: true, logLevel: 'off'});
  const modes = watchModes(terminal);
  // What the library itself loses of letters that are cut in the middle is not what is judged here.
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  return {
    write: (bytes: Uint8Array | string) =>
      new Promise<void>((done) =>
        terminal.write(typeof bytes === 'string' ? bytes : decoder.decode(bytes, {stream: true}), done),
      ),
    state: () => {
      const {states, ...rest} = modes();
      return {cells: cellsOfScreen(terminal), modes: rest};
    },
  };
};

interface Story {
  cols: number;
  rows: number;
  bytes: Uint8Array;
}

const attachAt = async ({cols, rows, bytes}: Story, cut: number) => {
  const faults: string[] = [];
  const screen = openLiveScreen({
    ...{cols, rows, onAnswer: () => {}, onProgress: () => {}},
    onFault: (what) => faults.push(what),
  });
  const whole = wholeOutput();
  const all = openViewer(cols, rows);
  const late = openViewer(cols, rows);
  screen.feed(bytes.subarray(0, cut));
  await all.write(whole(bytes.subarray(0, cut)));
  await late.write(await screen.picture());
  // Of several mouse modes that are being turned off one by one, terminals take the first for all: not judged in between.
  const [then, thenLate] = [all, late].map((one) => {
    const {cells, modes} = one.state();
    return {cells: cells.map((row) => row.replace(/"mouseTrackingMode":"\w+",/, '')), modes};
  });
  const rest = whole(bytes.subarray(cut));
  await all.write(rest);
  await late.write(rest);
  screen.close();
  expect(faults).toEqual([]);
  return {then, thenLate, end: all.state(), endLate: late.state()};
};

/** Places all over the stream, in the middle of sequences too; the same ones each time. */
const cutsOf = (length: number, count: number): number[] =>
  Array.from({length: count}, (_, i) => Math.floor((((i + 1) * 7919) % 10_007) * (length / 10_007)));

describe.each(['claude', 'codex'])('a screen of %s', (agent) => {
  test.each(recordingsOf(agent))('%s is the same for whoever comes late', async (name) => {
    const recording = readRecording(agent, name);
    for (const cut of [...cutsOf(recording.bytes.length, 2), recording.bytes.length]) {
      const {then, thenLate, end, endLate} = await attachAt(recording, cut);
      expect(thenLate, `at byte ${cut}`).toEqual(then);
      expect(endLate, `at the end, from byte ${cut}`).toEqual(end);
    }
  });
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each<[what: string, before: string, after: string]>([
  ['colours of all kinds', '\x1b[31mr\x1b[92mg\x1b[38;5;99mn\x1b[48;2;1;2;3mt\x1b[0m.', 'x'],
  ['attributes', '\x1b[1;2;3;4;5;7;8;9;53mall\x1b[22;24mfew', 'on'],
  ['a pen that goes on', 'a\x1b[1;38;2;9;8;7;44m', 'b'],
  ['wide letters and signs', '日本 é e\u0301 👩‍👩‍👧 ⠋', '漢'],
  ['a wide letter in the last column', `${' '.repeat(18)}日`, 'x'],
  ['a cursor behind the last column', '\x1b[32mabcdefghijklmnopqrst', 'u'],
  ['erased in colour', '\x1b[44m\x1b[2J\x1b[3;3Hx\x1b[K', '\x1b[0my'],
  ['two screens', 'main\x1b[31m\x1b[?1049h\x1b[2;2Halt\x1b[1m', 'x\x1b[?1049lback'],
  ['a saved cursor', 'ab\x1b[33m\x1b7\x1b[0m\x1b[4;4Hcd', '\x1b8e'],
  ['margins', '\x1b[2;3r\x1b[2;1Ha\r\nb', '\r\nc\r\nd'],
  ['a hidden cursor, paste, mouse, focus', '\x1b[?25l\x1b[?2004h\x1b[?1003h\x1b[?1006h\x1b[?1004h', 'x\x1b[?25h'],
  ['the kitty keyboard', '\x1b[>1u\x1b[>7u\x1b[?1049h\x1b[>5u', '\x1b[<u\x1b[?1049l\x1b[<u'],
  ['other keys, keypad, title', '\x1b[>4;2m\x1b=\x1b]0;é title\x07', '\x1b>'],
  ['no wrapping', '\x1b[?7l\x1b[1;19Habc', 'd'],
  ['insertion', 'abc\x1b[4h\x1b[1;1H', 'x'],
])('%s', async (_, before, after) => {
  const bytes = bytesOf(before + after);
  const {then, thenLate, end, endLate} = await attachAt({cols: 20, rows: 5, bytes}, bytesOf(before).length);
  expect(thenLate).toEqual(then);
  expect(endLate).toEqual(end);
});

test('questions of the agent are answered', async () => {
  const answers: string[] = [];
  const screen = openLiveScreen({
    ...{cols: 20, rows: 5, onProgress: () => {}, onFault: () => {}},
    onAnswer: (text) => answers.push(text),
  });
  screen.feed(bytesOf('ab\x1b[6n\x1b[c'));
  await screen.picture();
  expect(answers).toEqual(['\x1b[1;3R', '\x1b[?1;2c']);
});

test('a picture is of what was fed before, and the text too', async () => {
  const screen = openLiveScreen({
    ...{cols: 20, rows: 2, onAnswer: () => {}, onProgress: () => {}, onFault: () => {}},
  });
  screen.feed(bytesOf('before'));
  const text = screen.text();
  screen.feed(bytesOf('\rafter '));
  expect([await text, await screen.text()]).toEqual(['before', 'after']);
  expect(screen.pending()).toBe(0);
});

test.each<[string, (number | number[])[][], string]>([
  ['nothing', [], '\x1b[0m'],
  ['one', [[1]], '\x1b[0;1m'],
  ['undone', [[1, 2, 31], [22], [39]], '\x1b[0m'],
  ['in one', [[0, 1, 38, 5, 9, 4, [3], 58, [2, -1, 1, 2, 3]]], '\x1b[0;1;38;5;9;4:3;58:2::1:2:3m'],
  [
    'reset',
    [
      [1, 31],
      [0, 4],
    ],
    '\x1b[0;4m',
  ],
])('the pen: %s', (_, sequences, wanted) => {
  const pen = newPen();
  for (const params of sequences) pen.apply(params);
  expect(pen.sequence()).toBe(wanted);
});
