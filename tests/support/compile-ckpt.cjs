// Part of the build: runs the script of `ckpt` in a folder of its own, then keeps what V8 has compiled of it by then.
// argv: dist folder. Names as in src/io/self/quick-start.ts.

const {execFileSync} = require('node:child_process');
const {mkdtempSync, readFileSync, rmSync, writeFileSync} = require('node:fs');
const {tmpdir} = require('node:os');
const {join, resolve} = require('node:path');
const {Script} = require('node:vm');

const dist = resolve(process.argv[2]);
const filename = 'ckpt.script.js';
const script = new Script(readFileSync(join(dist, filename), 'latin1'), {filename});
const home = mkdtempSync(join(tmpdir(), 'ckpt-build-'));
for (const name of Object.keys(process.env)) if (/^(?:CKPT|GIT)_/.test(name)) delete process.env[name];
process.env.HOME = home;
process.chdir(home);
execFileSync('git', ['init', '-q']);

const save = ['snapshot', '--track', 'main', '--step', 'a step', '--next-cmd', 'go on'];
const calls = [save, save, ['resume', '--live']];
const next = () => {
  const words = calls.shift();
  if (process.exitCode) throw new Error(`ckpt did not run: exit ${process.exitCode}`);
  if (words === undefined) {
    process.off('beforeExit', next);
    writeFileSync(join(dist, 'ckpt.compiled'), script.createCachedData());
    process.chdir(dist);
    rmSync(home, {recursive: true, force: true});
    return;
  }
  writeFileSync(join(home, 'file'), `${calls.length}\n`);
  process.argv = [process.argv[0], filename, ...words];
  script.runInThisContext()(join(dist, 'ckpt.cjs'), (module) => import(join(dist, module)));
};
process.on('beforeExit', next);
