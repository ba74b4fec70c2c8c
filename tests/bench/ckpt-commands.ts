// What `ckpt resume` and `ckpt snapshot` cost: with 10,000 checkpoints against 10, and against a bare start of Node.
// All are measured in turn, round by round, so that a busy moment of the machine hits them alike. A snapshot saves the
// working tree too, of a small repository here: once with nothing changed since the last, once after the edit of a file.

import {execFileSync, spawnSync} from 'node:child_process';
import {appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {type Checkpoint, SCHEMA_VERSION} from '../../src/baton/checkpoint.ts';
import {rebuildLatest, serialiseLatest} from '../../src/baton/latest.ts';
import {checkpointMarkdown, latestMarkdown} from '../../src/baton/markdown.ts';
import {checkpointId, jsonFileOf, mdFileOf} from '../../src/baton/naming.ts';
import {serialiseCheckpoint} from '../../src/baton/whole.ts';
import type {Track} from '../../src/core/ids.ts';
import {draftOf} from '../io/checkpoints/checkpoint-files-draft.ts';

export interface CkptBench {
  name: 'ckpt commands';
  rounds: number;
  checkpoints: {few: number; many: number};
  /** The lower quartile: what it takes when nobody else wants the machine. */
  ms: Record<Measured, number>;
  /** Each with the most that it may be. */
  ratios: Record<string, {value: number; limit: number}>;
  ok: boolean;
}

type Measured = 'node' | 'resumeFew' | 'resumeMany' | 'snapshotFew' | 'snapshotMany' | 'snapshotEdited';

export interface CkptBenchOptions {
  /** dist/ckpt.cjs unless told. */
  program?: string;
  rounds?: number;
  few?: number;
  many?: number;
}

export const benchCkptCommands = async (options: CkptBenchOptions = {}): Promise<CkptBench> => {
  const {program = builtCkpt(), rounds = 30, few = 10, many = 10_000} = options;
  const parent = mkdtempSync(join(tmpdir(), 'ckpt-bench-'));
  try {
    const [small, large] = [repositoryWith(few, join(parent, 'few')), repositoryWith(many, join(parent, 'many'))];
    const words = ['snapshot', '--track', 'main', '--step', 'bench', '--next-cmd', 'go on'];
    const calls: Record<Measured, () => number> = {
      node: () => timed(small, ['-e', '0']),
      resumeFew: () => timed(small, [program, 'resume']),
      resumeMany: () => timed(large, [program, 'resume']),
      snapshotFew: () => timed(small, [program, ...words]),
      snapshotMany: () => timed(large, [program, ...words]),
      snapshotEdited: () => {
        writeFileSync(join(large, 'file-7.txt'), `edited ${performance.now()}\n`);
        return timed(large, [program, ...words]);
      },
    };
    return judged(measure(calls, rounds), rounds, {few, many});
  } finally {
    rmSync(parent, {recursive: true, force: true});
  }
};

const measure = (calls: Record<Measured, () => number>, rounds: number): Record<Measured, number> => {
  const names = Object.keys(calls) as Measured[];
  const times = new Map<Measured, number[]>(names.map((name) => [name, []]));
  // The first round only warms the caches up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const took = calls[name]();
      if (round > 0) times.get(name)?.push(took);
    }
  }
  return Object.fromEntries(names.map((name) => [name, quartile(times.get(name) ?? [])])) as Record<Measured, number>;
};

const judged = (ms: CkptBench['ms'], rounds: number, checkpoints: CkptBench['checkpoints']): CkptBench => {
  const ratio = (value: number, limit: number) => ({value: Math.round(value * 100) / 100, limit});
  const ratios = {
    'resume, many to few': ratio(ms.resumeMany / ms.resumeFew, 1.3),
    'snapshot, many to few': ratio(ms.snapshotMany / ms.snapshotFew, 1.3),
    'resume to node -e 0': ratio(ms.resumeMany / ms.node, 2.5),
    'snapshot to node -e 0': ratio(ms.snapshotMany / ms.node, 2.5),
    'snapshot after an edit to node -e 0': ratio(ms.snapshotEdited / ms.node, 2.5),
  };
  const ok = Object.values(ratios).every(({value, limit}) => value <= limit);
  return {name: 'ckpt commands', rounds, checkpoints, ms, ratios, ok};
};

const quartile = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 4)] ?? 0) * 10) / 10;
};

const timed = (cwd: string, args: string[]): number => {
  const env = {PATH: process.env.PATH ?? '', HOME: cwd};
  const start = performance.now();
  const {status, stderr} = spawnSync(process.execPath, args, {cwd, env, encoding: 'utf8'});
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return took;
};

/** Written straight, without a sync each: the question is what it costs to have them, not to make them. */
const repositoryWith = (count: number, root: string): string => {
  const dir = join(root, 'runtime', 'checkpoints');
  mkdirSync(dir, {recursive: true});
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], {cwd: root});
  git('init', '-q');
  // As the first `ckpt snapshot` does it.
  appendFileSync(join(root, '.git', 'info', 'exclude'), '/runtime/checkpoints/\n');
  for (let n = 0; n < 100; n += 1) writeFileSync(join(root, `file-${n}.txt`), `line of file ${n}\n`.repeat(50));
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
  const begin = Date.now() - count * 1000 - 60_000;
  const history = Array.from({length: count}, (_, n): Checkpoint => {
    const at = begin + n * 1000;
    const draft = draftOf({label: `bench ${n}`, step: `step ${n}`, track: `track ${n % 8}` as Track});
    const born = new Date(at).toISOString();
    return {...draft, schema_version: SCHEMA_VERSION, id: checkpointId(at, draft.label), number: n + 1, born};
  });
  for (const checkpoint of history) {
    writeFileSync(join(dir, jsonFileOf(checkpoint.id)), serialiseCheckpoint(checkpoint), {mode: 0o600});
    writeFileSync(join(dir, mdFileOf(checkpoint.id)), checkpointMarkdown(checkpoint), {mode: 0o600});
  }
  const latest = rebuildLatest(history);
  writeFileSync(join(dir, 'LATEST.json'), serialiseLatest(latest), {mode: 0o600});
  writeFileSync(join(dir, 'LATEST.md'), latestMarkdown(latest), {mode: 0o600});
  return root;
};

/** From dist/bench.js, a chunk of it, or this very file. */
const builtCkpt = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, 'dist', 'ckpt.cjs');
    if (existsSync(file)) return file;
  }
  throw new Error('Internal error: dist/ckpt.cjs is not there; run npm run build first');
};
