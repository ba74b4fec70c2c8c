import {fstatSync} from 'node:fs';
import type {Writable} from 'node:stream';
import {type HeldBytes, holdBytes} from '../files/held-bytes.ts';

/** Our stdin, kept as it comes, so that every leg gets it from its first byte, and its end. */
export interface PipedInput {
  /** Gives it all to a leg, and goes on as more arrives. Returns its end: the leg is gone. */
  feed(to: Writable): () => void;
  close(): void;
}

export const openPipedInput = (source: NodeJS.ReadableStream, onFault?: (what: string) => void): PipedInput => {
  const held: HeldBytes = holdBytes({...(onFault && {onFault})});
  let arriving: 'more' | 'ended' = 'more';
  let leg: {step(): void; ahead(): number} | undefined;

  const onData = (chunk: Buffer): void => {
    held.append(chunk);
    leg?.step();
    if (leg === undefined || leg.ahead() > AHEAD) source.pause();
  };
  const onEnd = (): void => {
    arriving = 'ended';
    leg?.step();
  };
  source.on('data', onData);
  source.on('end', onEnd);
  // A broken stdin ends it, as for the bare agent.
  source.on('error', onEnd);
  source.pause();

  return {
    feed: (to) => {
      let sent = 0;
      let busy = false;
      let over = false;
      const ahead = (): number => held.size() - sent;
      const step = (): void => {
        if (over || busy) return;
        if (ahead() === 0) {
          if (arriving === 'ended') {
            over = true;
            // Every byte has been taken; closing our end is the end of the file. (A pipe cannot be shut down by halves.)
            to.destroy();
          } else source.resume();
          return;
        }
        const chunk = held.read(sent, CHUNK);
        sent += chunk.length;
        busy = true;
        to.write(chunk, (error) => {
          busy = false;
          // The agent has closed its stdin: the rest is kept for the next one.
          if (error) over = true;
          else step();
        });
      };
      to.on('error', () => {
        over = true;
      });
      leg = {step, ahead};
      step();
      return () => {
        over = true;
        leg = undefined;
        source.pause();
        to.destroy();
      };
    },
    close: () => {
      source.off('data', onData);
      source.off('end', onEnd);
      source.pause();
      held.close();
    },
  };
};

/** How far we read ahead of a slow agent. */
const AHEAD = 1024 * 1024;
const CHUNK = 64 * 1024;

/** Is there anything to keep? A terminal and /dev/null are given to every leg as they are. */
export const isStdinPiped = (): boolean => {
  try {
    return !fstatSync(0).isCharacterDevice();
  } catch {
    // Closed (`<&-`).
    return false;
  }
};
