// The practice agent, bare: built for these tests, in a folder of its own, with hooks that write down what they are told.

import {type ChildProcess, execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {buildSync} from 'esbuild';
import type {Act} from '../../src/practice/acts.ts';
import {type OuterTerminal, startTerminal} from '../real/terminal.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface HookCall {
  hook_event_name: string;
  [field: string]: unknown;
}

export interface Launch {
  args?: string[];
  acts?: Act[] | {legs: Act[][]};
  stdin?: string;
  env?: Record<string, string>;
  /** Shell text by event, run in place of the one that writes down. `$HOOKS` is its file. */
  hooks?: Record<string, string>;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
}

export interface Rig extends Disposable {
  dir: string;
  /** Through pipes, to its end. */
  piped(launch: Launch): Promise<Ended>;
  start(launch: Launch): Running;
  /** On a terminal. */
  terminal(launch: Launch): OuterTerminal;
  hookCalls(): HookCall[];
  /** `PreCompact(auto)`, `SessionStart(startup)`, …: the order of events. */
  hookNames(): string[];
  /** Of the session that the hooks named. */
  transcript(): string[];
  file(name: string): string;
}

/** Once for each test file. */
export const buildPractice = (): {program: string; remove(): void} => {
  const folder = mkdtempSync(join(tmpdir(), 'ckpt-practice-'));
  const outfile = join(folder, 'practice.mjs');
  const entry = fileURLToPath(new URL('../../src/practice/practice.ts', import.meta.url));
  buildSync({entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error'});
  return {program: outfile, remove: () => rmSync(folder, {recursive: true})};
};

const events = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'],
  ...['PreCompact', 'PostCompact', 'SubagentStop', 'Stop', 'StopFailure', 'SessionEnd'],
];
const WRITE_DOWN = 'cat >> "$HOOKS"';

export const openRig = (program: string): Rig => {
  const dir = mkdtempSync(join(tmpdir(), 'ckpt-practice-'));
  const log = join(dir, 'hooks.jsonl');
  const base = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(dir, 'home'),
    TERM: 'xterm-256color',
    CLAUDE_CONFIG_DIR: join(dir, 'config'),
    HOOKS: log,
  };
  const children = new Set<ChildProcess>();
  const prepare = ({args = [], acts, env = {}, hooks = {}}: Launch): {words: string[]; env: Record<string, string>} => {
    const commands = events.map((event) => [
      event,
      [{hooks: [{type: 'command', command: hooks[event] ?? WRITE_DOWN}]}],
    ]);
    const settings = JSON.stringify({hooks: Object.fromEntries(commands)});
    const script = join(dir, 'script.json');
    if (acts !== undefined) writeFileSync(script, JSON.stringify(acts));
    const words = [program, '--settings', settings, ...(acts === undefined ? [] : ['--script', script]), ...args];
    return {words, env: {...base, ...env}};
  };
  const start = (launch: Launch): Running => {
    const {words, env} = prepare(launch);
    const {stdin} = launch;
    const child = spawn(process.execPath, words, {cwd: dir, env, stdio: ['pipe', 'pipe', 'pipe']});
    children.add(child);
    if (stdin !== undefined) child.stdin?.on('error', () => undefined).end(stdin);
    return {child, ended: endOf(child)};
  };
  const hookCalls = (): HookCall[] => linesOf(log).map((line) => JSON.parse(line) as HookCall);
  return {
    dir,
    start,
    piped: (launch) => start({stdin: '', ...launch}).ended,
    terminal: (launch) => {
      const {words, env} = prepare(launch);
      return startTerminal([process.execPath, ...words], {env, cwd: dir, cols: 80, rows: 24});
    },
    hookCalls,
    hookNames: () => hookCalls().map(named),
    transcript: () => linesOf(String(hookCalls()[0]?.transcript_path)),
    file: (name) => linesOf(join(dir, name)).join('\n'),
    [Symbol.dispose]: () => {
      for (const child of children) child.kill('SIGKILL');
      rmSync(dir, {recursive: true, force: true, maxRetries: 5});
    },
  };
};

const linesOf = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];

const named = ({hook_event_name: name, source, trigger, reason, error}: HookCall): string => {
  const detail = source ?? trigger ?? reason ?? (name === 'StopFailure' ? error : undefined);
  return detail === undefined ? name : `${name}(${detail})`;
};

const endOf = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({code, signal, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString()}),
    );
  });

/** The processes of a group that still run. A dead one that nobody has buried yet does not count. */
export const livingOf = (group: number): string[] =>
  execFileSync('ps', ['-A', '-o', 'pgid=,stat=,command='], {encoding: 'utf8'})
    .split('\n')
    .filter((line) => {
      const [pgid, stat = 'Z'] = line.trim().split(/\s+/);
      return Number(pgid) === group && !stat.startsWith('Z');
    });
