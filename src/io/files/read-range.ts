import {readSync} from 'node:fs';

/** The bytes of an open file from one place to another, wherever its own position is; fewer when it is shorter. */
export const bytesOf = (fd: number, from: number, to: number): Buffer => {
  const bytes = Buffer.alloc(to - from);
  let done = 0;
  for (let read = 1; read > 0 && done < bytes.length; done += read)
    read = readSync(fd, bytes, done, bytes.length - done, from + done);
  return bytes.subarray(0, done);
};
