// What the agent prints, made fit for several terminals at once: whole sequences only, and no questions.
//
// A viewer may come in between any two chunks: what it gets must not begin in the middle of a sequence or of a letter. And
// what an agent asks its terminal (its kind, its colours, where the cursor is) the run answers itself: of three viewers
// three would answer, and of none nobody.

/** Feeds on the agent's output; gives what the viewers see. */
export const wholeOutput = (): ((chunk: Uint8Array) => Uint8Array) => {
  let kept = '';
  return (chunk) => {
    const text = kept + latin1(chunk);
    const end = wholeUntil(text);
    kept = text.slice(end);
    const whole = text.slice(0, end);
    return fromLatin1(whole.includes(ESC) ? whole.replace(questions, '') : whole);
  };
};

/** Longer ones (images, long links) are given as they come. */
const LONGEST = 4096;

const wholeUntil = (text: string): number => {
  const begins = lastBegun(text);
  return begins >= 0 && text.length - begins <= LONGEST && unfinished.test(text.slice(begins))
    ? begins
    : lettersUntil(text);
};

/** An ESC at the very end may be the first half of the `ESC \\` that ends a string: then the string's own start counts. */
const lastBegun = (text: string): number => {
  const last = text.lastIndexOf(ESC);
  const before = last > 0 && last === text.length - 1 ? text.lastIndexOf(ESC, last - 1) : -1;
  return before >= 0 && openString.test(text.slice(before)) ? before : last;
};

const ESC = '\x1b';
const openString = new RegExp(`^${ESC}[\\]P_^X][^\x07${ESC}]*${ESC}$`);
const unfinished = new RegExp(`^${ESC}(?:[ -/]*|\\[[0-?]*[ -/]*|\\][^\x07${ESC}]*${ESC}?|[P_^X][^${ESC}]*${ESC}?)$`);

/** Where the last whole letter ends (one sign per byte): a letter may have up to four bytes. */
export const lettersUntil = (text: string): number => {
  for (let back = 1; back <= 3 && back <= text.length; back += 1) {
    const byte = text.charCodeAt(text.length - back);
    if (byte < 0x80) return text.length;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? text.length - back : text.length;
  }
  return text.length;
};

/** Device attributes and status, modes, keyboard flags, version, window sizes, colours, clipboard, capabilities, images. */
const questions = new RegExp(
  [
    '\\x1b\\[[>=]?\\d*c',
    '\\x1b\\[\\??\\d+n',
    '\\x1b\\[\\?u',
    '\\x1b\\[\\??\\d+\\$p',
    '\\x1b\\[>\\d*q',
    '\\x1b\\[(?:1[1345689]|2[01])(?:;\\d+)*t',
    '\\x1b\\](?:[45];\\d+|1\\d|52;\\w*|7501);\\?(?:\\x07|\\x1b\\\\)',
    '\\x1bP[+$]q[^\\x1b]*\\x1b\\\\',
    '\\x1b_G[^;\\x1b]*\\ba=q\\b[^\\x1b]*\\x1b\\\\',
  ].join('|'),
  'g',
);

const latin1 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += BLOCK) text += String.fromCharCode(...bytes.subarray(at, at + BLOCK));
  return text;
};

const BLOCK = 8192;

const fromLatin1 = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
};
