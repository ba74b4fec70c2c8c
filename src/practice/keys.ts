// Bytes from the keyboard → what the person meant. Bracketed paste is text; escape sequences of arrows, mouse and focus
// mean nothing here.

export type Key = {is: 'text'; text: string} | {is: 'enter' | 'backspace' | 'interrupt' | 'escape' | 'end'};

/** Sequences may be torn between two reads: the torn part waits. */
export const newKeys = (): ((chunk: string) => Key[]) => {
  let rest = '';
  return (chunk) => {
    const keys: Key[] = [];
    rest += chunk;
    // Alone in a read, ESC is the key itself; every sequence arrives with more behind it.
    if (rest === ESC) {
      rest = '';
      return [{is: 'escape'}];
    }
    while (rest !== '') {
      const next = nextKey(rest);
      if (next === undefined) break;
      rest = rest.slice(next.length);
      if (next.key !== undefined) keys.push(next.key);
    }
    return keys;
  };
};

const ESC = '\x1b';
const PASTE = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;

interface Next {
  length: number;
  key?: Key;
}

/** Undefined: not whole yet. */
const nextKey = (text: string): Next | undefined => {
  if (text.startsWith(PASTE)) {
    const end = text.indexOf(PASTE_END);
    if (end < 0) return undefined;
    // Claude makes four spaces of a pasted tab.
    const pasted = text.slice(PASTE.length, end).replace(/\r\n?/g, '\n').replaceAll('\t', '    ');
    return {length: end + PASTE_END.length, key: {is: 'text', text: pasted}};
  }
  if (text.startsWith(ESC)) return sequence(text);
  const control = CONTROLS[text.charAt(0)];
  if (control !== undefined) return {length: 1, key: control};
  if (text.charAt(0) < ' ') return {length: 1};
  const end = [...text].findIndex((char) => char < ' ' || char === '\x7f');
  const plain = end < 0 ? text : [...text].slice(0, end).join('');
  return {length: plain.length, key: {is: 'text', text: plain}};
};

const CONTROLS: Record<string, Key> = {
  '\r': {is: 'enter'},
  '\n': {is: 'text', text: '\n'},
  '\x7f': {is: 'backspace'},
  '\b': {is: 'backspace'},
  '\x03': {is: 'interrupt'},
  '\x04': {is: 'end'},
};

const sequence = (text: string): Next | undefined => {
  if (text.length < 2) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are made of them
  const whole = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|O.|[^[\]PX^_O])/.exec(
    text,
  );
  if (whole !== null) return {length: whole[0].length};
  // A sequence that never ends would eat everything typed after it.
  return text.length > 4096 ? {length: 1} : undefined;
};
