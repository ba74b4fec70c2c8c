// The part of ckpt-run's world that has no terminal: how such a run is started, and what it is when it is one.

import {join} from 'node:path';
import {modeLedger} from './detect/mode-ledger.ts';
import type {DetachedStage} from './io/live/detached.ts';
import {takeDetachedMark, tellStarted} from './io/live/start-detached.ts';
import {quietConsole} from './io/self/quiet-console.ts';
import {packageRoot} from './io/setup/adapter-files.ts';
import {detachedWords} from './report/messages.ts';

interface Out {
  json: boolean;
  out(text: string): void;
  err(text: string): void;
}

export interface Detachment {
  readonly isDetached: boolean;
  /** The same words in a process without a terminal; the exit code of this one. */
  start(words: string[], out: Out): Promise<number>;
  /** Undefined when we have what we were started with. */
  openStage(onQuitKey: () => void): Promise<DetachedStage | undefined>;
  /** What run.json tells of a run without a terminal. Whoever started us is told now that it runs. */
  share(run: string, dir: string): Promise<object>;
  /** What the agent itself said: for whoever started us and is still there. */
  lastWords(): Promise<string>;
}

export const openDetachment = (env: Record<string, string | undefined>): Detachment => {
  const size = takeDetachedMark(env);
  let stage: DetachedStage | undefined;
  return {
    isDetached: size !== undefined,
    start: async (words, {json, out, err}) => {
      const {startDetached} = await import('./io/live/start-detached.ts');
      const {columns: cols = 80, rows = 24} = [process.stdout, process.stderr].find(({isTTY}) => isTTY) ?? {};
      const program = join(packageRoot(), 'dist', 'ckpt-run.js');
      const detaching = await startDetached({program, words, env, size: {cols, rows}});
      if ('said' in detaching) {
        err(detaching.said);
        return detaching.code;
      }
      const {started, over} = detaching;
      out(json ? `${JSON.stringify({...started, over})}\n` : `ckpt-run: ${detachedWords(started, over)}\n`);
      return 0;
    },
    openStage: async (onQuitKey) => {
      if (size === undefined) return undefined;
      quietConsole();
      const [{openDetached}, {openLiveScreen}] = await Promise.all([
        import('./io/live/detached.ts'),
        import('./detect/live/live-screen.ts'),
      ]);
      const onFault = (what: string): void => stage?.tell(`ckpt-run: ${what} (the agent goes on)`);
      stage = openDetached({size, env, modes: modeLedger(), openScreen: openLiveScreen, onQuitKey, onFault});
      return stage;
    },
    share: async (run, dir) => {
      if (stage === undefined) return {};
      const socket = await stage.share(`${run}.sock`);
      tellStarted({run, pid: process.pid, dir});
      return {detached: true, socket};
    },
    lastWords: async () => (stage === undefined ? '' : `${await stage.text()}\n`),
  };
};
