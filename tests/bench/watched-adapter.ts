import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';

/** `ckpt-run watched …` in that home: any program, with Claude Code's screen rules. */
export const layWatchedAdapter = (home: string): void => {
  const read = (name: string): string => readFileSync(join(packageRoot(), 'adapters', name, 'adapter.yaml'), 'utf8');
  const screen = /^screen:\n(?:[ #].*\n)+/m.exec(read('claude'))?.[0] ?? '';
  const adapters = join(home, '.config/ckpt-run/adapters');
  mkdirSync(adapters, {recursive: true});
  writeFileSync(join(adapters, 'watched.yaml'), read('generic').replace(/^name: generic$/m, 'name: watched') + screen);
};
