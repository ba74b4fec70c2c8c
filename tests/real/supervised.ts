// ckpt-run on the proving ground: its command line, and what it left on disk.

import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {type Ground, type GroundOptions, openGround} from './ground.ts';
import type {OuterTerminal} from './terminal.ts';

const program = fileURLToPath(new URL('../../dist/ckpt-run.js', import.meta.url));

export interface Certificate {
  leg: number;
  cause: string;
  evidence: {channel: string; detail: string}[];
  exit?: {code: number; signal?: number};
  progress: boolean;
}

export interface Supervised extends Ground {
  /** The same command line with ckpt-run in front; `options` are ckpt-run's own. */
  under(argv: readonly string[], ...options: string[]): string[];
  certificates(): Promise<Certificate[]>;
  checkpoints(): Promise<Record<string, unknown>[]>;
  journal(): Promise<Record<string, unknown>[]>;
  /** The agent's process of a leg, once it is there. */
  agentPid(leg: number): Promise<number>;
}

export const openSupervised = async (options: GroundOptions): Promise<Supervised> => {
  const ground = await openGround(options);
  const folder = join(ground.project, 'runtime/checkpoints');
  const journal = async (): Promise<Record<string, unknown>[]> => {
    const text = await readFile(join(folder, 'journal.jsonl'), 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  };
  return {
    ...ground,
    under: (argv, ...own) => [process.execPath, program, ...own, ...argv.filter((word) => word !== '--no-daemon')],
    journal,
    certificates: () => readAll<Certificate>(folder, /certificate\.json$/),
    checkpoints: () => readAll<Record<string, unknown>>(folder, /^context_checkpoint_.*\.json$/),
    agentPid: async (leg) => {
      for (let look = 0; look < 600; look += 1) {
        const found = (await journal()).find((entry) => entry.event === 'leg-spawned' && entry.leg === leg);
        if (typeof found?.pid === 'number') return found.pid;
        await wait(50);
      }
      throw new Error(`Leg ${leg} did not come within 30 s`);
    },
  };
};

const readAll = async <T>(folder: string, pattern: RegExp): Promise<T[]> => {
  const names = await readdir(folder, {recursive: true}).catch(() => []);
  const paths = names.filter((name) => pattern.test(name)).sort();
  const texts = await Promise.all(paths.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => JSON.parse(text) as T);
};

/** Waits for the end and tells the screen when it does not come. */
export const ended = async (terminal: OuterTerminal, ms = 120_000): ReturnType<() => OuterTerminal['exit']> => {
  const late = new AbortController();
  try {
    const end = await Promise.race([terminal.exit, wait(ms, undefined, {signal: late.signal}).then(() => undefined)]);
    if (end === undefined) throw new Error(`Not ended within ${ms} ms. The screen:\n${terminal.screen()}`);
    return end;
  } finally {
    late.abort();
  }
};
