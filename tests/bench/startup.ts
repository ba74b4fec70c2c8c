// What ckpt-run adds to the start of an agent, and how long a handoff takes over that agent's own start.

import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';
import {median, round1, round2} from './machine.ts';

export interface StartupBench {
  rounds: number;
  /** Medians: a whole `node -e 0`; until the first deed of a bare agent, and of the same one under ckpt-run. */
  ms: {node: number; bare: number; wrapped: number};
  wrappedToNode: number;
}

/** The agent is a shell that writes down when it began: nothing of its own hides what we add. */
export const benchStartup = (rounds = 15): StartupBench =>
  inRepository((cwd, env) => {
    const deed = join(cwd, 'deed');
    const agent = ['sh', '-c', `date +%s%N > '${deed}'`];
    const wrapped = [process.execPath, join(packageRoot(), 'dist/ckpt-run.js'), 'generic', ...agent];
    const began = ([file = '', ...args]: string[]): number => {
      const since = Date.now();
      const {status} = spawnSync(file, args, {cwd, env, stdio: 'ignore'});
      if (status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${status}`);
      return Number(readFileSync(deed, 'utf8')) / 1e6 - since;
    };
    const whole = (): number => {
      const since = performance.now();
      spawnSync(process.execPath, ['-e', '0'], {cwd, env, stdio: 'ignore'});
      return performance.now() - since;
    };
    const times = {node: [] as number[], bare: [] as number[], wrapped: [] as number[]};
    for (let round = 0; round <= rounds; round += 1) {
      const took = {node: whole(), bare: began(agent), wrapped: began(wrapped)};
      // The first one warms the caches.
      if (round > 0) for (const name of ['node', 'bare', 'wrapped'] as const) times[name].push(took[name]);
    }
    const ms = {
      node: round1(median(times.node)),
      bare: round1(median(times.bare)),
      wrapped: round1(median(times.wrapped)),
    };
    return {rounds, ms, wrappedToNode: round2((ms.wrapped - ms.bare) / ms.node)};
  });

export interface HandoffBench {
  handoffs: number;
  /** Medians: from the death that was seen to the baton at the model; the agent's own start, spawned to prompted. */
  ms: {handoff: number; ownStart: number; over: number};
  /** Of what is over: until the checkpoint is written, until the dead agent is gone, until the next one is started. */
  parts: {checkpoint: number; exit: number; start: number};
}

/** By the journal's own times, of deaths after which the next agent may start at once: a full context. */
export const benchHandoff = (handoffs = 15): HandoffBench =>
  inRepository((cwd, env) => {
    const script = join(cwd, 'script.json');
    const full = {fail: {error: 'invalid_request', status: 400, text: 'Prompt is too long'}};
    const work = (n: number): object => ({call: `echo ${n} >> work.txt`});
    const legs = Array.from({length: handoffs}, (_, n) => [work(n), full]);
    writeFileSync(script, JSON.stringify({legs: [...legs, [work(handoffs), {exit: 0}]]}));
    // `script` is the terminal: through pipes a failed turn ends the agent by itself.
    const line = `'${process.execPath}' '${join(packageRoot(), 'dist/ckpt-run.js')}' --max-legs ${handoffs + 5} practice --script '${script}' go`;
    const {status} = spawnSync('script', ['-qec', line, '/dev/null'], {cwd, env, stdio: ['pipe', 'ignore', 'ignore']});
    if (status !== 0) throw new Error(`The run of the handoffs ended with ${status}`);
    const journal = readFileSync(join(cwd, 'runtime/checkpoints/journal.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((entry) => JSON.parse(entry) as {event: string; leg: number; at: string});
    const timeOf = (event: string, leg: number): number =>
      Date.parse(journal.find((entry) => entry.event === event && entry.leg === leg)?.at ?? '');
    const all = Array.from({length: handoffs}, (_, n) => n + 1);
    const took = all.map((leg) => timeOf('busy', leg + 1) - timeOf('context-full', leg));
    const own = all.map((leg) => timeOf('busy', leg + 1) - timeOf('leg-spawned', leg + 1));
    const over = took.map((ms, at) => ms - (own[at] ?? 0));
    const between = (from: string, to: string, legs = 0): number =>
      round1(median(all.map((leg) => timeOf(to, leg + legs) - timeOf(from, leg))));
    return {
      handoffs,
      ms: {handoff: round1(median(took)), ownStart: round1(median(own)), over: round1(median(over))},
      parts: {
        checkpoint: between('context-full', 'checkpoint-written'),
        exit: between('checkpoint-written', 'agent-exited'),
        start: between('agent-exited', 'leg-spawned', 1),
      },
    };
  });

const inRepository = <T>(work: (cwd: string, env: Record<string, string>) => T): T => {
  const root = mkdtempSync(join(tmpdir(), 'ckpt-bench-'));
  const cwd = join(root, 'project');
  const env = {PATH: process.env.PATH ?? '', HOME: join(root, 'home'), TERM: 'xterm-256color', LANG: 'C.UTF-8'};
  try {
    mkdirSync(cwd);
    execFileSync('git', ['init', '-q', '-b', 'main'], {cwd, env});
    const who = ['-c', 'user.name=b', '-c', 'user.email=b@example.invalid'];
    execFileSync('git', [...who, 'commit', '-q', '--allow-empty', '-mBegin'], {cwd, env});
    return work(cwd, env);
  } finally {
    rmSync(root, {recursive: true, force: true, maxRetries: 5});
  }
};
