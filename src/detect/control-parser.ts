// Finds control sequences in a terminal stream, however it is cut into chunks. Text costs one comparison per byte.

export type Control =
  /** `body` is everything between `CSI` and the final byte. */
  | {is: 'csi'; body: string; final: string}
  /** `body` without its end. */
  | {is: 'osc'; body: string}
  | {is: 'esc'; inter: string; final: string}
  /** SO (out) and SI. */
  | {is: 'shift'; out: boolean};

export interface ControlParser {
  feed(chunk: Uint8Array): void;
  /** Is a sequence open at the end of what was fed? */
  isInside(): boolean;
}

type Place = 'text' | 'esc' | 'esc-inter' | 'csi' | 'osc' | 'string';

/** Longer ones are nothing that we know: read to their end, and dropped. Of a long OSC (a link) the start counts. */
const longest = 512;

/**
 * Sees a CSI sequence where it lies (its body from `from`, its final byte at `to`) before it is made a Control, and says
 * whether that can be spared. Agents send a million of them that change nothing. Not asked about odd ones (cut by the
 * chunks, with intermediates).
 */
export type Skim = (chunk: Uint8Array, from: number, to: number) => boolean;

export const controlParser = (take: (control: Control) => void, skim: Skim = () => false): ControlParser => {
  let place: Place = 'text';
  let body = '';
  const open = (next: Place): void => {
    place = next;
    body = '';
  };
  const add = (byte: number): void => {
    if (body.length < longest) body += String.fromCharCode(byte);
  };
  const close = (control: Control): void => {
    place = 'text';
    if (body.length < longest || control.is === 'osc') take(control);
  };
  const afterEsc = (byte: number): void => {
    if (byte === 0x5b) open('csi');
    else if (byte === 0x5d) open('osc');
    else if (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) open('string');
    else if (byte >= 0x20 && byte < 0x30) {
      open('esc-inter');
      add(byte);
    } else if (byte >= 0x30 && byte < 0x7f) close({is: 'esc', inter: '', final: String.fromCharCode(byte)});
    else if (byte >= 0x80) open('text');
  };
  const step = (byte: number): void => {
    if (byte === 0x18 || byte === 0x1a) open('text');
    else if (byte === 0x1b) {
      // The usual end of an OSC is `ESC \`, but for most terminals ESC alone has ended it, whatever follows.
      if (place === 'osc') close({is: 'osc', body});
      open('esc');
    } else if (place === 'osc') {
      if (byte === 0x07) close({is: 'osc', body});
      else add(byte);
    } else if (place === 'string') return;
    else if (byte === 0x0e || byte === 0x0f) take({is: 'shift', out: byte === 0x0e});
    else if (byte < 0x20 || byte === 0x7f) return;
    else if (place === 'esc') afterEsc(byte);
    else if (place === 'csi') {
      if (byte >= 0x40) close({is: 'csi', body, final: String.fromCharCode(byte)});
      else add(byte);
    } else if (byte >= 0x30) close({is: 'esc', inter: body, final: String.fromCharCode(byte)});
    else add(byte);
  };
  return {
    feed: (chunk) => {
      for (let i = place === 'text' ? textEnd(chunk, 0) : 0; i < chunk.length; ) {
        const byte = chunk[i] ?? 0;
        const end = place === 'text' && byte === 0x1b ? finalOf(chunk, i) : 0;
        if (end > 0 && skim(chunk, i + 2, end)) i = end;
        else if (place !== 'text' || byte === 0x1b || byte === 0x0e || byte === 0x0f) step(byte);
        i = place === 'text' ? textEnd(chunk, i + 1) : i + 1;
      }
    },
    isInside: () => place !== 'text',
  };
};

/** Where the CSI sequence that begins here has its final byte; 0 when it is none, or not a whole and plain one. */
const finalOf = (chunk: Uint8Array, start: number): number => {
  if (chunk[start + 1] !== 0x5b) return 0;
  const limit = Math.min(chunk.length, start + 2 + longest);
  for (let i = start + 2; i < limit; i += 1) {
    const byte = chunk[i] ?? 0;
    if (byte >= 0x40) return byte < 0x7f ? i : 0;
    if (byte < 0x30) return 0;
  }
  return 0;
};

/** Where the next byte is that may be a control. */
const textEnd = (chunk: Uint8Array, from: number): number => {
  let i = from;
  while (i < chunk.length && (chunk[i] ?? 0) > 0x1b) i += 1;
  return i;
};
