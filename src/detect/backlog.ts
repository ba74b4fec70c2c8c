// What came since the last look: bytes and changes of size, in order, the newest so many bytes, to the byte.

export interface Size {
  cols: number;
  rows: number;
}

export interface Backlog {
  add(chunk: Uint8Array): void;
  resize(size: Size): void;
  /** Everything, in blocks that do not depend on the chunks; the backlog is empty then. */
  take(): (Uint8Array | Size)[];
}

/** Takes the library about half a millisecond. */
const BLOCK = 8 * 1024;

/** Ends a sequence: what is left may begin in the middle of one, and must not be read as the end of an older one. */
const CANCEL = Uint8Array.of(0x18);

interface Block {
  bytes: Uint8Array;
  used: number;
}

export const newBacklog = (limit: number): Backlog => {
  let items: (Block | Size)[] = [];
  let size = 0;
  let cut = false;
  let cutSize: Size | undefined;
  const open = (): Block => {
    const last = items.at(-1);
    if (last && 'bytes' in last && last.used < BLOCK) return last;
    const block = {bytes: new Uint8Array(BLOCK), used: 0};
    items.push(block);
    return block;
  };
  /** Whole items only: the first block left is shortened when it is taken. */
  const drop = (): void => {
    for (let first = items[0]; first; first = items[0]) {
      if ('cols' in first) cutSize = first;
      else if (size - first.used < limit) return;
      else size -= first.used;
      cut ||= 'bytes' in first;
      items.shift();
    }
  };
  return {
    add: (chunk) => {
      for (let at = 0; at < chunk.length; ) {
        const block = open();
        const part = chunk.subarray(at, at + BLOCK - block.used);
        block.bytes.set(part, block.used);
        block.used += part.length;
        at += part.length;
        size += part.length;
      }
      if (size > limit) drop();
    },
    resize: (to) => {
      const last = items.at(-1);
      if (last && 'cols' in last) items.pop();
      // The room that it will not use now.
      else if (last) last.bytes = last.bytes.slice(0, last.used);
      items.push(to);
    },
    take: () => {
      let spare = Math.max(0, size - limit);
      const steps = items.map((item) => {
        if ('cols' in item) return item;
        const from = Math.min(spare, item.used);
        spare -= from;
        return item.bytes.subarray(from, item.used);
      });
      const before = [...(cutSize ? [cutSize] : []), ...(cut || size > limit ? [CANCEL] : [])];
      items = [];
      size = 0;
      cut = false;
      cutSize = undefined;
      return [...before, ...steps];
    },
  };
};
