import {writeSync} from 'node:fs';

/**
 * Writes to a descriptor and returns when it is written. Node's own stream costs 8 ms to set up when it is a pipe, which
 * is what an agent gives us. A reader that closes early (`ckpt list | head`) is no fault.
 */
export const writeAll = (fd: number, text: string): void => {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      const {code} = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      // Somebody made the pipe one that does not wait: then we do.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
};
