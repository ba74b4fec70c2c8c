// One small file of ours, read whole. What lies in a checkpoint folder may have come with a clone: no link is followed,
// nothing that is no plain file is opened for long, and nothing large is taken in.

import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';

const MOST_BYTES = 1024 * 1024;

/** Undefined when it is not there, or is nothing that we would have written. */
export const readSmall = (path: string, most = MOST_BYTES): string | undefined => {
  let fd: number | undefined;
  try {
    // Without O_NONBLOCK the opening of a pipe would wait for its writer for ever.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= most ? readFileSync(fd, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
};
