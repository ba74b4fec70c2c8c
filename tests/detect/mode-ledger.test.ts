import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {modeLedger} from '../../src/detect/mode-ledger.ts';
import {anyCuts, byteByByte, bytesOf, cutAt, runs} from './chunks.ts';
import {openOracle} from './oracle-terminal.ts';

const resetsAfter = (...chunks: (string | Uint8Array)[]): string => {
  const ledger = modeLedger();
  for (const chunk of chunks) ledger.feed(typeof chunk === 'string' ? bytesOf(chunk) : chunk);
  return ledger.resets(true);
};

const stateAfter = async (...writes: (string | Uint8Array)[]): Promise<object> => {
  const terminal = openOracle();
  for (const data of writes) await terminal.write(data);
  const state = await terminal.state();
  terminal.close();
  return state;
};

/** What the two agents turn on (facts), each alone and as they do it. */
const dirty: [what: string, bytes: string][] = [
  ['hidden cursor', '\x1b[?25l'],
  ['mouse clicks', '\x1b[?1000h'],
  ['mouse drags', '\x1b[?1002h'],
  ['mouse moves', '\x1b[?1003h'],
  ['mouse encodings', '\x1b[?1000;1015h\x1b[?1006h'],
  ['mouse in pixels', '\x1b[?1003h\x1b[?1016h'],
  ['old mouse protocols', '\x1b[?9h\x1b[?1005h'],
  ['focus reports', '\x1b[?1004h'],
  ['bracketed paste', '\x1b[?2004h'],
  ['colour scheme reports', '\x1b[?2031h'],
  ['size reports', '\x1b[?2048h'],
  ['a frame that was never finished', '\x1b[?2026hhalf a frame'],
  ['wheel as arrow keys', '\x1b[?1007h'],
  ['no wrapping', '\x1b[?7l'],
  ['cursor keys', '\x1b[?1h'],
  ['keypad', '\x1b='],
  ['keypad by mode', '\x1b[?66h'],
  ['insert mode', '\x1b[4h'],
  ['reverse video', '\x1b[?5h'],
  ['alternate screen', 'before\x1b[?1049hinside'],
  ['alternate screen, older', 'before\x1b[?1047hinside'],
  ['alternate screen, oldest', 'before\x1b[?47hinside'],
  ['keyboard flags on the main screen', '\x1b[>7u'],
  ['keyboard flags, pushed twice', '\x1b[>1u\x1b[>7u'],
  ['keyboard flags, set in place', '\x1b[=5;1u'],
  ['keyboard flags on both screens', '\x1b[>7u\x1b[?1049h\x1b[>7u'],
  ['keyboard flags, deeper on the other screen', '\x1b[>7u\x1b[?1049h\x1b[>1u\x1b[>5u\x1b[=7u'],
  ['modified keys', '\x1b[>4;2m'],
  ['margins', '\x1b[5;10r'],
  ['margins on the other screen', '\x1b[?1049h\x1b[5;10r'],
  ['line drawing', '\x1b(0'],
  ['line drawing, shifted in', '\x1b)0\x0e'],
  ['line drawing in G2', '\x1b*0\x1bn'],
  ['bold red on blue', '\x1b[1;31;44m'],
  ['true colours', '\x1b[38;2;1;2;3m\x1b[48:5:17m'],
  ['colours from before the alternate screen', '\x1b[1;31m\x1b[?1049h\x1b[0m'],
  ['line drawing from before the alternate screen', '\x1b(0\x1b[?1049h\x1b(B'],
  ['colours that came back with the cursor', '\x1b[7m\x1b7\x1b[0m\x1b8'],
  ['a link', '\x1b]8;id=1;https://example.org/\x1b\\text'],
  ['a long link', `\x1b]8;;https://example.org/${'x'.repeat(2000)}\x1b\\text`],
  ['a title', '\x1b]0;◐ Claude Code\x07'],
  ['a long title', `\x1b]0;${'title '.repeat(200)}\x07`],
  ['a title that outlives a full reset', '\x1b]2;title\x07\x1bc'],
  ['a state report', '\x1b]7501;state=working:app=codex\x1b\\'],
  ['a progress bar', '\x1b]9;4;3;\x07'],
  ['cursor style', '\x1b[5 q'],
  ['a mode after a stray escape', '\x1bé\x1b[?2004h\x1bécode'],
  [
    'all of Claude Code 2.1.326 in kitty',
    '\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[?2031h\x1b[>5u\x1b[>4;2m\x1b[?1049h\x1b[>5u\x1b[2J\x1b[H' +
      '\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b]0;✳ Claude Code\x07\x1b[38;5;147mtext',
  ],
  [
    'all of Claude Code 2.1.197 in kitty',
    '\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[?2031h\x1b[>1u\x1b[>4;2m\x1b]0;⠂ Claude Code\x07\x1b[2mtext',
  ],
  [
    'all of Codex 0.169.0',
    '\x1b[?2004h\x1b[>4;0m\x1b[>7u\x1b[?1004h\x1b[?u\x1b[c\x1b[6n\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b[?1049h\x1b[>7u' +
      '\x1b[?1007h\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1015h\x1b[?1006h\x1b[?2026h\x1b[?25l\x1b]0;⠋ proj\x07' +
      '\x1b]7501;state=working:app=codex\x1b\\\x1b[1;38;5;6m• Working',
  ],
];

describe('after a death in the middle of it', () => {
  test.each(dirty)('%s', async (_, bytes) => {
    const fresh = await stateAfter();
    expect(await stateAfter(bytes), 'the terminal would be as before without us: this row proves nothing').not.toEqual(
      fresh,
    );
    expect(await stateAfter(bytes, resetsAfter(bytes))).toEqual(fresh);
  });

  test.each(dirty)('%s: only what is owed, and nothing after it was undone', (_, bytes) => {
    const ledger = modeLedger();
    ledger.feed(bytesOf(bytes));
    const resets = ledger.resets(true);
    expect(resets).not.toBe('');
    ledger.feed(bytesOf(resets));
    expect(ledger.resets(true)).toBe('');
  });
});

describe('after a clean exit', () => {
  // As the agents themselves leave (facts; recordings.test.ts has the real bytes).
  const epilogues: [agent: string, start: string, end: string][] = [
    [
      'Claude Code 2.1.326',
      '\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[?2031h\x1b[>5u\x1b[>4;2m\x1b[?1049h\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h' +
        '\x1b]0;✳ Claude Code\x07\x1b[1mtext\x1b[22m',
      '\x1b[?1016l\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2031l\x1b[?2004l\x1b[?1049l\x1b[<u\x1b[>4m' +
        '\x1b[?25h\x1b[?7h\x1b7\x1b[r\x1b8\x1b]0;\x07\x1b(B\x0f',
    ],
    [
      'Claude Code 2.1.197',
      '\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[?2031h\x1b[>1u\x1b]0;⠂ Claude Code\x07\x1b[2mtext\x1b[22m',
      '\x1b[?1004l\x1b[?2031l\x1b[?2004l\x1b[<u\x1b[>4m\x1b[?25h\x1b[?7h\x1b7\x1b[r\x1b8\x1b]0;\x07',
    ],
    [
      'Codex 0.169.0',
      '\x1b[?2004h\x1b[>4;0m\x1b[>7u\x1b[?1004h\x1b[?1049h\x1b[>7u\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b[?1007h' +
        '\x1b]0;⠋ proj\x07\x1b]7501;state=working:app=codex\x1b\\\x1b[38;5;6mtext',
      '\x1b[?2026l\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[<1u\x1b[?1007l\x1b[?1049l\x1b[<1u\x1b[<u' +
        '\x1b[>4;0m\x1b[?2004l\x1b[?1004l\x1b[0 q\x1b[?25h\x1b[0m\x1b]0;\x07\x1b]7501;state=clear\x1b\\',
    ],
  ];
  test.each(epilogues)('%s owes nothing', (_, start, end) => {
    expect(resetsAfter(start)).not.toBe('');
    expect(resetsAfter(start, end)).toBe('');
  });
});

describe('what is not owed', () => {
  const clean: [what: string, bytes: string][] = [
    ['questions', '\x1b[>0q\x1b[c\x1b[?u\x1b[6n\x1b]10;?\x1b\\\x1b]11;?\x07\x1b]7501;?\x1b\\\x1b[?25$p\x1bP$qm\x1b\\'],
    ['text in any language', 'naïve 漢字 👍🏽 \u009b1m'],
    ['a title that was put aside and fetched back', '\x1b[22;0;0t\x1b]0;vim\x07\x1b[23;0;0t'],
    ['a progress bar that was taken away', '\x1b]9;4;1;50\x07\x1b]9;4;0;\x07'],
    ['other notices', '\x1b]9;Approval requested: ls\x07\x1b]777;notify;a;b\x07'],
    ['everything, and then a full reset', '\x1b[?7l\x1b[?1049h\x1b[>7u\x1b[5;9r\x1b(0\x0e\x1b[31m\x1b[4h\x1b[5 q\x1bc'],
    ['colours and charsets, and then a soft reset', '\x1b[31m\x1b(0\x0e\x1b[4h\x1b=\x1b[?25l\x1b[?7l\x1b[3;4r\x1b[!p'],
    ['a mode in a broken sequence', '\x1b[?25\x18l\x1b]0;title\x18\x1bP\x1b[?25h'],
    ['a cancelled escape behind a title', '\x1b]0;\x1b\x18c\x07'],
  ];
  test.each(clean)('%s', (_, bytes) => {
    expect(resetsAfter(bytes)).toBe('');
  });

  test('colours and title are left alone when only the modes are asked for', () => {
    const ledger = modeLedger();
    ledger.feed(bytesOf('\x1b[?2004h\x1b[31m\x1b]0;title\x07\x1b[5 q'));
    expect(ledger.resets(false)).toBe('\x1b[?2004l');
  });

  test('what another agent had left on is forgotten with it', () => {
    const ledger = modeLedger();
    ledger.feed(bytesOf('\x1b[?2004h\x1b[31'));
    ledger.clear();
    expect(ledger.resets(true)).toBe('');
    ledger.feed(bytesOf('m'));
    expect(ledger.resets(true)).toBe('');
  });
});

test('the screen from before the alternate one comes back, and the cursor with it', async () => {
  const terminal = openOracle();
  await terminal.write('$ claude\r\n');
  const [text, cursor] = [terminal.text(), terminal.cursor()];
  const bytes = '\x1b[?1049h\x1b[3;9r\x1b[2J\x1b[Hfull screen\x1b[20;20H';
  await terminal.write(bytes);
  expect(terminal.text()).not.toBe(text);
  await terminal.write(resetsAfter(bytes));
  expect([terminal.text(), terminal.cursor()]).toEqual([text, cursor]);
  terminal.close();
});

test.each([
  ['a colour', '\x1b[38;5'],
  ['a title', '\x1b]0;half a ti'],
  ['the end of a title', '\x1b]0;title\x1b'],
  ['a device string', '\x1bP+q544e'],
  ['an escape', '\x1b'],
  ['a letter', new Uint8Array([0xe2, 0x94])],
])('a death in the middle of %s does not swallow the resets', async (_, torn) => {
  const before = '\x1b[?25l\x1b[?1049h\x1b[?2004h';
  const resets = resetsAfter(before, torn);
  expect(await stateAfter(before, torn, resets)).toEqual(await stateAfter());
});

/** Pieces of terminal language: what is known, what is alike, what is nonsense. */
const piece = fc.oneof(
  {weight: 6, arbitrary: fc.constantFrom(...dirty.map(([, bytes]) => bytes))},
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom(1, 5, 7, 9, 25, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 1047, 1048, 1049),
        fc.constantFrom(2004, 2026, 2031, 2048, 12, 1034),
        fc.constantFrom('h', 'l'),
      )
      .map(([one, two, final]) => `\x1b[?${one};${two}${final}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.array(fc.constantFrom(0, 1, 2, 4, 7, 22, 24, 27, 31, 39, 48, 49, 5, 97), {maxLength: 5}))
      .map(([list]) => `\x1b[${list.join(';')}m`),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        '\x1b7',
        '\x1b8',
        '\x1b[s',
        '\x1b[u',
        '\x1bc',
        '\x1b[!p',
        '\x1b[r',
        '\x1b(B',
        '\x0e',
        '\x0f',
        '\x1b[<u',
        '\x1b[<9u',
      ],
      ...[
        '\x1b[=0u',
        '\x1b[=1;2u',
        '\x1b[=1;3u',
        '\x1b[>4m',
        '\x1b[>4n',
        '\x1b[4l',
        '\x1b[20h',
        '\x1b[20l',
        '\x1b>',
        '\x1bo',
      ],
      ...[
        '\x1b]0;\x07',
        '\x1b]8;;\x07',
        '\x1b]7501;state=clear\x1b\\',
        '\x1b[0 q',
        '\x1b[2 q',
        '\x1b[22t',
        '\x1b[23t',
        '\x18',
        '\x1b',
        '\x1b[',
      ],
    ),
  },
  {weight: 2, arbitrary: fc.string({unit: 'grapheme', maxLength: 6})},
  {weight: 1, arbitrary: fc.string({unit: fc.constantFrom(...'\x1b[]?;:0123456789hlmrucqptsn ()>=<\x07\x18\\P')})},
);
const stream = fc.array(piece, {maxLength: 25}).map((pieces) => bytesOf(pieces.join('')));

test('whatever was written, the terminal is as a fresh one after the resets', {timeout: 300_000}, async () => {
  const fresh = await stateAfter();
  await fc.assert(
    fc.asyncProperty(stream, fc.nat(40), async (bytes, torn) => {
      const written = bytes.subarray(0, Math.max(0, bytes.length - torn));
      expect(await stateAfter(written, resetsAfter(written))).toEqual(fresh);
    }),
    runs(300),
  );
});

test('the chunks do not matter', () => {
  const cut = stream.chain((bytes) => fc.tuple(fc.constant(bytes), anyCuts(bytes.length)));
  fc.assert(
    fc.property(cut, ([bytes, places]) => {
      const whole = resetsAfter(bytes);
      expect(resetsAfter(...byteByByte(bytes))).toBe(whole);
      expect(resetsAfter(...cutAt(bytes, places))).toBe(whole);
    }),
    runs(500),
  );
});

test('any bytes are taken, and what they owe stays small', () => {
  fc.assert(
    fc.property(fc.uint8Array({maxLength: 4096}), (bytes) => {
      expect(resetsAfter(bytes).length).toBeLessThan(1000);
    }),
    runs(100),
  );
  const endless = `\x1b[?${'2004;'.repeat(100_000)}h\x1b]0;${'x'.repeat(1_000_000)}`;
  expect(resetsAfter(endless)).toBe('\x18');
});
