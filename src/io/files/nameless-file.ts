import {openSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';

/** Open, and without a name from then on: nobody else can open it, and it goes with us, however we end. */
export const namelessFile = (folder: string, name: string): number => {
  const path = join(folder, `${name}-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const fd = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return fd;
};
