import {describe, expect, test} from 'vitest';
import {isQuitKey, isSuspendKey} from '../../../src/io/terminal/keys.ts';
import {notices} from '../../../src/io/terminal/notices.ts';

const rig = () => {
  const printed: string[] = [];
  return {printed, said: notices((text) => printed.push(text))};
};

describe('what we say', () => {
  test('is printed at once while no agent is there', () => {
    const {printed, said} = rig();
    said.tell('one');
    expect(printed).toEqual(['one\r\n']);
  });

  test('waits while an agent has the screen', () => {
    const {printed, said} = rig();
    said.held();
    said.tell('one');
    said.tell('two\nlines');
    expect(printed).toEqual([]);
    said.allowed();
    expect(printed).toEqual(['one\r\n', 'two\r\nlines\r\n']);
  });

  test('begins on a line of its own', () => {
    const {printed, said} = rig();
    said.seen(Buffer.from('half a line'));
    said.tell('one');
    said.tell('two');
    said.seen(Buffer.from('a whole one\n'));
    said.tell('three');
    expect(printed).toEqual(['\r\none\r\n', 'two\r\n', 'three\r\n']);
  });

  test('is bounded: the first ones and the last one are kept', () => {
    const {printed, said} = rig();
    said.held();
    for (let i = 0; i < 5000; i += 1) said.tell(`line ${i}`);
    said.allowed();
    expect(printed.length).toBe(100);
    expect([printed[0], printed.at(-1)]).toEqual(['line 0\r\n', 'line 4999\r\n']);
  });
});

describe('keys', () => {
  test.each([
    ['\x03', true],
    ['ab\x03', true],
    ['\x1b[99;5u', true],
    ['\x1b[99;5:1u', true],
    ['\x1b[99::99;5u', true],
    ['\x1b[99;5:3u', false],
    ['\x1b[99;1u', false],
    ['c', false],
    [`${'pasted '.repeat(20)}\x03`, false],
  ])('%j is Ctrl-C: %s', (typed, is) => {
    expect(isQuitKey(Buffer.from(typed))).toBe(is);
    expect(isSuspendKey(Buffer.from(typed))).toBe(false);
  });

  test.each([
    ['\x1a', true],
    ['\x1b[122;5u', true],
    ['z', false],
  ])('%j is Ctrl-Z: %s', (typed, is) => {
    expect(isSuspendKey(Buffer.from(typed))).toBe(is);
  });
});
