// One life of the real ckpt-run in a lane: on a pty or through pipes, with the faults loaded into it.

import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {openPty} from '../../src/io/agent/pty.ts';
import type {LaneFolder} from './lane-folder.ts';

export interface Life {
  pid: number;
  exit: Promise<{code: number | undefined; signal: number | undefined}>;
  kill(): void;
  /** The end of what it printed. */
  tail(): string;
  rssMb(): number | undefined;
}

const TAIL = 20_000;

export const startLife = (
  repo: string,
  lane: LaneFolder,
  {words, through, heapMb}: {words: string[]; through: 'terminal' | 'pipes'; heapMb: number | undefined},
): Life => {
  const heap = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
  const args = [...heap, '--import', join(repo, 'tests/soak/faults.mjs'), join(repo, 'dist/ckpt-run.js'), ...words];
  let shown = '';
  const see = (chunk: Buffer): void => {
    shown = (shown + chunk.toString('latin1')).slice(-TAIL);
  };
  const {pid, exit} = (through === 'terminal' ? onTerminal : onPipes)(args, lane, see);
  let over = false;
  void exit.then(() => {
    over = true;
  });
  return {
    pid,
    exit,
    kill: () => {
      try {
        if (!over) process.kill(pid, 'SIGKILL');
      } catch {
        // It was quicker; its terminal tells of it a little later.
      }
    },
    tail: () => Buffer.from(shown, 'latin1').toString('utf8'),
    rssMb: () => rssOf(pid),
  };
};

type Started = Pick<Life, 'pid' | 'exit'>;

const onTerminal = (args: string[], {env, project}: LaneFolder, see: (chunk: Buffer) => void): Started => {
  let tellExit: Parameters<ConstructorParameters<typeof Promise<Awaited<Life['exit']>>>[0]>[0] = () => undefined;
  const exit: Life['exit'] = new Promise((resolve) => {
    tellExit = resolve;
  });
  const opened = openPty(
    {file: process.execPath, args, env, cwd: project, cols: 100, rows: 30, stty: ''},
    {
      onData: see,
      onState: () => undefined,
      onExit: ({code, signal}) =>
        tellExit(signal === undefined ? {code, signal} : {code: undefined, signal: Number(signal)}),
    },
  );
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return {pid: opened.value.pid, exit};
};

const onPipes = (args: string[], {env, project}: LaneFolder, see: (chunk: Buffer) => void): Started => {
  const child = spawn(process.execPath, args, {env, cwd: project, stdio: ['ignore', 'pipe', 'pipe']});
  child.stdout.on('data', see);
  child.stderr.on('data', see);
  const exit: Life['exit'] = new Promise((resolve, reject) => {
    child.on('error', reject);
    // Not `close`: what outlives a killed supervisor may hold the pipes.
    child.on('exit', (code, signal) => {
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({code: code ?? undefined, signal: signal === null ? undefined : 9});
    });
  });
  return {pid: child.pid ?? 0, exit};
};

const rssOf = (pid: number): number | undefined => {
  try {
    const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
};
