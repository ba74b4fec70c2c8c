// One item in, one item out; every other byte stays.

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {addItem, dropItems} from '../../src/install/hooks/json-edit.ts';
import {plainOf, readJson} from '../../src/install/hooks/json-text.ts';

const item = {mine: true};
const isMine = (one: unknown): boolean => typeof one === 'object' && one !== null && 'mine' in one;

const textOf = (edited: ReturnType<typeof addItem>): string => {
  if (!edited.ok) throw new Error(`line ${edited.line}: ${edited.what}`);
  return edited.text;
};

describe('an item goes in', () => {
  test.each<[what: string, before: string, after: string]>([
    ['no file', '', '{\n  "a": {\n    "b": [\n      {\n        "mine": true\n      }\n    ]\n  }\n}\n'],
    [
      'other keys, in their own hand',
      '{\n    "x": [1,2,  3],\n    "y":null\n}',
      '{\n    "x": [1,2,  3],\n    "y":null,\n    "a": {\n        "b": [\n            {\n                "mine": true\n            }\n        ]\n    }\n}',
    ],
    [
      'a list that is there',
      '{\n\t"a": {\n\t\t"b": [\n\t\t\t"theirs"\n\t\t]\n\t}\n}\n',
      '{\n\t"a": {\n\t\t"b": [\n\t\t\t"theirs",\n\t\t\t{\n\t\t\t\t"mine": true\n\t\t\t}\n\t\t]\n\t}\n}\n',
    ],
    ['one line', '{"a":{"b":["x"]}}', '{"a":{"b":["x",\n      {\n        "mine": true\n      }\n    ]}}'],
    [
      'comments and a comma at the end',
      '{\n  // why\n  "a": {"b": []}, /* so */\n}\n',
      '{\n  // why\n  "a": {"b": [\n      {\n        "mine": true\n      }\n    ]}, /* so */\n}\n',
    ],
    [
      'the line breaks of Windows',
      '{\r\n  "a": {\r\n    "b": [\r\n    ]\r\n  }\r\n}\r\n',
      '{\r\n  "a": {\r\n    "b": [\r\n      {\r\n        "mine": true\r\n      }\r\n    ]\r\n  }\r\n}\r\n',
    ],
  ])('%s', (_, before, after) => {
    expect(textOf(addItem(before, ['a', 'b'], item))).toBe(after);
  });
});

describe('what cannot be read is told with its line, and nothing is changed', () => {
  test.each<[what: string, text: string, line: number, says: RegExp]>([
    ['a comma is missing', '{\n "a": 1\n "b": 2\n}', 3, /comma/],
    ['it ends too early', '{\n "a": [1,\n', 3, /ends too early/],
    ['a key without quotes', '{a: 1}', 1, /missing/],
    ['two values', '{}\n{}', 2, /behind the end/],
    ['a text where an object must be', '{\n "a": "x"\n}', 2, /an object must stand here/],
    ['an object where a list must be', '{"a": {\n"b": {}}}', 2, /an array must stand here/],
    ['nested without end', '['.repeat(5000), 1, /too deep/],
  ])('%s', (_, text, line, says) => {
    const edited = addItem(text, ['a', 'b'], item);
    expect(edited).toMatchObject({ok: false, line, what: expect.stringMatching(says)});
  });
});

describe('an item goes out', () => {
  test.each<[what: string, before: string, after: string]>([
    ['with all that held only it', '{"x": 1, "a": {"b": [{"mine": 1}]}}', '{"x": 1}'],
    ['from the front', '{"a": {"b": [{"mine": 1}, 2]}}', '{"a": {"b": [2]}}'],
    ['from the end', '{"a": {"b": [2, {"mine": 1}]}}', '{"a": {"b": [2]}}'],
    ['twice', '{"a": {"b": [{"mine": 1}, 2, {"mine": 2}]}}', '{"a": {"b": [2]}}'],
    ['down to nothing', '{"a": {"b": [{"mine": 1}]}}', '{}'],
    ['where there is none', '{"a": {"b": [ 2 ]}}', '{"a": {"b": [ 2 ]}}'],
    ['where there is no list', '{"a": 1}', '{"a": 1}'],
  ])('%s', (_, before, after) => {
    expect(textOf(dropItems(before, ['a', 'b'], isMine))).toBe(after);
  });
});

test('whatever the file: in and out again gives the same values, and what is between is JSON', () => {
  const keys = fc.constantFrom('x', 'y', 'hooks', 'é"\\');
  const files = fc.dictionary(keys, fc.jsonValue({maxDepth: 3})).filter((file) => !('a' in file));
  fc.assert(
    fc.property(files, fc.constantFrom(undefined, 1, 2, 4, '\t'), (file, space) => {
      const before = JSON.stringify(file, undefined, space);
      const between = textOf(addItem(before, ['a', 'b'], item));
      expect(JSON.parse(between)).toEqual({...JSON.parse(before), a: {b: [item]}});
      expect(JSON.parse(textOf(dropItems(between, ['a', 'b'], isMine)))).toEqual(JSON.parse(before));
    }),
  );
});

test('it reads what JSON.parse reads, and gives the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, undefined, 1);
      const read = readJson(text);
      expect(read.ok && plainOf(read.node)).toEqual(JSON.parse(text));
    }),
  );
});
