import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Key, newKeys} from '../../src/practice/keys.ts';

const typed = (...chunks: string[]): Key[] => {
  const keys = newKeys();
  return chunks.flatMap((chunk) => keys(chunk));
};
const text = (words: string): Key => ({is: 'text', text: words});

test.each<[what: string, chunks: string[], keys: Key[]]>([
  ['a line', ['go on\r'], [text('go on'), {is: 'enter'}]],
  ['letters of other languages', ['é漢👍'], [text('é漢👍')]],
  ['controls', ['\x7f\b\x03\x04'], [{is: 'backspace'}, {is: 'backspace'}, {is: 'interrupt'}, {is: 'end'}]],
  ['Escape alone', ['\x1b'], [{is: 'escape'}]],
  ['arrows, focus and mouse mean nothing', ['\x1b[A\x1bOB\x1b[I\x1b[<0;3;4M\x1b[?62;1cx'], [text('x')]],
  ['a terminal that answers', ['\x1b]11;rgb:0/0/0\x1b\\\x1bP>|xterm\x1b\\y'], [text('y')]],
  ['a paste is one text', ['\x1b[200~two\r\nlines\x1b[201~\r'], [text('two\nlines'), {is: 'enter'}]],
  ['a pasted tab is four spaces', ['\x1b[200~a\tb\x1b[201~'], [text('a    b')]],
  ['a paste in pieces', ['\x1b[200~a', 'b\x1b[20', '1~\r'], [text('ab'), {is: 'enter'}]],
  ['an arrow in pieces', ['\x1b[', 'A', 'x'], [text('x')]],
  ['other control letters mean nothing', ['\x01\x0c\x1ax'], [text('x')]],
])('%s', (_, chunks, keys) => {
  expect(typed(...chunks)).toEqual(keys);
});

test('a sequence that never ends does not eat what is typed after it for ever', () => {
  const keys = newKeys();
  keys(`\x1b]${'x'.repeat(5000)}`);
  expect(keys('\x03')).toContainEqual({is: 'interrupt'});
});

test('any text is taken', () => {
  fc.assert(
    fc.property(fc.array(fc.string({unit: 'binary', maxLength: 30}), {maxLength: 10}), (chunks) => {
      for (const key of typed(...chunks)) expect(key.is).toMatch(/^[a-z]+$/);
    }),
    {numRuns: 300, seed: 1},
  );
});
