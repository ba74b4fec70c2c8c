// Gathers what `ckpt doctor` judges. A part of the program's edge: it joins many outside things and decides nothing.

import {dirname, isAbsolute, join, relative, sep} from 'node:path';
import type {Adapter} from './adapter/adapter.ts';
import {type Failure, ok, type Result} from './core/failure.ts';
import {isRunId} from './core/ids.ts';
import type {AgentFact, DoctorFacts, GitFact, LeftoverFact} from './doctor/facts.ts';
import {versionIn} from './doctor/versions.ts';
import {markedProcesses} from './io/agent/leftovers.ts';
import {openCheckpoints} from './io/checkpoints/checkpoint-files.ts';
import {askProgram} from './io/machine/ask-program.ts';
import {folderFact, lockKind, ptyProblem, relayProblem, staleLockIn, straysIn} from './io/machine/probes.ts';
import {excludeFile, findRoot, findWhere, type Where} from './io/repository/where.ts';
import {openRunRegistry} from './io/runs/run-registry.ts';
import {isAlive, openRunShelf} from './io/runs/run-shelf.ts';
import {adapterNames, findAdapter, findBinary, packageRoot, relayPath} from './io/setup/adapter-files.ts';
import {loadConfig} from './io/setup/config-files.ts';

type Env = Record<string, string | undefined>;

export interface Examined {
  cwd: string;
  env: Env;
  now: number;
  repoRoot?: string | undefined;
  checkpointDir?: string | undefined;
  agent: string | undefined;
}

export const examine = async (asked: Examined): Promise<Result<DoctorFacts>> => {
  const {env, cwd, now} = asked;
  const at = findRoot(asked);
  if (!at.ok) return at;
  const settings = await loadConfig(at.value, env);
  // With a config that cannot be read, the folder is the one that would be used without it.
  const found = findWhere({...asked, configuredDir: settings.ok ? settings.value.checkpointDir : undefined});
  if (!found.ok) return found;
  const where = found.value;
  const {dir, root} = where;
  const [pty, relay, lock, git, agents, leftovers, runs, index] = await Promise.all([
    ptyProblem(packageRoot()),
    relayProblem(relayPath()),
    lockKind(dir),
    gitFact(where),
    agentFacts({env, cwd, named: asked.agent}),
    leftoverFacts(),
    runFacts(dir),
    openCheckpoints({dir}).index(),
  ]);
  const state = openRunRegistry(env).dir;
  return ok({
    node: process.versions.node,
    ...{pty, relay, lock, git, agents, leftovers, runs},
    config: [...adapterFailures(asked), ...(settings.ok ? [] : [settings.failure])],
    folder: folderFact(dir),
    sandbox: {
      insideProject: isInside(root, dir),
      insideGit: relative(root, dir).split(sep).includes('.git'),
      within: env.CODEX_SANDBOX !== undefined || env.CODEX_SANDBOX_NETWORK_DISABLED !== undefined,
    },
    index: index.ok ? undefined : index.failure,
    strays: straysIn(dir, now),
    staleLock: staleLockIn(dir, now),
    registry: {path: state, problem: folderFact(state).problem},
  });
};

const gitFact = async ({root, dir, dotGit}: Where): Promise<GitFact> => {
  const git = (...args: string[]) => askProgram({file: 'git', args, cwd: root});
  const version = versionIn((await git('--version')).stdout) ?? undefined;
  const top = dotGit === undefined ? undefined : dirname(dotGit);
  if (top === undefined || !isInside(top, dir)) {
    return {version, repository: dotGit !== undefined, ignored: true, tracked: false, exclude: undefined};
  }
  const [ignored, tracked] = await Promise.all([
    git('check-ignore', '-q', '--', join(dir, 'LATEST.json')),
    git('ls-files', '--', dir),
  ]);
  const line = `/${relative(top, dir).split(sep).join('/')}/`;
  return {
    version,
    repository: true,
    ignored: ignored.code === 0,
    tracked: tracked.stdout.trim() !== '',
    exclude: {line, file: excludeFile(dotGit ?? '')},
  };
};

const agentFacts = async ({env, cwd, named}: {env: Env; cwd: string; named: string | undefined}) => {
  const names = named === undefined ? adapterNames(env) : [named];
  const facts = await Promise.all(
    names.map(async (name): Promise<AgentFact[]> => {
      const adapter = findAdapter(name, env);
      // Those that cannot be read are told under config. Practice and generic have no program of their own.
      if (!adapter.ok || (named === undefined && !hasProgram(adapter.value))) return [];
      return [await agentFact(adapter.value, {env, cwd, named: named !== undefined})];
    }),
  );
  return facts.flat();
};

const hasProgram = ({binary: {names}}: Adapter): boolean => names.length > 0 && !names.includes('{practice}');

const agentFact = async (
  adapter: Adapter,
  {env, cwd, named}: {env: Env; cwd: string; named: boolean},
): Promise<AgentFact> => {
  const {names, versionArgs, tested, install} = adapter.binary;
  const fact = {name: adapter.name, named, tested, install};
  const binary = names.length === 0 ? undefined : findBinary(adapter, {path: env.PATH, program: undefined, cwd});
  if (!binary?.ok) return {...fact, file: undefined, version: undefined};
  const {file, args} = binary.value;
  const {stdout} = await askProgram({file, args: [...args, ...versionArgs], env: scrubbed(env, adapter)});
  return {...fact, file, version: versionIn(stdout)};
};

const scrubbed = (env: Env, adapter: Adapter): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !adapter.env.scrub.includes(name)));

const adapterFailures = ({env, agent}: Examined): Failure[] => {
  const names = new Set([...adapterNames(env), ...(agent === undefined ? [] : [agent])]);
  return [...names].flatMap((name) => {
    const adapter = findAdapter(name, env);
    return adapter.ok ? [] : [adapter.failure];
  });
};

const runFacts = async (dir: string): Promise<DoctorFacts['runs']> => {
  const shelf = openRunShelf(dir);
  const facts: DoctorFacts['runs'] = {lost: [], broken: []};
  for (const run of shelf.ids()) {
    const record = shelf.record(run);
    if (record === undefined) continue;
    if ('broken' in record) facts.broken.push(run);
    else if (record.state !== 'over' && !(await isAlive(record))) facts.lost.push({run, track: record.track});
  }
  return facts;
};

/** Of runs that are over, lost or gone. A live run's processes are its own business. */
const leftoverFacts = async (): Promise<LeftoverFact[]> => {
  const facts: LeftoverFact[] = [];
  for (const {pid, command, run, dir} of await markedProcesses()) {
    if (!isRunId(run) || !isAbsolute(dir)) continue;
    const record = openRunShelf(dir).record(run);
    const lives = record !== undefined && !('broken' in record) && (await isAlive(record));
    if (!lives) facts.push({pid, command, run});
  }
  return facts;
};

const isInside = (outer: string, inner: string): boolean => {
  const way = relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
