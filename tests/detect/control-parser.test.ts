import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Control, controlParser} from '../../src/detect/control-parser.ts';
import {anyCuts, byteByByte, bytesOf, cutAt, runs} from './chunks.ts';

const read = (...chunks: Uint8Array[]): {controls: Control[]; inside: boolean} => {
  const controls: Control[] = [];
  const parser = controlParser((control) => controls.push(control));
  for (const chunk of chunks) parser.feed(chunk);
  return {controls, inside: parser.isInside()};
};

const csi = (body: string, final: string): Control => ({is: 'csi', body, final});
const osc = (body: string): Control => ({is: 'osc', body});
const esc = (final: string, inter = ''): Control => ({is: 'esc', inter, final});

const rows: [what: string, bytes: string, controls: Control[], inside?: boolean][] = [
  ['plain text', 'hello\r\n\tworld\b\x07', []],
  ['text of other languages', 'é漢👍', []],
  ['a private mode', 'a\x1b[?2004hb', [csi('?2004', 'h')]],
  ['a sequence with an intermediate', '\x1b[2 q', [csi('2 ', 'q')]],
  ['one without parameters', '\x1b[m', [csi('', 'm')]],
  ['keyboard flags', '\x1b[>7u\x1b[<1u\x1b[=5;1u', [csi('>7', 'u'), csi('<1', 'u'), csi('=5;1', 'u')]],
  ['a line feed inside a sequence', '\x1b[3\n8m', [csi('38', 'm')]],
  ['a sequence inside a sequence', '\x1b[38;\x1b[0m', [csi('0', 'm')]],
  ['a cancelled sequence', '\x1b[38\x18m\x1b[1\x1am', []],
  ['a shift inside a sequence', '\x1b[3\x0e1m', [{is: 'shift', out: true}, csi('31', 'm')]],
  [
    'shifts',
    '\x0eq\x0f',
    [
      {is: 'shift', out: true},
      {is: 'shift', out: false},
    ],
  ],
  ['a title ended by BEL', '\x1b]0;a title\x07b', [osc('0;a title')]],
  ['a title ended by ST', '\x1b]0;a\x1b\\', [osc('0;a'), esc('\\')]],
  ['a title ended by the next sequence', '\x1b]0;a\x1b[m', [osc('0;a'), csi('', 'm')]],
  ['a cancelled title', '\x1b]0;a\x18b\x07', []],
  ['shifts inside a title', '\x1b]0;\x0e\x07', [osc('0;\x0e')]],
  ['a device string is passed over', '\x1bP1$r0m\x07\x0e\x1b\\a', [esc('\\')]],
  ['other strings too', '\x1b_Gi=1\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\', [esc('\\'), esc('\\'), esc('\\')]],
  ['plain escapes', '\x1b7\x1b8\x1b=\x1bc', [esc('7'), esc('8'), esc('='), esc('c')]],
  ['a charset', '\x1b(0\x1b)B', [esc('0', '('), esc('B', ')')]],
  ['several escapes', '\x1b\x1b\x1bc', [esc('c')]],
  ['a letter behind a stray escape', '\x1béc', []],
  ['a letter inside a sequence ends it', '\x1b[1é;31m', [csi('1', 'Ã')]],
  ['an open sequence', 'a\x1b[38;5', [], true],
  ['an open title', '\x1b]0;half', [], true],
  ['an open device string', '\x1bPq', [], true],
  ['a lone escape', '\x1b', [], true],
];
test.each(rows)('%s', (_, bytes, controls, inside = false) => {
  expect(read(bytesOf(bytes))).toEqual({controls, inside});
});

test('an overlong sequence is dropped; of an overlong title the start counts', () => {
  const long = '1;'.repeat(500_000);
  expect(read(bytesOf(`\x1b[${long}m\x1b[0m`)).controls).toEqual([csi('0', 'm')]);
  const [title] = read(bytesOf(`\x1b]0;${long}\x07`)).controls;
  expect(title).toEqual(osc(`0;${long}`.slice(0, 512)));
});

const params = fc.string({unit: fc.constantFrom(...'0123456789;:'), maxLength: 12});
const letter = fc.constantFrom(...'ABCDHJKXfhlmnqrstu@`~');
const anyControl: fc.Arbitrary<{control: Control; bytes: string}> = fc.oneof(
  fc.tuple(fc.constantFrom('', '?', '>', '<', '='), params, letter).map(([prefix, rest, final]) => {
    const control = csi(`${prefix}${rest}`, final);
    return {control, bytes: `\x1b[${prefix}${rest}${final}`};
  }),
  fc.string({unit: 'grapheme-ascii', maxLength: 30}).map((body) => ({control: osc(body), bytes: `\x1b]${body}\x07`})),
  fc.constantFrom(...'78=>cDEHMZ').map((final) => ({control: esc(final), bytes: `\x1b${final}`})),
  fc.constantFrom(...'()*+').map((inter) => ({control: esc('0', inter), bytes: `\x1b${inter}0`})),
  fc.boolean().map((out) => ({control: {is: 'shift' as const, out}, bytes: out ? '\x0e' : '\x0f'})),
);

test('whatever stands between, every control is found, in order', () => {
  const text = fc.string({unit: fc.constantFrom(...'abc é漢\r\n\t[]?0;'), maxLength: 8});
  fc.assert(
    fc.property(fc.array(fc.tuple(anyControl, text), {maxLength: 30}), (parts) => {
      const bytes = bytesOf(parts.map(([{bytes: control}, between]) => control + between).join(''));
      expect(read(bytes)).toEqual({controls: parts.map(([{control}]) => control), inside: false});
    }),
    runs(500),
  );
});

test('any bytes are taken, and the chunks do not matter', () => {
  const noise = fc.oneof(
    fc.uint8Array({maxLength: 300}),
    fc.string({unit: fc.constantFrom(...'\x1b[]P?;0123hm\x07\x18\\é'), maxLength: 300}).map(bytesOf),
  );
  const cut = noise.chain((bytes) => fc.tuple(fc.constant(bytes), anyCuts(bytes.length)));
  fc.assert(
    fc.property(cut, ([bytes, places]) => {
      const whole = read(bytes);
      expect(read(...byteByByte(bytes))).toEqual(whole);
      expect(read(...cutAt(bytes, places))).toEqual(whole);
    }),
    runs(1000),
  );
});
