// Text from elsewhere, made safe to print, to store on one line, and to hand to a model.

import stripAnsi from 'strip-ansi';

/** Control characters save tab and newline; bidi overrides and tag characters, with which text can hide from a reader. */
const hidden = /[\p{Cc}\u200b\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const keep = new Set(['\t', '\n']);

/** Nothing in it could be taken out. To make the patterns of all letters takes a millisecond, at every start. */
const plain = /^[\t\n -~]*$/;

/** No terminal sequences, no hidden characters, no lone surrogates; lines stay lines. */
export const clean = (text: string): string => (plain.test(text) ? text : cleaned(text));

const cleaned = (text: string): string =>
  stripAnsi(text)
    .replace(/\r\n?/g, '\n')
    .replace(hidden, (char) => (keep.has(char) ? char : ''))
    .replace(/\p{Cs}/gu, '\ufffd');

/** The same on one line. A line break becomes a visible sign, so that a command can still be read as it was. */
export const oneLine = (text: string): string =>
  clean(text)
    .trim()
    .replace(/[ \t]*\n[ \t]*/g, ' ⏎ ')
    .replace(/\t/g, ' ');

/** At most `max` characters, never through the middle of one. */
export const cutTo = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 2)) ? max - 2 : max - 1;
  return `${text.slice(0, Math.max(0, end))}…`;
};
