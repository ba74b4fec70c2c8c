// The built ckpt-run with the practice agent, in a folder of its own that is gone afterwards.

import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {type PipedOptions, type PipedResult, startPiped} from '../real/piped.ts';
import {type OuterTerminal, startTerminal} from '../real/terminal.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

type PipesOptions = Pick<PipedOptions, 'stdin' | 'outlived'> & {env?: Record<string, string>};

export interface Place extends AsyncDisposable {
  dir: string;
  env: Record<string, string>;
  /** ckpt-run with these words, in a terminal or through pipes. */
  terminal(words: string[], options?: {cols?: number; rows?: number; env?: Record<string, string>}): OuterTerminal;
  pipes(words: string[], options?: PipesOptions): Promise<PipedResult>;
  script(acts: unknown): string;
  file(name: string): string;
  json(pattern: RegExp): Record<string, unknown>[];
  journal(): Record<string, unknown>[];
}

export const openPlace = (): Place => {
  const dir = mkdtempSync(join(tmpdir(), 'ckpt-e2e-'));
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(dir, 'home'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
  const file = (name: string): string => {
    try {
      return readFileSync(join(dir, name), 'utf8');
    } catch {
      return '';
    }
  };
  const program = [process.execPath, join(dist, 'ckpt-run.js')];
  const running: AsyncDisposable[] = [];
  const track = <T extends AsyncDisposable>(one: T): T => {
    running.push(one);
    return one;
  };
  return {
    dir,
    env,
    file,
    terminal: (words, {env: more, ...size} = {}) =>
      track(startTerminal([...program, ...words], {cwd: dir, env: {...env, ...more}, ...size})),
    pipes: (words, {env: more, ...given} = {}) =>
      track(startPiped([...program, ...words], {cwd: dir, env: {...env, ...more}, ...given})).exit,
    script: (acts) => {
      const path = join(dir, 'script.json');
      writeFileSync(path, JSON.stringify(acts));
      return path;
    },
    json: (pattern) => {
      const names = readdirSync(dir, {recursive: true, encoding: 'utf8'}).filter((name) => pattern.test(name));
      return names.sort().map((name) => JSON.parse(file(name)) as Record<string, unknown>);
    },
    journal: () =>
      file('runtime/checkpoints/journal.jsonl')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>])),
    [Symbol.asyncDispose]: async () => {
      for (const one of running) await one[Symbol.asyncDispose]();
      rmSync(dir, {recursive: true, force: true, maxRetries: 5});
    },
  };
};
