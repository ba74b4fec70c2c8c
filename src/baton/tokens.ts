// How long a text is for a model, by an estimate that errs on the safe side: 1.3 times what public tokenizers count
// (tests/baton/tokens.test.ts holds it against two of them, over prose, code, paths, hashes and other scripts).

import {clean} from './clean.ts';

/** Never less than about 1.3 × a tokenizer's count. Stops counting once it is over `limit`. */
export const tokens = (text: string, limit = Number.POSITIVE_INFINITY): number => {
  let sum = 0;
  for (const piece of pieces(text)) {
    sum += piece.tokens;
    if (sum > limit) break;
  }
  return Math.ceil(sum);
};

export interface Cut {
  max: number;
  /** What stands behind a text that had to be cut. */
  pointer: string;
  /** How it is made safe to show; cleaned unless told otherwise. */
  safely?: (text: string) => string;
}

/** The whole text, or as much as fits with `pointer` behind it. Never through the middle of a character. */
export const cutToTokens = (text: string, {max, pointer, safely = clean}: Cut): string => {
  // A megabyte need not be cleaned to find out that it is too long.
  const head = text.length > max * 16 ? text.slice(0, max * 16) : text;
  const safe = safely(head);
  if (head === text && tokens(safe, max) <= max) return safe;
  let room = max - tokens(pointer) - 1;
  let end = 0;
  for (const piece of pieces(safe)) {
    room -= piece.tokens;
    if (room < 0) break;
    end = piece.end;
  }
  return `${clean(safe.slice(0, end)).replace(/\ufffd$/, '')}${pointer}`;
};

/** What tokenizers cut text into, roughly: words and their camel humps, numbers, blanks, single signs. */
const piece = /[A-Z]?[a-z]{1,24}|[A-Z]{1,24}|[0-9]{1,24}|\n{1,24}|[ \t\r]{1,24}|[\s\S]/gu;

function* pieces(text: string): Generator<{tokens: number; end: number}> {
  let before = 0;
  for (const {0: part, index} of text.matchAll(piece)) {
    yield {tokens: weight(part, before), end: index + part.length};
    before = part.charCodeAt(part.length - 1);
  }
}

/** `before`: the unit in front of it, 0 at the start. */
const weight = (part: string, before: number): number => {
  const first = part.charCodeAt(0);
  if (first === newline) return 1.35 + 0.05 * part.length;
  if (part === ' ') return 0;
  if (isBlank(first)) return 1.35 + 0.02 * part.length;
  // A blank goes into the word behind it, but not into a number.
  if (isDigit(first)) return 1.3 * Math.ceil(part.length / 3) + (before === blank ? 1.3 : 0.15);
  const last = part.charCodeAt(part.length - 1);
  if (isLower(last)) return wordWeight(part, isUpper(first) && (isUpper(before) || isLower(before)));
  if (isUpper(first)) return 0.55 + 0.78 * part.length;
  if (first < 0x80) return before === blank || before === 0 ? 1.3 : 1;
  return foreignWeight(part.codePointAt(0) ?? 0);
};

const [newline, blank] = [0x0a, 0x20];
const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09 || unit === 0x0d;
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const isUpper = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a;
const isLower = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;

/** A word is one token, unless its letters do not go together: `migration` is one, `xqzvkj` is four. */
const wordWeight = (word: string, isHump: boolean): number => {
  const letters = word.toLowerCase();
  let strange = 0;
  for (let at = 1; at < letters.length; at += 1) {
    const row = usual[letters.charCodeAt(at - 1) - 97] ?? 0;
    if (((row >> (letters.charCodeAt(at) - 97)) & 1) === 0) strange += 1;
  }
  return 1.3 + 0.95 * strange + 0.05 * Math.max(0, letters.length - 4) + (isHump ? 0.35 : 0);
};

/** Row `a` to `z`, bit `a` to `z`: the 200 most frequent pairs of letters in this project's own prose and code. */
const usual = [
  0x11ebd4e, 0x1104811, 0xa4d91, 0x44111, 0xeeb97d, 0x24131, 0x60110, 0x4111, 0x2ef87c, 0x40000, 0x4a110, 0x11c4919,
  0x4d113, 0x1ccd5d, 0x7efd6d, 0x1a4911, 0x100000, 0x11e751d, 0x1c4595, 0x11e4195, 0xeb818, 0x110, 0x26191, 0x80100,
  0x8000, 0x0,
];

/** Up to which code point a character of a script weighs how much; measured on plain text of that script. */
const scripts: [end: number, tokens: number][] = [
  [0x180, 1.3], // Latin with accents
  [0x370, 2.7],
  [0x400, 1.3], // Greek
  [0x460, 0.8], // Cyrillic
  [0x590, 2.7],
  [0x700, 1.1], // Hebrew, Arabic
  [0x900, 2.7],
  [0x980, 1.65], // Devanagari
  [0xe00, 4],
  [0xe80, 1.4], // Thai
  [0x2010, 4],
  [0x2070, 1.4], // dashes, quotes
  [0x2190, 4],
  [0x2800, 2.7], // arrows, boxes, signs
  [0x3000, 4],
  [0x3100, 1.4], // kana
  [0x4e00, 4],
  [0xa000, 1.6], // Han
  [0xac00, 4],
  [0xd7b0, 1.6], // Hangul
  [0x10000, 4],
];

const foreignWeight = (code: number): number => {
  if (code >= 0x1f300 && code < 0x1fb00) return 4; // emoji
  return scripts.find(([end]) => code < end)?.[1] ?? 5.3;
};
