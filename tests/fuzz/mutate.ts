// Bytes and JSON, broken in the ways that disks, other versions and strangers break them. By seed, so that each case can
// be played again.

import type {Dice} from '../soak/dice.ts';

const tokens = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    '\n',
    '\r\n',
    '\0',
    '\x1b[',
    '\x1b]0;',
    '\x07',
    '\ud800',
    '\u202e',
    '👩‍👩‍👧‍👦',
    '﻿',
  ],
  ...[
    'null',
    'true',
    '-1',
    '1e309',
    '9007199254740993',
    '""',
    '[[[[[[[[',
    '{"a":',
    '&a',
    '*a',
    '!!js',
    '---',
    '|',
    ': ',
    '- ',
  ],
  ...[
    '__proto__',
    'constructor',
    'type',
    'message',
    'content',
    'payload',
    '../../etc',
    '$(id)',
    '`id`',
    '%00',
    '--',
    '-',
  ],
];

/** One to four wounds. */
export const mutated = (dice: Dice, text: string, other: string): string => {
  let result = text;
  for (let wounds = dice.between(1, 4); wounds > 0; wounds -= 1) {
    const at = dice.between(0, result.length);
    const to = Math.min(result.length, at + dice.between(0, 30));
    switch (dice.between(0, 5)) {
      case 0:
        result = result.slice(0, at) + result.slice(to);
        break;
      case 1:
        result = result.slice(0, at) + dice.pick(tokens) + result.slice(at);
        break;
      case 2:
        result = result.slice(0, at) + String.fromCharCode(dice.between(0, 0xffff)) + result.slice(at + 1);
        break;
      case 3:
        result = result.slice(0, at);
        break;
      case 4:
        result = result.slice(0, at) + other.slice(dice.between(0, other.length)).slice(0, 4000);
        break;
      default:
        result = result.slice(0, to) + result.slice(at);
    }
  }
  return result;
};

const strange: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, '', 'x', '\0', '\ud800', [], {}, [[]], [null], {__proto__: null}],
  ...[
    '2026-11-18T10:00:00Z',
    'not a time',
    '\x1b[2J',
    'a'.repeat(5000),
    {type: 'text'},
    [{type: 'tool_use'}],
    {content: []},
  ],
];

/** The same shape with some of its values exchanged: what byte wounds alone seldom reach. */
export const reshaped = (dice: Dice, value: unknown, odds = 12): unknown => {
  if (dice.oneIn(odds)) return dice.pick(strange);
  if (Array.isArray(value)) return value.map((one) => reshaped(dice, one, odds));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      if (dice.oneIn(odds * 2)) return [];
      return [[dice.oneIn(odds * 2) ? String(dice.pick(tokens)) : key, reshaped(dice, one, odds)]];
    }),
  );
};

/** Of a JSON text either; of any other text the bytes alone. */
export const wounded = (dice: Dice, text: string, other: string): string => {
  if (dice.oneIn(2)) return mutated(dice, text, other);
  try {
    return JSON.stringify(reshaped(dice, JSON.parse(text))) ?? 'null';
  } catch {
    return mutated(dice, text, other);
  }
};
