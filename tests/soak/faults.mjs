// Loaded into the real ckpt-run by `node --import`: while the lane's file says so, its disk is full or its clock is wrong;
// and with SOAK_CRASH it dies before its n-th call that changes the disk, or finds the disk full from one such call to
// another. The program itself is the built one; nothing in it knows of this.

import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';

const control = process.env.SOAK_FAULTS ?? '';
const {dieAt = Infinity, fullFrom = Infinity, fullTo = Infinity} = JSON.parse(process.env.SOAK_CRASH || '{}');
// Its children have a life of their own.
delete process.env.SOAK_CRASH;
const readWhole = fs.readFileSync;
const RealDate = Date;
let told = {};
let readAt = -1;
let changes = 0;

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
const isFull = () => faults().diskFull || (changes >= fullFrom && changes < fullTo);
const change = () => {
  changes += 1;
  if (changes === dieAt) process.kill(process.pid, 'SIGKILL');
};

const realWrite = fs.writeSync;
// Terminals and pipes take no space on a disk.
fs.writeSync = (fd, ...rest) => {
  if (fs.fstatSync(fd).isFile()) {
    change();
    if (isFull()) throw full();
  }
  return realWrite(fd, ...rest);
};
for (const name of ['writeFileSync', 'appendFileSync', 'mkdirSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    change();
    if (isFull()) throw full();
    return real(...args);
  };
}
for (const name of ['renameSync', 'unlinkSync', 'rmSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    change();
    return real(...args);
  };
}
syncBuiltinESMExports();

process.on('exit', () => {
  if (process.env.SOAK_COUNT) realWrite(fs.openSync(process.env.SOAK_COUNT, 'a'), `${changes}\n`);
});

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + (faults().clockMs ?? 0));
    else super(...args);
  }
  static now() {
    return RealDate.now() + (faults().clockMs ?? 0);
  }
};
