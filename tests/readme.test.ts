// README and --help say the same: the option blocks of the README are the programs' own help. `UPDATE=1` writes them.

import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {exitCodes} from '../src/core/failure.ts';
import {packageRoot} from '../src/io/setup/adapter-files.ts';

const file = join(packageRoot(), 'README.md');
const env = {PATH: process.env.PATH, HOME: '/nonexistent', COLUMNS: '100'};
const help = (program: string, ...words: string[]): string =>
  execFileSync(
    process.execPath,
    [join(packageRoot(), 'dist', program === 'ckpt' ? 'ckpt.cjs' : `${program}.js`), ...words, '--help'],
    {
      env,
      encoding: 'utf8',
    },
  );

/** Options and commands, without what the README says in its own words. */
const block = (program: string): string => {
  const text = help(program);
  const from = text.indexOf('\nOptions:');
  const end = text.search(/\n(?:Examples|Exit codes):/);
  return text.slice(from + 1, end === -1 ? undefined : end).trimEnd();
};

test.each(['ckpt-run', 'ckpt'])('the README shows the options of %s as its --help does', (program) => {
  const readme = readFileSync(file, 'utf8');
  const wanted = `<!-- options:${program} -->\n\`\`\`\n${block(program)}\n\`\`\`\n<!-- /options -->`;
  const place = new RegExp(`<!-- options:${program} -->[\\s\\S]*?<!-- /options -->`);
  if (process.env.UPDATE)
    writeFileSync(
      file,
      readme.replace(place, () => wanted),
    );
  else expect(place.exec(readme)?.[0]).toBe(wanted);
});

test('the README and --help know every exit code', () => {
  const readme = readFileSync(file, 'utf8');
  const words = help('ckpt-run');
  for (const code of new Set(Object.values(exitCodes))) {
    expect(readme).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
    expect(words).toMatch(new RegExp(`\\b${code} `));
  }
});
