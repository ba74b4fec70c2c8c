// One item into a list of a JSON text, or out of it. What is not touched keeps its bytes.

import {entryOf, type JsonNode, plainOf, type ReadJson, readJson, skip} from './json-text.ts';

export type Edited = {ok: true; text: string} | Exclude<ReadJson, {ok: true}>;

/** At the end of the list at `path`; what is missing on the way is made. An empty text is an empty object. */
export const addItem = (text: string, path: string[], item: unknown): Edited => {
  const whole = text.trim() === '' ? '{}\n' : text;
  const read = readJson(whole);
  if (!read.ok) return read;
  let node = read.node;
  for (const [depth, key] of path.entries()) {
    const wrong = mustBe(whole, node, 'object');
    if (wrong !== undefined) return wrong;
    const next = entryOf(node, key)?.value;
    if (next === undefined) {
      const value = path.slice(depth + 1).reduceRight<unknown>((inner, name) => ({[name]: inner}), [item]);
      return {ok: true, text: insert(whole, node, {depth: depth + 1, key, value})};
    }
    node = next;
  }
  const wrong = mustBe(whole, node, 'array');
  return wrong ?? {ok: true, text: insert(whole, node, {depth: path.length + 1, key: undefined, value: item})};
};

/** Takes out of the list at `path` what is `unwanted`; what is empty then goes too, up to the top. A number leads into a list. */
export const dropItems = (text: string, path: Way, unwanted: (item: unknown) => boolean): Edited => {
  for (let now = text; ; ) {
    const read = readJson(now);
    if (!read.ok) return read;
    const next = dropOne(now, read.node, {path, unwanted});
    if (next === undefined) return {ok: true, text: now};
    now = next;
  }
};

type Way = (string | number)[];

interface Drop {
  path: Way;
  unwanted(item: unknown): boolean;
}

const dropOne = (text: string, top: JsonNode, {path, unwanted}: Drop): string | undefined => {
  const way: {owner: JsonNode; at: number}[] = [];
  let node = top;
  for (const key of path) {
    const step = stepInto(node, key);
    if (step === undefined) return undefined;
    way.push({owner: node, at: step.at});
    node = step.node;
  }
  if (node.is !== 'array') return undefined;
  const at = node.items.findIndex((item) => unwanted(plainOf(item)));
  if (at === -1) return undefined;
  way.push({owner: node, at});
  // The outermost thing that holds nothing but what goes.
  const alone = way.findLastIndex(({owner}) => partsOf(owner).length > 1);
  const cut = way[Math.max(alone, 0)];
  return cut === undefined ? undefined : without(text, cut.owner, cut.at);
};

const stepInto = (node: JsonNode, key: string | number): {at: number; node: JsonNode} | undefined => {
  if (typeof key === 'number') {
    const item = node.is === 'array' ? node.items[key] : undefined;
    return item === undefined ? undefined : {at: key, node: item};
  }
  const entry = entryOf(node, key);
  return entry === undefined || node.is !== 'object' ? undefined : {at: node.entries.indexOf(entry), node: entry.value};
};

const partsOf = (node: JsonNode): {from: number; to: number}[] => {
  if (node.is === 'object') return node.entries.map(({from, value}) => ({from, to: value.to}));
  return node.is === 'array' ? node.items : [];
};

const without = (text: string, owner: JsonNode, at: number): string => {
  const parts = partsOf(owner);
  const [part, next, before] = [parts[at], parts[at + 1], parts[at - 1]];
  if (part === undefined) return text;
  if (next !== undefined) return text.slice(0, part.from) + text.slice(next.from);
  if (before !== undefined) return text.slice(0, before.to) + text.slice(part.to);
  return text.slice(0, owner.from + 1) + text.slice(owner.to - 1);
};

interface Insert {
  /** How deep the new part stands. */
  depth: number;
  /** Undefined in a list. */
  key: string | undefined;
  value: unknown;
}

const insert = (text: string, owner: JsonNode, {depth, key, value}: Insert): string => {
  const line = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^([ \t]+)["{[]/m.exec(text)?.[1] ?? '  ';
  const indent = unit.repeat(depth);
  const shown = JSON.stringify(value, undefined, unit).replaceAll('\n', `${line}${indent}`);
  const part = `${line}${indent}${key === undefined ? '' : `${JSON.stringify(key)}: `}${shown}`;
  const last = partsOf(owner).at(-1);
  const at = last?.to ?? owner.from + 1;
  const comma = last === undefined ? at : skip(text, at);
  // Some agents allow a comma behind the last one.
  const from = last !== undefined && text[comma] === ',' ? comma + 1 : at;
  const rest = text.slice(from, owner.to - 1);
  const closing = rest.includes('\n') ? rest : `${rest.trimEnd()}${line}${unit.repeat(depth - 1)}`;
  return `${text.slice(0, from)}${last === undefined || from > at ? '' : ','}${part}${closing}${text.slice(owner.to - 1)}`;
};

const mustBe = (text: string, node: JsonNode, is: 'object' | 'array'): Exclude<Edited, {ok: true}> | undefined =>
  node.is === is
    ? undefined
    : {ok: false, line: text.slice(0, node.from).split('\n').length, what: `an ${is} must stand here`};
