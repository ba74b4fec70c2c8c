#!/usr/bin/env node
// The entry of `ckpt-run`: builds the real world and hands it to the command. The only file that knows everything.

import {randomBytes, randomUUID} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isatty} from 'node:tty';
import {isCodeName, loadCode} from '../adapters/code.ts';
import {openDetachment} from './ckpt-run-detached.ts';
import {type RunWorld, runCommand} from './cli/run-command.ts';
import type {StartStore} from './cli/run-start.ts';
import type {Config} from './config/config.ts';
import {exitCodes, fail, ok} from './core/failure.ts';
import {modeLedger} from './detect/mode-ledger.ts';
import {openProcesses} from './io/agent/processes.ts';
import {openCheckpoints} from './io/checkpoints/checkpoint-files.ts';
import {asFailure} from './io/checkpoints/checkpoint-folder.ts';
import {makeFolder} from './io/files/atomic-file.ts';
import {askProgram} from './io/machine/ask-program.ts';
import {openClock} from './io/machine/clock.ts';
import {openServiceNotify} from './io/machine/service-notify.ts';
import {gitSince} from './io/repository/git-since.ts';
import {excludeFromCommits, findRoot, findWhere} from './io/repository/where.ts';
import {openWorkspace} from './io/repository/workspace.ts';
import {openKeeper} from './io/runs/keeper.ts';
import {openRunFiles} from './io/runs/run-files.ts';
import {writeRunTool} from './io/runs/run-tool.ts';
import {openSharedWait} from './io/runs/shared-wait.ts';
import {openSpool} from './io/runs/spool.ts';
import {claimTrack} from './io/runs/track-claim.ts';
import {watchSignals} from './io/self/os-signals.ts';
import {surviveFaults} from './io/self/own-faults.ts';
import {quietConsole} from './io/self/quiet-console.ts';
import {agentLogs} from './io/session-logs/agent-logs.ts';
import {findBelow} from './io/session-logs/find-below.ts';
import {openLogTail} from './io/session-logs/log-tail.ts';
import {findAdapter, findBinary, packageRoot, relayPath} from './io/setup/adapter-files.ts';
import {loadConfig} from './io/setup/config-files.ts';
import type {Stage} from './ports.ts';
import {matters} from './report/journal.ts';

const {env} = process;
const detachment = openDetachment(env);
const clock = openClock();
let quitKey: () => void = () => {};
// Under systemd: up, and alive as long as this event loop turns. Nothing elsewhere.
const service = openServiceNotify(env);
service.ready();
const offService = service.keepAlive();

const openGround: RunWorld['openGround'] = async (options) => {
  const asked = {cwd: process.cwd(), env, ...options};
  const at = findRoot(asked);
  if (!at.ok) return at;
  const config = await loadConfig(at.value, env);
  if (!config.ok) return config;
  const found = findWhere({...asked, configuredDir: config.value.checkpointDir});
  if (!found.ok) return found;
  const {dir, root} = found.value;
  const isNew = !existsSync(dir);
  const ground: StartStore & {config: Config} = {
    config: config.value,
    dir,
    root,
    inGit: found.value.dotGit !== undefined,
    now: clock.now,
    latest: (track) => openCheckpoints({dir}).latest(track),
    claim: (track) => {
      if (isNew) excludeFromCommits(found.value);
      return claimTrack(dir, track);
    },
    ask: async (question) => (await import('./io/terminal/ask.ts')).askYesNo(question),
    prepare: () => {
      try {
        makeFolder(dir);
        return ok(isNew ? 'new' : 'there');
      } catch (error) {
        return fail(asFailure(error, dir, 'make the checkpoint folder'));
      }
    },
  };
  return ok(ground);
};

const recorded = async (stage: Stage, runDir: string, title: string): Promise<Stage> => {
  const {recordedStage} = await import('./io/cast/recorded-stage.ts');
  const onFailure = (what: string): void => stage.tell(`ckpt-run: the terminal is not recorded: ${what}`);
  return recordedStage(stage, {runDir, title, onFailure});
};

const world: RunWorld = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  version: (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {version: string}).version,
  platform: process.platform,
  env,
  cwd: process.cwd(),
  // Not process.stdout.isTTY: that would make a pipe non-blocking, which may be the agent's stderr too.
  terminal: isatty(0) && isatty(1),
  detach: detachment.isDetached ? undefined : (words, json) => detachment.start(words, {json, ...world}),
  now: Date.now,
  random: () => randomBytes(2).toString('hex'),
  relay: relayPath(),
  findAdapter: (name) => findAdapter(name, env),
  findBinary: (adapter, program) => findBinary(adapter, {path: env.PATH, program, cwd: process.cwd()}),
  loadCode: ({code}) => loadCode(isCodeName(code) ? code : 'none'),
  askVersion: async (spec) => {
    const {code, stdout} = await (await import('./io/machine/ask-program.ts')).askProgram(spec);
    return code === 0 ? stdout.trim() : undefined;
  },
  runBare: async (spec) => (await import('./io/agent/bare.ts')).runBare(spec),
  openGround,
  findLeft: async (dir, run) => (await import('./io/runs/left-runs.ts')).findLeft(dir, run),
  openStage: async ({streams}) => {
    const without = await detachment.openStage(() => quitKey());
    if (without !== undefined) return without;
    return world.terminal
      ? (await import('./io/terminal/terminal.ts')).openTerminal({modes: modeLedger(), onQuitKey: () => quitKey()})
      : (await import('./io/agent/pipes.ts')).openPipes({streams});
  },
  openAround: async ({ground: {dir, root}, stage, about, awake}) => {
    const {openAround} = await import('./ckpt-run-around.ts');
    return openAround({
      env,
      about,
      dir,
      root,
      awake,
      ring: stage.ring,
      tell: (line) => stage.tell(`ckpt-run: ${line}`),
    });
  },
  openPorts: async ({dir, root}, stage, {run, record, title, agent}) => ({
    stage: record && stage.kind === 'terminal' ? await recorded(stage, join(dir, 'runs', run), title) : stage,
    clock,
    workspace: {...openWorkspace({root, checkpointDir: dir}), since: (written) => gitSince(root, written)},
    store: openCheckpoints({dir, notices: (line) => stage.tell(`ckpt-run: ${line}`)}),
    files: openRunFiles({
      ...{dir, run, matters, about: await detachment.share(run, dir)},
      onFailure: ({path, what}) => stage.tell(`ckpt-run: cannot write ${path}: ${what} (the agent goes on)`),
    }),
    keeper: openKeeper({root, dir, run, script: join(packageRoot(), 'dist', 'keep-work.js')}),
    goBack: async (back, by) => (await import('./ckpt-run-back.ts')).goBackAs({root, dir}, back, by),
    tail: openLogTail(),
    processes: openProcesses(),
    sharedWait: openSharedWait({env, agent, run}),
    openSpool,
    openScreen: world.openScreen,
    readFile: (path) => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return undefined;
      }
    },
    findBelow,
    agentLogs,
    ask: askProgram,
    newUuid: randomUUID,
    onFault: surviveFaults,
    osSignals: (on) => {
      quitKey = () => on(2);
      return watchSignals(on);
    },
  }),
  openScreen: async (options) => {
    quietConsole();
    return (await import('./detect/screen.ts')).openScreen(options);
  },
  recordedLines: async (path) => (await import('./io/cast/cast-lines.ts')).recordedLines(path),
  makeTool: (runDir) => writeRunTool(runDir, join(packageRoot(), 'dist', 'ckpt.cjs')),
};

try {
  process.exitCode = await runCommand(process.argv.slice(2), world);
  // For whoever started us and is still there: what the agent itself said.
  if (process.exitCode !== 0) world.err(await detachment.lastWords());
} catch (error) {
  world.err(`ckpt-run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = exitCodes.internal;
} finally {
  offService();
  clock.close();
}
