import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {buildSync} from 'esbuild';
import {expect, test} from 'vitest';

test('a library that uses the console prints nothing while it is quiet', () => {
  const dir = mkdtempSync(join(tmpdir(), 'ckpt-quiet-'));
  try {
    const source = fileURLToPath(new URL('../../../src/io/self/quiet-console.ts', import.meta.url));
    const entry = join(dir, 'entry.ts');
    writeFileSync(
      entry,
      `import {quietConsole} from ${JSON.stringify(source)};
      const loud = quietConsole();
      for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace']) console[name]('quiet', name);
      loud();
      console.log('loud');`,
    );
    const outfile = join(dir, 'entry.mjs');
    buildSync({entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent'});
    expect(execFileSync('sh', ['-c', `"${process.execPath}" "${outfile}" 2>&1`], {encoding: 'utf8'})).toBe('loud\n');
  } finally {
    rmSync(dir, {recursive: true});
  }
});
