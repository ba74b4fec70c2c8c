// JSON as people write it: read with the place of everything, so that one entry can be put in or taken out and every
// other byte stays. Comments and a trailing comma are understood, since some agents allow them.

export type JsonNode =
  | {is: 'object'; from: number; to: number; entries: JsonEntry[]}
  | {is: 'array'; from: number; to: number; items: JsonNode[]}
  | {is: 'plain'; from: number; to: number; value: string | number | boolean | null};

export interface JsonEntry {
  key: string;
  /** Where the key begins. */
  from: number;
  value: JsonNode;
}

export type ReadJson = {ok: true; node: JsonNode} | {ok: false; line: number; what: string};

export const readJson = (text: string): ReadJson => {
  try {
    const first = skip(text, text.startsWith('\ufeff') ? 1 : 0);
    const node = readValue(text, first, 0);
    const end = skip(text, node.to);
    if (end < text.length) throw new Fault(end, 'something stands behind the end');
    return {ok: true, node};
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return {ok: false, line: text.slice(0, error.at).split('\n').length, what: error.message};
  }
};

export const plainOf = (node: JsonNode): unknown => {
  switch (node.is) {
    case 'plain':
      return node.value;
    case 'array':
      return node.items.map(plainOf);
    case 'object':
      return Object.fromEntries(node.entries.map(({key, value}) => [key, plainOf(value)]));
  }
};

/** The last one counts, as for JSON.parse. */
export const entryOf = (node: JsonNode | undefined, key: string): JsonEntry | undefined =>
  node?.is === 'object' ? node.entries.findLast((entry) => entry.key === key) : undefined;

class Fault extends Error {
  readonly at: number;
  constructor(at: number, what: string) {
    super(what);
    this.at = at;
  }
}

const maxDepth = 200;

/** Behind blanks and comments. */
export const skip = (text: string, from: number): number => {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.exec(text);
  return blank.lastIndex;
};

const readValue = (text: string, from: number, depth: number): JsonNode => {
  if (depth > maxDepth) throw new Fault(from, 'it is nested too deep');
  const char = text[from];
  if (char === '{') return readObject(text, from, depth);
  if (char === '[') return readArray(text, from, depth);
  const word = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
  word.lastIndex = from;
  const found = word.exec(text)?.[0];
  if (found === undefined) throw new Fault(from, from >= text.length ? 'it ends too early' : 'a value is missing');
  return {is: 'plain', from, to: from + found.length, value: parsePlain(found, from)};
};

const parsePlain = (word: string, from: number): string | number | boolean | null => {
  try {
    return JSON.parse(word) as string | number | boolean | null;
  } catch {
    throw new Fault(from, `${word.slice(0, 40)} is no JSON`);
  }
};

const readArray = (text: string, from: number, depth: number): JsonNode => {
  const items: JsonNode[] = [];
  for (let at = skip(text, from + 1); ; ) {
    if (text[at] === ']') return {is: 'array', from, to: at + 1, items};
    const item = readValue(text, at, depth + 1);
    items.push(item);
    at = behindComma(text, item.to, ']');
  }
};

const readObject = (text: string, from: number, depth: number): JsonNode => {
  const entries: JsonEntry[] = [];
  for (let at = skip(text, from + 1); ; ) {
    if (text[at] === '}') return {is: 'object', from, to: at + 1, entries};
    const key = readValue(text, at, depth + 1);
    if (key.is !== 'plain' || typeof key.value !== 'string') throw new Fault(at, 'a key in quotes is missing');
    const colon = skip(text, key.to);
    if (text[colon] !== ':') throw new Fault(colon, 'a colon is missing');
    const value = readValue(text, skip(text, colon + 1), depth + 1);
    entries.push({key: key.value, from: key.from, value});
    at = behindComma(text, value.to, '}');
  }
};

/** Where the next item begins, or the bracket that closes. */
const behindComma = (text: string, from: number, close: string): number => {
  const at = skip(text, from);
  if (text[at] === ',') return skip(text, at + 1);
  if (text[at] === close) return at;
  throw new Fault(at, `a comma or ${close} is missing`);
};
