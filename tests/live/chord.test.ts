import {describe, expect, test} from 'vitest';
import {detachChord} from '../../src/live/chord.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const text = (given: Uint8Array): string => String.fromCharCode(...given);

/** What the agent got of what was typed read by read, and whether the viewer left. `⏲`: nothing for a while. */
const typed = (...reads: string[]): {agent: string; left: boolean} => {
  const chord = detachChord();
  let agent = '';
  for (const read of reads) {
    if (read === '⏲') {
      agent += text(chord.flush());
      continue;
    }
    const {pass, detach} = chord.type(bytes(read));
    agent += text(pass);
    if (detach) return {agent, left: true};
  }
  return {agent, left: false};
};

describe('the chord leaves, and the agent sees nothing of it', () => {
  test.each<[how: string, reads: string[]]>([
    ['plain', ['\x1d', 'd']],
    ['in one read', ['\x1dd']],
    ['kitty', ['\x1b[93;5u', 'd']],
    ['kitty with all keys reported', ['\x1b[93;5u', '\x1b[100u']],
    ['kitty with events', ['\x1b[93;5:1u', '\x1b[93;5:3u', '\x1b[100;1:1u']],
    ['kitty with locks on', ['\x1b[93;197u', '\x1b[100;193u']],
    ['kitty on another layout', ['\x1b[43:42:93;5u', 'd']],
    ['kitty with text', ['\x1b[93;5u', '\x1b[100;;100u']],
    ['modifyOtherKeys', ['\x1b[27;5;93~', 'd']],
    ['win32', ['\x1b[221;27;29;1;8;1_', '\x1b[221;27;29;0;8;1_', '\x1b[68;32;100;1;0;1_']],
    ['cut in the middle of a sequence', ['\x1b', '[9', '3;5', 'u', 'd']],
    ['what follows is dropped', ['\x1dd\x1b[100;1:3uxyz']],
    ['twice the first key', ['\x1d', '⏲', '\x1d', 'd']],
  ])('%s', (how, reads) => {
    expect(typed(...reads)).toEqual({agent: how === 'twice the first key' ? '\x1d' : '', left: true});
  });

  test('keys that are held, and releases of others, go through', () => {
    const ctrl = ['\x1b[57442;5u', '\x1b[57442;1:3u'] as const;
    expect(typed(`x${ctrl[0]}`, '\x1b[93;5u', '\x1b[120;1:3u', ctrl[1], 'd')).toEqual({
      agent: `x${ctrl[0]}\x1b[120;1:3u${ctrl[1]}`,
      left: true,
    });
  });
});

describe('everything else reaches the agent byte by byte', () => {
  const every = String.fromCharCode(...Array.from({length: 256}, (_, byte) => byte)).replace('\x1d', '');
  test.each<[what: string, reads: string[], agent?: string]>([
    ['every byte', [every]],
    ['letters', ['d', 'dd', 'hello d']],
    ['Ctrl-] and another key', ['\x1d', 'x', 'd']],
    // It is how the keys of Windows end, and was taken for one: `_` came before Ctrl-], and d then left.
    ['Ctrl-] and an underscore', ['\x1d', '_', 'd']],
    ['Ctrl-], a key that is let go, another key', ['\x1b[93;5u', '\x1b[120;1:3u', 'x']],
    ['Ctrl-] alone', ['\x1d', '⏲', 'd'], '\x1dd'],
    ['Ctrl-] twice', ['\x1d', '\x1d', 'x']],
    ['a lone escape', ['\x1b', '⏲'], '\x1b'],
    ['Alt-d', ['\x1bd']],
    ['arrows and function keys', ['\x1b[A', '\x1bOP', '\x1b[15~', '\x1b[1;5C']],
    ['a mouse', ['\x1b[<0;10;20M', '\x1b[M !!']],
    ['answers of the terminal', ['\x1b[?62;4c', '\x1b]11;rgb:0/0/0\x07', '\x1b[?0u']],
    ['other keys of kitty', ['\x1b[93u', '\x1b[100;5u', '\x1b[93;6u', 'd']],
    ['the chord inside a paste', ['\x1b[200~a\x1dd', '\x1b[93;5ud\x1b[201~']],
    ['a paste whose end is cut', ['\x1b[200~\x1dd\x1b[20', '1~x']],
    ['win32 with Ctrl-d', ['\x1b[221;27;29;1;8;1_', '\x1b[68;32;4;1;8;1_']],
    ['something endless', [`\x1b[${'1;'.repeat(100)}`]],
  ])('%s', (_, reads, agent = reads.join('')) => {
    expect(typed(...reads)).toEqual({agent, left: false});
  });

  test('also when it comes one byte at a time', () => {
    const all = `${every}\x1b[A\x1b[200~\x1dd\x1b[201~\x1dx\x1b[93;5uq`;
    expect(typed(...all)).toEqual({agent: all, left: false});
  });

  test('what is kept back says for how long', () => {
    const chord = detachChord();
    expect(chord.type(bytes('a')).waitMs).toBeUndefined();
    expect(chord.type(bytes('\x1b[9')).waitMs).toBe(25);
    expect(text(chord.flush())).toBe('\x1b[9');
    expect(chord.type(bytes('\x1d')).waitMs).toBe(1000);
  });
});
