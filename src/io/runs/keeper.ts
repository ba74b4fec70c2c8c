// Asks dist/keep-work.js, a process of its own, to save files and logs. It has its own bounds; if it misses them it is ended.

import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {fail, type Result} from '../../core/failure.ts';
import type {RunId} from '../../core/ids.ts';
import type {Keeper} from '../../ports.ts';
import type {KeepOrder} from './keep-order.ts';
import {legFolder} from './run-files.ts';

export interface KeeperOptions {
  root: string;
  /** The checkpoint folder. */
  dir: string;
  run: RunId;
  /** Of keep-work.js. */
  script: string;
}

/** A blocking hook waits 55 s at most: what is not saved by then is said to be missing. */
const FILES_MS = 15_000;
const LOG_MS = 15_000;
/** The order has its own bound; this one is for a process that hangs. */
const MARGIN_MS = 8000;

export const openKeeper = ({root, dir, run, script}: KeeperOptions): Keeper => {
  const ask = async <T>(order: KeepOrder, boundMs: number): Promise<Result<T>> => {
    const stdout = await askKeeper(script, JSON.stringify(order), boundMs + MARGIN_MS);
    return (read(stdout) as Result<T> | undefined) ?? fail(noAnswer(boundMs + MARGIN_MS));
  };
  return {
    files: (what) => ask({is: 'files', root, dir, ...what, boundMs: FILES_MS}, FILES_MS),
    log: ({leg, path, bytes}) => {
      const to = join(dir, 'runs', run, legFolder(leg), 'session-log.jsonl');
      return ask({is: 'log', from: path, bytes, to, boundMs: LOG_MS}, LOG_MS);
    },
    forget: (gone) => {
      const trees = gone.flatMap(({workspace}) => (workspace === undefined ? [] : [{workspace}]));
      return ask({is: 'forget', root, dir, gone: trees}, FILES_MS);
    },
  };
};

/** In a session of its own: a terminal that goes away, or a Ctrl-C, must not take the last checkpoint's files with it. */
const askKeeper = (script: string, input: string, boundMs: number): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [script], {stdio: ['pipe', 'pipe', 'ignore'], detached: true});
    const bound = setTimeout(() => child.kill('SIGKILL'), boundMs);
    let told = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    child.stdin.on('error', () => undefined).end(input);
    const end = (): void => {
      clearTimeout(bound);
      resolve(told);
    };
    child.on('error', end).on('close', end);
  });

const read = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const noAnswer = (ms: number) => ({
  ...{is: 'system' as const, doing: 'save the work', code: 'ETIMEDOUT'},
  message: `the process that does it gave no answer within ${ms / 1000} s`,
});
