// Throughput, CPU and keystroke latency of the byte path, against script, tmux, asciinema and a plain pass-through, in the
// same run.
//
//     outer terminal ── contestant ── sh
//
// The rounds are interleaved, so that a busy moment of the machine hits all alike; medians are told.

import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {performance} from 'node:perf_hooks';
import {openPty, type Pty} from '../../src/io/agent/pty.ts';
import {agentOutput} from './agent-output.ts';
import {around, type Contestant, contestants} from './contestants.ts';
import {busySeconds} from './machine.ts';
import {layWatchedAdapter} from './watched-adapter.ts';

export interface BytePathFigures {
  mbPerSecond: number;
  /** Of the whole machine while it went on, the reading terminal included: to be measured alone. */
  cpuSecondsPerGb: number;
  keyP50Ms: number;
  keyP99Ms: number;
}

export interface BenchResult {
  bench: 'byte-path';
  rounds: number;
  megabytes: number;
  keys: number;
  figures: Record<Contestant, BytePathFigures>;
  /** Above 1 is better for us in all but the last. */
  ratios: {
    throughputToScript: number;
    throughputToTmux: number;
    throughputToAsciinema: number;
    throughputToPlain: number;
    /** ckpt-run as it is started, recording too: so does asciinema. */
    wholeToAsciinema: number;
    /** What the pty library alone comes to, with none of our code. */
    plainToScript: number;
    plainToTmux: number;
    keyP50ToTmux: number;
  };
}

export interface BytePathOptions {
  rounds?: number;
  megabytes?: number;
  keys?: number;
}

export const benchBytePath = async (options: BytePathOptions = {}): Promise<BenchResult> => {
  const {rounds = 7, megabytes = 32, keys = 300} = options;
  const parent = mkdtempSync(join(tmpdir(), 'ckpt-run-bench-'));
  // Everybody works and is at home here; what is printed lies outside, or ckpt-run would save it at its end.
  const folder = join(parent, 'work');
  layWatchedAdapter(folder);
  const file = join(parent, 'output');
  writeFileSync(file, agentOutput(megabytes * 1e6));
  const speeds = perContestant<number>();
  const delays = perContestant<number>();
  const cpu = perContestant<number>();
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const contestant of contestants) {
        const busy = busySeconds();
        speeds[contestant].push(throughput(contestant, {file, folder, megabytes}));
        cpu[contestant].push(((busySeconds() - busy) * 1000) / megabytes);
        delays[contestant].push(...(await keystrokes(contestant, {folder, keys})));
      }
    }
  } finally {
    rmSync(parent, {recursive: true, force: true, maxRetries: 5});
  }
  const figures = Object.fromEntries(
    contestants.map((contestant) => [
      contestant,
      {
        mbPerSecond: round1(quantile(speeds[contestant], 0.5)),
        cpuSecondsPerGb: round1(quantile(cpu[contestant], 0.5)),
        keyP50Ms: round3(quantile(delays[contestant], 0.5)),
        keyP99Ms: round3(quantile(delays[contestant], 0.99)),
      },
    ]),
  ) as Record<Contestant, BytePathFigures>;
  const {stage, whole, script, tmux, asciinema, plain} = figures;
  return {
    bench: 'byte-path',
    rounds,
    megabytes,
    keys,
    figures,
    ratios: {
      throughputToScript: round3(stage.mbPerSecond / script.mbPerSecond),
      throughputToTmux: round3(stage.mbPerSecond / tmux.mbPerSecond),
      throughputToAsciinema: round3(stage.mbPerSecond / asciinema.mbPerSecond),
      throughputToPlain: round3(stage.mbPerSecond / plain.mbPerSecond),
      wholeToAsciinema: round3(whole.mbPerSecond / asciinema.mbPerSecond),
      plainToScript: round3(plain.mbPerSecond / script.mbPerSecond),
      plainToTmux: round3(plain.mbPerSecond / tmux.mbPerSecond),
      keyP50ToTmux: round3(stage.keyP50Ms / tmux.keyP50Ms),
    },
  };
};

const perContestant = <T>(): Record<Contestant, T[]> => ({
  bare: [],
  stage: [],
  whole: [],
  plain: [],
  script: [],
  tmux: [],
  asciinema: [],
});

/** tmux keeps its socket in there too. */
const cleanEnv = (folder: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  SHELL: '/bin/sh',
  HOME: folder,
  TMUX_TMPDIR: folder,
});

interface Outer {
  pty: Pty;
  /** Calls back at every chunk until told to stop. */
  onChunk: (chunk: Buffer) => void;
  exit: Promise<void>;
}

const openOuter = (contestant: Contestant, shell: string, folder: string): Outer => {
  const [file = '', ...args] = around(contestant, shell);
  let tellExit = (): void => undefined;
  const exit = new Promise<void>((resolve) => {
    tellExit = resolve;
  });
  const opened = openPty(
    {file, args, env: cleanEnv(folder), cwd: folder, cols: 120, rows: 40, stty: ''},
    {onData: (chunk) => outer.onChunk(chunk), onState: () => undefined, onExit: tellExit},
  );
  if (!opened.ok) throw new Error(`Cannot measure ${contestant}: ${JSON.stringify(opened.failure)}`);
  const outer: Outer = {pty: opened.value, onChunk: () => undefined, exit};
  return outer;
};

/**
 * How long a child needs to get rid of its output, told by itself. The outer terminal is `script` with its output thrown
 * away: it is the fastest reader at hand, and takes no part of this process.
 */
const throughput = (contestant: Contestant, {file, folder, megabytes}: Flood): number => {
  const told = join(folder, 'seconds');
  const flood = join(folder, 'flood.pl');
  writeFileSync(
    flood,
    `use Time::HiRes 'time'; my $begin = time; system 'cat', '${file}'; open F, '>', '${told}'; print F time - $begin;\n`,
  );
  const outer = join(folder, 'outer.sh');
  const words = around(contestant, `perl ${flood}`).map((word) => `'${word}'`);
  writeFileSync(outer, `stty rows 40 cols 120; exec ${words.join(' ')}\n`);
  rmSync(told, {force: true});
  spawnSync('script', ['-qec', `sh ${outer}`, '/dev/null'], {
    env: cleanEnv(folder),
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: LONGEST_WAIT_MS,
  });
  return megabytes / Number(readFileSync(told, 'utf8'));
};

interface Flood {
  file: string;
  folder: string;
  megabytes: number;
}

/** A key to a child that says it back, byte by byte, and ends after the last. One at a time. */
const keystrokes = async (
  contestant: Contestant,
  {folder, keys}: {folder: string; keys: number},
): Promise<number[]> => {
  const outer = openOuter(
    contestant,
    `stty raw -echo; printf 'rea''dy'; exec dd bs=1 count=${keys + WARM_UP} 2>/dev/null`,
    folder,
  );
  await seen(outer, 'ready');
  const delays: number[] = [];
  for (let key = 0; key < keys + WARM_UP; key += 1) {
    const letter = 'abcdefghij'[key % 10] ?? 'a';
    const begin = performance.now();
    const back = seen(outer, letter);
    outer.pty.write(Buffer.from(letter));
    await back;
    if (key >= WARM_UP) delays.push(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await outer.exit;
  return delays;
};

const WARM_UP = 30;
const LONGEST_WAIT_MS = 120_000;

const seen = (outer: Outer, word: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const wanted = Buffer.from(word);
    let tail = Buffer.alloc(0);
    const late = setTimeout(() => reject(new Error(`Waited in vain for ${word}`)), LONGEST_WAIT_MS);
    outer.onChunk = (chunk) => {
      // A word may be cut in two by the chunks.
      const found = chunk.includes(wanted) || Buffer.concat([tail, chunk.subarray(0, wanted.length)]).includes(wanted);
      tail = Buffer.from(chunk.subarray(-wanted.length));
      if (!found) return;
      clearTimeout(late);
      outer.onChunk = () => undefined;
      resolve();
    };
  });

const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

const round1 = (value: number): number => Math.round(value * 10) / 10;
const round3 = (value: number): number => Math.round(value * 1000) / 1000;
