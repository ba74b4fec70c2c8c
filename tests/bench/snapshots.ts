// What a snapshot costs: 50,000 files of which 20 changed, against a warm `git status` of the same repository, measured in
// turn; and 500,000 files, in git and outside it, where it must keep to its time box and say what it left out.

import {execFileSync} from 'node:child_process';
import {appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import type {WorkspaceSnapshot} from '../../src/baton/checkpoint.ts';
import type {Result} from '../../src/core/failure.ts';
import type {Track} from '../../src/core/ids.ts';
import {openTreeSnapshots, type TreeOptions} from '../../src/io/tree/snapshots.ts';

export interface SnapshotBench {
  name: 'snapshots';
  files: number;
  changed: number;
  rounds: number;
  /** Medians; `first` is the one that begins from git's own index. */
  ms: {status: number; snapshot: number; first: number};
  /** The longest that the event loop stood still during a snapshot: nobody's bytes waited longer. */
  stillMs: number;
  /** Each with the most that it may be. */
  ratios: Record<string, {value: number; limit: number}>;
}

export interface LargeFolder {
  where: 'in git' | 'outside git';
  files: number;
  timeBoxMs: number;
  ms: number;
  complete: boolean;
  /** What it says itself. */
  leftOut: string;
}

export interface SnapshotBenchOptions {
  files?: number;
  changed?: number;
  rounds?: number;
}

export const benchSnapshots = async (options: SnapshotBenchOptions = {}): Promise<SnapshotBench> => {
  const {files = 50_000, changed = 20, rounds = 15} = options;
  const parent = mkdtempSync(join(tmpdir(), 'ckpt-bench-'));
  try {
    const {ms, stillMs} = await againstStatus(join(parent, 'warm'), {files, changed, rounds});
    const ratios = {'snapshot / git status': {value: round(ms.snapshot / ms.status), limit: 1.5}};
    return {name: 'snapshots', files, changed, rounds, ms, stillMs, ratios};
  } finally {
    rmSync(parent, {recursive: true, force: true});
  }
};

export interface LargeBench {
  name: 'large-folders';
  large: LargeFolder[];
}

export const benchLargeFolders = async (files = 500_000, timeBoxMs = 20_000): Promise<LargeBench> => {
  const parent = mkdtempSync(join(tmpdir(), 'ckpt-bench-'));
  try {
    return {name: 'large-folders', large: await inTimeBox(join(parent, 'large'), files, timeBoxMs)};
  } finally {
    rmSync(parent, {recursive: true, force: true});
  }
};

const againstStatus = async (
  root: string,
  {files, changed, rounds}: {files: number; changed: number; rounds: number},
): Promise<Pick<SnapshotBench, 'ms' | 'stillMs'>> => {
  fill(root, files);
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'x');
  git(root, 'status', '--porcelain');
  const snapshot = taker(root, {});
  const first = (await snapshot()).ms;
  const times: {status: number[]; snapshot: number[]} = {status: [], snapshot: []};
  let stillMs = 0;
  for (let at = 0; at < rounds; at += 1) {
    edit(root, {files, changed, at});
    // In turn, and each first every other time: whoever comes second finds the disk cache warm.
    const status = () => times.status.push(timed(() => git(root, 'status', '--porcelain')));
    if (at % 2 === 0) status();
    const delay = monitorEventLoopDelay({resolution: 1});
    delay.enable();
    times.snapshot.push((await snapshot()).ms);
    delay.disable();
    stillMs = Math.max(stillMs, delay.max / 1e6);
    if (at % 2 === 1) status();
  }
  return {
    ms: {status: median(times.status), snapshot: median(times.snapshot), first: round(first)},
    stillMs: round(stillMs),
  };
};

/** Outside git every file must be read; in git its own index tells most of them apart. */
const inTimeBox = async (root: string, files: number, timeBoxMs: number): Promise<LargeFolder[]> => {
  fill(root, files);
  const outside = await taker(root, {timeBoxMs})();
  rmSync(join(root, 'runtime'), {recursive: true, force: true});
  git(root, 'init', '-q');
  // Into one pack: half a million loose objects would take longer than all that is measured.
  git(root, '-c', 'core.bigFileThreshold=1', '-c', 'core.compression=0', 'add', '-A');
  git(root, 'commit', '-q', '-m', 'x');
  const inside = await taker(root, {timeBoxMs})();
  const told = ({ms, taken}: Taken, where: LargeFolder['where']): LargeFolder => ({
    ...{where, files, timeBoxMs, ms: round(ms), complete: taken.ok && taken.value.complete},
    // That nothing could be saved in time is an answer too: it is written into the checkpoint.
    leftOut: taken.ok ? (taken.value.left_out.at(-1)?.path ?? '') : JSON.stringify(taken.failure),
  });
  return [told(outside, 'outside git'), told(inside, 'in git')];
};

interface Taken {
  ms: number;
  taken: Result<WorkspaceSnapshot>;
}

const taker = (root: string, options: Partial<TreeOptions>) => {
  const trees = openTreeSnapshots({root, checkpointDir: join(root, 'runtime', 'checkpoints'), ...options});
  return async (): Promise<Taken> => {
    const start = performance.now();
    const taken = await trees.take({track: 'main' as Track, message: 'bench'});
    return {ms: performance.now() - start, taken};
  };
};

const inFolder = 50;
const inFolders = 40;

const pathOf = (root: string, number: number): string => {
  const folder = Math.floor(number / inFolder);
  return join(root, `d${Math.floor(folder / inFolders)}`, `s${folder % inFolders}`, `file${number}.ts`);
};

const fill = (root: string, files: number): void => {
  for (let number = 0; number < files; number += 1) {
    const path = pathOf(root, number);
    if (number % inFolder === 0) mkdirSync(join(path, '..'), {recursive: true});
    writeFileSync(path, `// file ${number}\nexport const value${number} = ${number};\n`.repeat(20));
  }
};

/** Far apart, as they never are in practice: each change is in a folder of its own. */
const edit = (root: string, {files, changed, at}: {files: number; changed: number; at: number}): void => {
  const step = Math.max(1, Math.floor(files / changed));
  for (let number = 0; number < changed; number += 1) {
    appendFileSync(pathOf(root, (number * step + at * 7) % files), `// round ${at}\n`);
  }
};

const git = (root: string, ...args: string[]): void => {
  const env = {PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1'};
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0'];
  execFileSync('git', [...who, ...args], {cwd: root, env, stdio: 'pipe', maxBuffer: 1e9});
};

const timed = (act: () => void): number => {
  const start = performance.now();
  act();
  return performance.now() - start;
};

const median = (times: number[]): number => round([...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0);

const round = (value: number): number => Math.round(value * 100) / 100;
