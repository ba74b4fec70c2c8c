// Small readers for the fields of a YAML map. Each says by line what is wrong and what to write instead.

import type {Failure} from '../core/failure.ts';

/** One YAML value with its place in the file. parse.ts makes these from the yaml library's nodes. */
export type Field =
  | {is: 'map'; line: number; entries: Map<string, {line: number; value: Field}>}
  | {is: 'list'; line: number; items: Field[]}
  | {is: 'scalar'; line: number; value: unknown};

/** Carries a failure up through the readers; caught in parse.ts and nowhere else. */
export class FieldError extends Error {
  constructor(
    readonly line: number,
    readonly what: string,
    readonly fix: string,
  ) {
    super(what);
  }

  in(file: string): Failure {
    return {is: 'bad-config', file, line: this.line, what: this.what, fix: this.fix};
  }
}

export class MapReader {
  readonly #map: Extract<Field, {is: 'map'}>;
  readonly #path: string;

  constructor(field: Field, path: string, known: readonly string[]) {
    if (field.is !== 'map') {
      throw new FieldError(field.line, `${path || 'the file'} is not a map`, `write keys: ${known.join(', ')}`);
    }
    for (const [key, {line}] of field.entries) {
      if (known.includes(key)) continue;
      throw new FieldError(line, `unknown key "${join(path, key)}"`, `known keys here: ${known.join(', ')}`);
    }
    this.#map = field;
    this.#path = path;
  }

  has(key: string): boolean {
    return this.#map.entries.has(key);
  }

  line(key: string): number {
    return this.#map.entries.get(key)?.line ?? this.#map.line;
  }

  /** The value of a key that must be there. */
  field(key: string): Field {
    const entry = this.#map.entries.get(key);
    if (!entry) throw new FieldError(this.#map.line, `"${join(this.#path, key)}" is missing`, `add "${key}:"`);
    return entry.value;
  }

  map(key: string, known: readonly string[]): MapReader {
    return new MapReader(this.field(key), join(this.#path, key), known);
  }

  /** The values of a map whose keys are free. */
  record(key: string): Record<string, string> {
    if (!this.has(key)) return {};
    const field = this.field(key);
    if (field.is !== 'map') throw this.wrong(key, 'a map of texts');
    const pairs = [...field.entries].map(([name, {value}]) => [
      name,
      textOf(value, join(this.#path, `${key}.${name}`)),
    ]);
    return Object.fromEntries(pairs);
  }

  text(key: string): string {
    return textOf(this.field(key), join(this.#path, key));
  }

  /** One of a few words. */
  word<T extends string>(key: string, allowed: readonly T[]): T {
    const text = this.text(key);
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw this.wrong(key, `one of: ${allowed.join(', ')}`);
    return found;
  }

  count(key: string): number {
    return countOf(this.field(key), join(this.#path, key));
  }

  flag(key: string): boolean {
    const field = this.field(key);
    if (field.is !== 'scalar' || typeof field.value !== 'boolean') throw this.wrong(key, 'true or false');
    return field.value;
  }

  items(key: string): Field[] {
    if (!this.has(key)) return [];
    const field = this.field(key);
    if (field.is !== 'list') throw this.wrong(key, 'a list: [a, b]');
    return field.items;
  }

  texts(key: string): string[] {
    return this.items(key).map((item) => textOf(item, `an item of ${join(this.#path, key)}`));
  }

  counts(key: string): number[] {
    return this.items(key).map((item) => countOf(item, `an item of ${join(this.#path, key)}`));
  }

  wrong(key: string, wanted: string): FieldError {
    return new FieldError(this.line(key), `"${join(this.#path, key)}" has the wrong value`, `write ${wanted}`);
  }
}

const textOf = (field: Field, path: string): string => {
  if (field.is === 'scalar' && typeof field.value === 'string') return field.value;
  throw new FieldError(field.line, `${path} is not a text`, 'put it in quotes');
};

const countOf = (field: Field, path: string): number => {
  if (field.is === 'scalar' && Number.isInteger(field.value) && Number(field.value) >= 0) return Number(field.value);
  throw new FieldError(field.line, `${path} is not a whole number`, 'write a whole number, 0 or more');
};

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
