// A bell or OSC 9 to the person's terminal, never inside a sequence or a letter of the agent's.

import {lettersUntil} from '../../live/whole-output.ts';

export interface Ringer {
  ring(bytes: string): void;
  /** The agent printed this, and it has been written. */
  seen(chunk: Uint8Array): void;
}

export const ringer = (isInside: () => boolean, write: (bytes: Uint8Array) => void): Ringer => {
  let waiting = '';
  let cut = false;
  const flush = (): void => {
    if (waiting === '' || cut || isInside()) return;
    write(Buffer.from(waiting));
    waiting = '';
  };
  return {
    ring: (bytes) => {
      waiting += bytes;
      flush();
    },
    seen: (chunk) => {
      const end = Buffer.from(chunk.subarray(-LETTER)).toString('latin1');
      if (end !== '') cut = lettersUntil(end) < end.length;
      flush();
    },
  };
};

/** A letter has at most so many bytes. */
const LETTER = 4;
