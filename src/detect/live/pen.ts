// With which colours and attributes the next letter will come out, as a sequence that makes them so.

export interface Pen {
  apply(params: readonly (number | number[])[]): void;
  sequence(): string;
  copy(): Pen;
}

export const newPen = (on = new Map<string, string>()): Pen => ({
  apply: (params) => applyAll(on, params),
  sequence: () => `\x1b[${['0', ...on.values()].join(';')}m`,
  copy: () => newPen(new Map(on)),
});

/** What each number turns on. */
const slots = new Map<number, string>([
  [1, 'bold'],
  [2, 'dim'],
  [3, 'italic'],
  [4, 'underline'],
  [5, 'blink'],
  [6, 'blink'],
  [7, 'inverse'],
  [8, 'hidden'],
  [9, 'struck'],
  [21, 'underline'],
  [53, 'overline'],
]);

const ends = new Map<number, string[]>([
  [22, ['bold', 'dim']],
  [23, ['italic']],
  [24, ['underline']],
  [25, ['blink']],
  [27, ['inverse']],
  [28, ['hidden']],
  [29, ['struck']],
  [39, ['fg']],
  [49, ['bg']],
  [55, ['overline']],
  [59, ['line']],
]);

const colours = new Map<number, string>([
  [38, 'fg'],
  [48, 'bg'],
  [58, 'line'],
]);

const applyAll = (on: Map<string, string>, params: readonly (number | number[])[]): void => {
  for (let at = 0; at < params.length; at += 1) {
    const number = params[at];
    if (typeof number !== 'number') continue;
    const next = params[at + 1];
    const parts = typeof next === 'object' ? next : undefined;
    const colour = colours.get(number);
    if (colour !== undefined && parts === undefined) at += longColour(on, colour, params.slice(at));
    else if (colour !== undefined)
      on.set(colour, [number, ...(parts ?? [])].map((part) => (part < 0 ? '' : part)).join(':'));
    else applyOne(on, number, parts);
  }
};

const applyOne = (on: Map<string, string>, number: number, parts: number[] | undefined): void => {
  const slot = slots.get(number) ?? shortColour(number);
  if (number === 0) on.clear();
  else if (number === 4 && parts?.[0] === 0) on.delete('underline');
  else if (slot !== undefined) on.set(slot, parts === undefined ? `${number}` : `${number}:${parts.join(':')}`);
  else for (const ended of ends.get(number) ?? []) on.delete(ended);
};

const shortColour = (number: number): string | undefined => {
  if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) return 'fg';
  return (number >= 40 && number <= 47) || (number >= 100 && number <= 107) ? 'bg' : undefined;
};

/** `38;5;n` or `38;2;r;g;b`: how many numbers behind the first belong to it. */
const longColour = (on: Map<string, string>, slot: string, params: readonly (number | number[])[]): number => {
  const size = params[1] === 5 ? 3 : params[1] === 2 ? 5 : 0;
  if (size === 0 || params.length < size) return 0;
  on.set(slot, params.slice(0, size).join(';'));
  return size - 1;
};
