// Which colours and attributes are on: enough to know whether `CSI 0 m` is owed.
//
// Agents send one of these for every few letters, so it is read from the bytes themselves, and nothing is allocated.

export interface SgrState {
  apply(body: string): void;
  /** The same for a body that lies in a chunk. */
  applyBytes(chunk: Uint8Array, from: number, to: number): void;
  isPlain(): boolean;
  copy(): SgrState;
}

export const sgrState = (before = 0): SgrState => {
  let on = before;
  const applyBytes = (chunk: Uint8Array, from: number, to: number): void => {
    // After a colour that cannot be read, terminals differ in what they still take: then only what is turned on counts.
    let sure = true;
    for (let at = from; at <= to; ) {
      let number = 0;
      let end = at;
      for (; end < to && isDigit(chunk[end]); end += 1) number = number * 10 + (chunk[end] ?? 0) - DIGIT_0;
      const digits = end - at;
      while (end < to && chunk[end] !== SEMICOLON) end += 1;
      const known = number <= HIGHEST && (digits > 0 || end === at);
      if (end - at === 3 && isUnderlineOff(chunk, at)) on &= sure ? ~UNDERLINE : -1;
      else if (known && turnsOn[number] !== 0) on |= turnsOn[number] ?? 0;
      else if (known && sure) on &= ~(turnsOff[number] ?? 0);
      const extended = digits === 2 && end - at === 2 && (number === 38 || number === 48 || number === 58);
      at = end + 1;
      if (!extended) continue;
      const more = partsOfColour(chunk, at, to);
      sure &&= more > 0;
      for (let part = 0; part < more; part += 1) {
        while (at < to && chunk[at] !== SEMICOLON) at += 1;
        at += 1;
      }
    }
  };
  return {
    apply: (body) =>
      applyBytes(
        Uint8Array.from(body, (char) => char.charCodeAt(0)),
        0,
        body.length,
      ),
    applyBytes,
    isPlain: () => on === 0,
    copy: () => sgrState(on),
  };
};

/** Attribute → the number that ends it. */
const endedBy = new Map([
  [1, 22],
  [2, 22],
  [3, 23],
  [4, 24],
  [21, 24],
  [5, 25],
  [6, 25],
  [7, 27],
  [8, 28],
  [9, 29],
  [38, 39],
  [48, 49],
  [58, 59],
  [53, 55],
]);

/** One bit for each number that ends something. */
const bitOf = new Map([...new Set(endedBy.values())].map((end, index) => [end, 1 << index]));

const HIGHEST = 107;
/** The short colours count as their long forms. */
const longForm = (number: number): number => {
  if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) return 38;
  if ((number >= 40 && number <= 47) || (number >= 100 && number <= 107)) return 48;
  return number;
};
const numbers = Array.from({length: HIGHEST + 1}, (_, number) => number);
const turnsOn = Int32Array.from(numbers, (number) => bitOf.get(endedBy.get(longForm(number)) ?? 0) ?? 0);
const turnsOff = Int32Array.from(numbers, (number) => (number === 0 ? -1 : (bitOf.get(number) ?? 0)));
const UNDERLINE = bitOf.get(24) ?? 0;

const SEMICOLON = 0x3b;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9;

/** `4:0`. */
const isUnderlineOff = (chunk: Uint8Array, at: number): boolean =>
  chunk[at] === 0x34 && chunk[at + 1] === 0x3a && chunk[at + 2] === DIGIT_0;

/** `38;5;n` and `38;2;r;g;b`: what follows are no attributes. `38:2:…` is one part already. */
const partsOfColour = (chunk: Uint8Array, at: number, to: number): number => {
  const alone = at < to && (at + 1 === to || chunk[at + 1] === SEMICOLON);
  return alone && chunk[at] === 0x35 ? 2 : alone && chunk[at] === 0x32 ? 4 : 0;
};
