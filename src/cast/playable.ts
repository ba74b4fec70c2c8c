// What of a recording may reach a person's terminal. A recorded question to the terminal would be answered into their
// shell, a recorded clipboard write would be done again, and a mouse mode would stay on: only drawing is let through.
//
// A sequence goes out whole or not at all, so that nothing is ever left open. The grammar is that of VT500 terminals.

/** Split-safe: a sequence that is not yet whole waits for its end. */
export const playable = (): ((text: string) => string) => {
  const reader = new Reader();
  return (text) => reader.read(text);
};

const ESC = '\x1b';
const BELL = '\x07';
/** CAN and SUB give a sequence up. */
const isCancel = (char: string): boolean => char === '\x18' || char === '\x1a';
/** One longer than this is nothing that draws. */
const LONGEST = 8192;

type Place = 'text' | 'escape' | 'csi' | 'string' | 'string-escape';

class Reader {
  #place: Place = 'text';
  #held = '';
  #out = '';

  read(text: string): string {
    this.#out = '';
    for (let at = 0; at < text.length; at += 1) {
      if (this.#place !== 'text') this.#step(text[at] ?? '');
      else {
        const next = text.indexOf(ESC, at);
        const end = next === -1 ? text.length : next;
        this.#out += text.slice(at, end).replace(EIGHT_BIT, '');
        at = end;
        if (next !== -1) this.#begin();
      }
    }
    return this.#out;
  }

  #begin(): void {
    this.#place = 'escape';
    this.#held = ESC;
  }

  #step(char: string): void {
    if (this.#place === 'string-escape') {
      if (char === '\\') this.#end(char);
      else {
        this.#begin();
        this.#step(char);
      }
    } else if (char === ESC) {
      if (this.#place === 'string') {
        this.#place = 'string-escape';
        this.#hold(char);
      } else this.#begin();
    } else if (isCancel(char)) this.#place = 'text';
    else if (this.#place === 'string') {
      if (char === BELL) this.#end(char);
      else this.#hold(char);
    } else if (char >= ' ' && char <= '~') this.#inside(char);
    // Other control signs inside a sequence would be obeyed at once by a terminal; what is not ASCII ends it.
    else if (char > '~') this.#held = '';
  }

  #inside(char: string): void {
    if (this.#place === 'csi') {
      if (char >= '@') this.#end(char);
      else this.#hold(char);
    } else if (this.#held === ESC && char === '[') {
      this.#place = 'csi';
      this.#hold(char);
    } else if (this.#held === ESC && ']PX^_'.includes(char)) {
      this.#place = 'string';
      this.#hold(char);
    } else if (char <= '/') this.#hold(char);
    else this.#end(char);
  }

  /** Nothing is added to what was given up already; its end is still awaited. */
  #hold(char: string): void {
    this.#held = this.#held === '' || this.#held.length >= LONGEST ? '' : this.#held + char;
  }

  #end(char: string): void {
    const whole = this.#held === '' ? '' : this.#held + char;
    this.#place = 'text';
    if (draws(whole)) this.#out += whole;
  }
}

/** The old one-sign forms of CSI, OSC and the like: some terminals still obey them. */
const EIGHT_BIT = /[\u0080-\u009f]/g;

const draws = (whole: string): boolean => {
  if (whole.startsWith(`${ESC}[`)) return csiDraws(whole.slice(2, -1), whole.slice(-1));
  // Of the strings only links are part of a drawing.
  if (whole.startsWith(`${ESC}]`)) return whole.startsWith(`${ESC}]8;`) && !/\p{Cc}/u.test(whole.slice(2, -2));
  // Cursor, line feeds, tab stops, keypad; then charsets.
  return /^[78DEHM=>]$/.test(whole.slice(1)) || /^[()*+][0-9A-B]$/.test(whole.slice(1));
};

/** Moves, erases, scrolls, colours; of the modes only those that change how things are drawn. */
const csiDraws = (body: string, final: string): boolean => {
  if (final === 'h' || final === 'l') return body === '4' || (body.startsWith('?') && drawingModes.has(body.slice(1)));
  // The scrollback is the person's.
  if (final === 'J') return /^[012]?$/.test(body);
  if (final === 'q') return /^[0-6]? $/.test(body);
  return /^[\d;:]*$/.test(body) && 'ABCDEFGHIKLMPSTXZ@`abdefgmrsu'.includes(final);
};

/** Wrap, cursor, its blinking, origin, synchronized output. Not the alternate screen: the player has its own. */
const drawingModes = new Set(['6', '7', '12', '25', '2026']);
