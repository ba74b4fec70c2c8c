// What a run and its viewers say to each other over the live socket: one byte of kind, four of length, the content.

/** `hello` and `size`: the viewer's terminal. `keys`: typed. `bytes`: printed. `picture`: the whole screen, drawn anew. */
export const frameKinds = ['hello', 'size', 'keys', 'bytes', 'picture'] as const;

/** On the wire: its first letter. */
export type FrameKind = (typeof frameKinds)[number];

export interface Frame {
  kind: FrameKind;
  body: Uint8Array;
}

export interface ViewerSize {
  cols: number;
  rows: number;
}

const HEAD = 5;
/** A picture of the largest screen is far smaller. */
const LARGEST = 8 * 1024 * 1024;

export const frame = (kind: FrameKind, body: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(HEAD + body.length);
  bytes[0] = kind.charCodeAt(0);
  new DataView(bytes.buffer).setUint32(1, body.length);
  bytes.set(body, HEAD);
  return bytes;
};

export const sizeFrame = (kind: 'hello' | 'size', {cols, rows}: ViewerSize): Uint8Array =>
  frame(kind, new TextEncoder().encode(JSON.stringify({cols, rows})));

/** Undefined when the other side does not tell what a terminal can be. */
export const readSize = (body: Uint8Array): ViewerSize | undefined => {
  try {
    const {cols, rows} = JSON.parse(new TextDecoder().decode(body)) as Partial<ViewerSize>;
    return isLength(cols) && isLength(rows) ? {cols, rows} : undefined;
  } catch {
    return undefined;
  }
};

const isLength = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 4096;

/** Chunks as they come → whole frames. `broken`: this is no viewer of ours; nothing more can be read. */
export const frameReader = (): ((chunk: Uint8Array) => Frame[] | 'broken') => {
  let rest = new Uint8Array(0);
  return (chunk) => {
    const all = new Uint8Array(rest.length + chunk.length);
    all.set(rest);
    all.set(chunk, rest.length);
    const frames: Frame[] = [];
    let at = 0;
    while (all.length - at >= HEAD) {
      const kind = kindOf(all[at] ?? 0);
      const size = new DataView(all.buffer).getUint32(at + 1);
      if (kind === undefined || size > LARGEST) return 'broken';
      if (all.length - at < HEAD + size) break;
      frames.push({kind, body: all.slice(at + HEAD, at + HEAD + size)});
      at += HEAD + size;
    }
    rest = all.slice(at);
    return frames;
  };
};

const kindOf = (byte: number): FrameKind | undefined => frameKinds.find((kind) => kind.charCodeAt(0) === byte);
