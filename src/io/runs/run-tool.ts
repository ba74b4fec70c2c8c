// `ckpt` as the agent calls it: a script of the run's own with every path in it absolute. A login shell, or a sandbox's,
// may have another PATH with no node in it.

import {chmodSync} from 'node:fs';
import {join} from 'node:path';
import {writeWhole} from '../files/atomic-file.ts';

export const writeRunTool = (runDir: string, ckptScript: string): string => {
  const path = join(runDir, 'ckpt');
  writeWhole(path, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(ckptScript)} "$@"\n`);
  chmodSync(path, 0o700);
  return path;
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
