// How much memory a run takes while gigabytes go through it, with the screen watched; and what a new line in a session log
// costs when the log is large.

import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openPty} from '../../src/io/agent/pty.ts';
import {openLogTail} from '../../src/io/session-logs/log-tail.ts';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';
import {agentOutput} from './agent-output.ts';
import {median, round1, round2} from './machine.ts';
import {layWatchedAdapter} from './watched-adapter.ts';

export interface MemoryBench {
  gigabytes: number;
  /** The median of the ten looks around 1/16 of the way, and of the last ten, in MB. */
  rssMb: {early: number; late: number; most: number};
  growthMb: number;
}

export const benchMemory = async (gigabytes = 8): Promise<MemoryBench> => {
  const root = mkdtempSync(join(tmpdir(), 'ckpt-bench-'));
  try {
    layWatchedAdapter(join(root, 'home'));
    const block = join(root, 'block');
    writeFileSync(block, agentOutput(16e6));
    const times = Math.ceil((gigabytes * 1e9) / 16e6);
    const flood = `n=0; while [ $n -lt ${times} ]; do cat ${block}; n=$((n + 1)); done`;
    const args = [join(packageRoot(), 'dist/ckpt-run.js'), 'watched', 'sh', '-c', flood];
    const env = {PATH: process.env.PATH ?? '', HOME: join(root, 'home'), TERM: 'xterm-256color', LANG: 'C.UTF-8'};
    const looks: {bytes: number; mb: number}[] = [];
    await new Promise<void>((resolve, reject) => {
      let bytes = 0;
      const opened = openPty(
        {file: process.execPath, args, env, cwd: root, cols: 120, rows: 40, stty: ''},
        {
          onData: (chunk) => {
            bytes += chunk.length;
          },
          onState: () => undefined,
          onExit: ({code}) => {
            clearInterval(looking);
            if (code === 0) resolve();
            else reject(new Error(`The flood ended with ${code}`));
          },
        },
      );
      if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
      const {pid} = opened.value;
      const looking = setInterval(() => looks.push({bytes, mb: rssOf(pid)}), 100);
    });
    const early = looks.filter(({bytes}) => bytes > (gigabytes * 1e9) / 16).slice(0, 10);
    const rssMb = {
      early: round1(median(early.map(({mb}) => mb))),
      late: round1(median(looks.slice(-11, -1).map(({mb}) => mb))),
      most: round1(Math.max(...looks.map(({mb}) => mb))),
    };
    return {gigabytes, rssMb, growthMb: round1(rssMb.late - rssMb.early)};
  } finally {
    rmSync(root, {recursive: true, force: true, maxRetries: 5});
  }
};

const rssOf = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

export interface LogTailBench {
  megabytes: number;
  rounds: number;
  /** Medians: until a new line of 1 kB has been read from a log of 1 MB, and from the large one. */
  ms: {small: number; large: number};
  ratio: number;
}

export const benchLogTail = async (megabytes = 1000, rounds = 50): Promise<LogTailBench> => {
  const folder = mkdtempSync(join(tmpdir(), 'ckpt-bench-'));
  const line = `${JSON.stringify({type: 'user', message: {role: 'user', content: 'x'.repeat(950)}})}\n`;
  try {
    const logs = [
      {name: 'small', size: 1e6},
      {name: 'large', size: megabytes * 1e6},
    ].map(({name, size}) => {
      const path = join(folder, name);
      const fd = openSync(path, 'w');
      const block = line.repeat(Math.ceil(1e6 / line.length));
      for (let written = 0; written < size; written += block.length) writeSync(fd, block);
      closeSync(fd);
      return {path, took: [] as number[], tail: openLogTail().follow(path, () => undefined)};
    });
    for (const {tail} of logs) await tail.flush();
    for (let round = 0; round < rounds; round += 1) {
      for (const {path, took, tail} of logs) {
        appendFileSync(path, line);
        const since = performance.now();
        await tail.flush();
        took.push(performance.now() - since);
      }
    }
    const [small = Number.NaN, large = Number.NaN] = logs.map(({took}) => median(took));
    for (const {tail} of logs) tail.close();
    return {megabytes, rounds, ms: {small: round2(small), large: round2(large)}, ratio: round2(large / small)};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
};
