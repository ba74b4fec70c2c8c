// Loaded into the real ckpt-run by `node --import`: while the lane's file says so, its disk is full or its clock is wrong.
// The program itself is the built one; nothing in it knows of this.

import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';

const control = process.env.SOAK_FAULTS ?? '';
const readWhole = fs.readFileSync;
const RealDate = Date;
let told = {};
let readAt = -1;

const faults = () => {
  const now = performance.now();
  if (now - readAt > 5) {
    readAt = now;
    try {
      told = JSON.parse(readWhole(control, 'utf8'));
    } catch {
      told = {};
    }
  }
  return told;
};

const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), {code: 'ENOSPC', errno: -28});
const realWrite = fs.writeSync;
// Terminals and pipes take no space on a disk.
fs.writeSync = (fd, ...rest) => {
  if (faults().diskFull && fs.fstatSync(fd).isFile()) throw full();
  return realWrite(fd, ...rest);
};
for (const name of ['writeFileSync', 'appendFileSync', 'mkdirSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (faults().diskFull) throw full();
    return real(...args);
  };
}
syncBuiltinESMExports();

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + (faults().clockMs ?? 0));
    else super(...args);
  }
  static now() {
    return RealDate.now() + (faults().clockMs ?? 0);
  }
};
