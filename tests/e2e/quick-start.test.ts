// `ckpt` comes with a compiled form of itself. It is only as good as the Node that reads it: whatever is wrong with it must
// cost time, and nothing else.

import {execFileSync} from 'node:child_process';
import {cpSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it, onTestFinished} from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Inside the package, so that its modules are found. */
const copyOfDist = (): string => {
  const copy = mkdtempSync(join(root, 'node_modules', '.ckpt-test-'));
  onTestFinished(() => rmSync(copy, {recursive: true, force: true}));
  cpSync(join(root, 'dist'), copy, {recursive: true});
  return copy;
};

const told = (dist: string, flags: string[] = []): string => {
  const words = ['--repo-root', dist, 'snapshot', '--track', 't', '--step', 's', '--next-cmd', 'n', '--no-files'];
  execFileSync(process.execPath, [...flags, join(dist, 'ckpt.cjs'), ...words]);
  return execFileSync(process.execPath, [...flags, join(dist, 'ckpt.cjs'), '--repo-root', dist, 'list'], {
    encoding: 'utf8',
  });
};

describe('ckpt with a compiled form that is', () => {
  it.each([
    ['fit', (_file: string) => undefined, []],
    ['rubbish', (file: string) => writeFileSync(file, 'rubbish'), []],
    ['empty', (file: string) => writeFileSync(file, ''), []],
    ['cut off', (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size / 2)), []],
    ['gone', (file: string) => rmSync(file), []],
    ['made by another Node', (_file: string) => undefined, ['--no-opt', '--stress-lazy-source-positions']],
  ])('%s', (_how, harm, flags) => {
    const dist = copyOfDist();
    harm(join(dist, 'ckpt.compiled'));
    // `list` brings a module along that is loaded when it is needed.
    expect(told(dist, flags)).toMatch(/\n1 .* t .* s\n$/);
  });
});
