#!/usr/bin/env node
// What is started as `ckpt`: loads src/ckpt.ts, built into one script, together with what V8 made of that script when it
// was built. To compile it anew, and as a module, would take a third of the time that a `ckpt resume` has. A Node other
// than the one that built it finds the compiled form unfit, and compiles.

import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Script} from 'node:vm';

const folder = dirname(import.meta.filename);

const compiled = (): Buffer | undefined => {
  try {
    return readFileSync(join(folder, 'ckpt.compiled'));
  } catch {
    return undefined;
  }
};

const filename = 'ckpt.script.js';
const cachedData = compiled();
// It is all ASCII; as Latin-1 it needs not be decoded.
const code = readFileSync(join(folder, filename), 'latin1');
const script = new Script(code, {filename, ...(cachedData === undefined ? {} : {cachedData})});
const start = script.runInThisContext() as (program: string, load: (module: string) => Promise<unknown>) => void;
// A script that comes compiled may not `import`.
start(import.meta.filename, (module) => import(module));
