// Ctrl-] then d: leaves a run alone again. Never given to the agent; everything else goes on byte by byte.
//
// Terminals write the same keys in four ways: as plain bytes, by the kitty keyboard (`CSI 93;5u`, with further fields and
// events for the release of a key), by modifyOtherKeys (`CSI 27;5;93~`) and by win32-input-mode (`CSI 221;…;29;1;8;1_`).
// Inside a bracketed paste nothing is a key.

export interface Typed {
  /** For the agent. */
  pass: Uint8Array;
  /** The chord is complete; what was typed behind it is dropped. */
  detach: boolean;
  /** Something is kept back: if nothing follows for so many milliseconds, flush() gives it. */
  waitMs: number | undefined;
}

export interface Chord {
  type(bytes: Uint8Array): Typed;
  flush(): Uint8Array;
}

/** From Ctrl-] to d. */
const CHORD_MS = 1000;
/** From the start of a sequence to its end; also of a lone ESC, which may be one. */
const SEQUENCE_MS = 25;

/** `release`: of Ctrl-]. `aside`: of another key, or one that is only held; it neither makes nor breaks the chord. */
type Key = 'first' | 'second' | 'release' | 'aside' | 'other';

export const detachChord = (): Chord => {
  /** Ctrl-] and what came with it, in order. */
  let kept = '';
  /** What of it is no part of the chord. */
  let aside = '';
  /** The start of a sequence. */
  let tail = '';
  let pasting = false;
  const take = (key: Key, token: string): string => {
    if (key === 'aside' || key === 'release') {
      if (kept === '') return token;
      kept += token;
      if (key === 'aside') aside += token;
      return '';
    }
    const before = kept;
    kept = key === 'first' ? token : '';
    aside = '';
    return key === 'first' ? before : before + token;
  };
  return {
    type: (bytes) => {
      const typed = tail + latin1(bytes);
      tail = '';
      let pass = '';
      for (let at = 0; at < typed.length; ) {
        const token = nextToken(typed, at);
        if (token === undefined) {
          tail = typed.slice(at);
          break;
        }
        at += token.length;
        const key = pasting ? 'other' : keyOf(token);
        if (key === 'second' && kept !== '') {
          kept = '';
          return {pass: fromLatin1(pass + aside), detach: true, waitMs: undefined};
        }
        if (token === PASTE || token === PASTED) pasting = token === PASTE;
        pass += take(key === 'second' ? 'other' : key, token);
      }
      const waitMs = tail === '' ? (kept === '' ? undefined : CHORD_MS) : SEQUENCE_MS;
      return {pass: fromLatin1(pass), detach: false, waitMs};
    },
    flush: () => {
      const all = kept + tail;
      kept = '';
      aside = '';
      tail = '';
      return fromLatin1(all);
    },
  };
};

const PASTE = '\x1b[200~';
const PASTED = '\x1b[201~';

const ESC = '\x1b';
const sequence = new RegExp(`${ESC}\\[[<=>?]?[\\d;:]*[@-~]`, 'y');
const begun = new RegExp(`${ESC}(?:\\[[<=>?]?[\\d;:]*)?$`, 'y');
const LONGEST = 64;

/** One key, or one byte; undefined when it may go on in the next read. */
const nextToken = (typed: string, at: number): string | undefined => {
  if (typed[at] !== ESC) return typed[at];
  sequence.lastIndex = at;
  const whole = sequence.exec(typed)?.[0];
  if (whole !== undefined) return whole;
  begun.lastIndex = at;
  return typed.length - at < LONGEST && begun.test(typed) ? undefined : typed[at];
};

const keyOf = (token: string): Key => {
  if (token === '\x1d') return 'first';
  if (token === 'd') return 'second';
  if (!token.startsWith(ESC)) return 'other';
  if (token.endsWith('u')) return kittyKey(token);
  if (token.endsWith('_')) return win32Key(token);
  return token === '\x1b[27;5;93~' ? 'first' : 'other';
};

const CTRL = 4;
/** Caps lock and num lock are no keys that one holds. */
const LOCKS = 64 + 128;

const kitty = new RegExp(`^${ESC}\\[(\\d+)(?::(\\d*))?(?::(\\d*))?(?:;(\\d*)(?::(\\d+))?)?(?:;[\\d:]*)?u$`);

/** `CSI code:shifted:base ; modifiers:event ; text u`. */
const kittyKey = (token: string): Key => {
  const fields = kitty.exec(token);
  if (fields === null) return 'other';
  const [, code = '', , base = '', modifiers = '', event = ''] = fields;
  const held = (Number(modifiers || 1) - 1) & ~LOCKS;
  if (Number(code) >= 57441 && Number(code) <= 57454) return 'aside';
  const isBracket = code === '93' || base === '93';
  if (event === '3') return isBracket ? 'release' : 'aside';
  if (isBracket && held === CTRL) return 'first';
  return code === '100' && held === 0 ? 'second' : 'other';
};

/** `CSI key ; scan code ; character ; down ; control keys ; repeat _`. */
const win32Key = (token: string): Key => {
  const [key = 0, , character = 0, down = 0, controls = 0] = token.slice(2, -1).split(';').map(Number);
  if (key >= 16 && key <= 18) return 'aside';
  if (down === 0) return character === 0x1d || key === 221 ? 'release' : 'aside';
  if (character === 0x1d) return 'first';
  return character === 100 && (controls & 0b1111) === 0 ? 'second' : 'other';
};

const latin1 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

const fromLatin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
