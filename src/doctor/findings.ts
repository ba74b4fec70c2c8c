// Facts → findings, each with what to do about it. One function per question.

import type {Failure} from '../core/failure.ts';
import {failureWords} from '../report/messages.ts';
import type {AgentFact, DoctorFacts} from './facts.ts';
import {compareVersions} from './versions.ts';

/** `bad`: a run would fail or lose something. `note`: it works, but somebody should know. */
export type Finding =
  | {is: 'good'; about: string; words: string}
  | {is: 'note'; about: string; words: string; fix: string}
  | {is: 'bad'; about: string; words: string; fix: string; failure: Failure};

export const findings = (facts: DoctorFacts): Finding[] => [
  node(facts),
  terminal(facts),
  hooks(facts),
  ...agents(facts),
  ...folder(facts),
  lock(facts),
  sandbox(facts),
  git(facts),
  ...configs(facts),
  ...runs(facts),
  leftovers(facts),
  strays(facts),
  registry(facts),
];

const OLDEST_NODE = '20.19.0';

const node = ({node: version}: DoctorFacts): Finding =>
  compareVersions(version, OLDEST_NODE) >= 0
    ? good('node', version)
    : bad('node', `${version} is too old`, {
        fix: `install Node ${OLDEST_NODE} or later`,
        failure: system('run on this Node', `it needs ${OLDEST_NODE}`),
      });

const terminal = ({pty}: DoctorFacts): Finding =>
  pty === undefined
    ? good('terminal', 'node-pty loads and opens a terminal')
    : bad('terminal', `node-pty does not work: ${pty}`, {
        fix: 'install again with its install script allowed: npm install -g ckpt-run --allow-scripts=node-pty',
        failure: system('open a terminal', pty),
      });

const hooks = ({relay}: DoctorFacts): Finding =>
  relay === undefined
    ? good('hooks', 'the relay drops its event into a spool')
    : bad('hooks', `the relay does not work: ${relay}`, {
        fix: 'install ckpt-run again; adapters/relay.sh must be there and executable',
        failure: system('run the hook relay', relay),
      });

const agents = ({agents: all}: DoctorFacts): Finding[] => {
  const none = all.every(({file}) => file === undefined);
  return all.map((agent) => {
    if (agent.file !== undefined) return found(agent, agent.file);
    const failure: Failure = {is: 'agent-missing', agent: agent.name, looked: ['PATH'], fix: agent.install};
    if (agent.named || none) return bad(agent.name, 'is not on PATH', {fix: agent.install, failure});
    return {is: 'note', about: agent.name, words: 'is not on PATH', fix: `to use it: ${agent.install}`};
  });
};

const found = ({name, version, tested}: AgentFact, file: string): Finding => {
  if (version === undefined) {
    return {is: 'note', about: name, words: `${file} tells no version`, fix: `tested: ${tested.join(', ') || 'none'}`};
  }
  if (tested.includes(version)) return good(name, `${version} (tested), ${file}`);
  const newest = tested.toSorted(compareVersions).at(-1);
  const age = newest !== undefined && compareVersions(version, newest) > 0 ? 'newer than' : 'not among';
  const words = `${version} is ${age} the tested versions (${tested.join(', ') || 'none'}), ${file}`;
  const fix = 'it works unless its hooks or logs have changed; the exit status and the screen are watched in any case';
  return {is: 'note', about: name, words, fix};
};

const ENOUGH_BYTES = 200 * 1024 * 1024;

const folder = ({folder: {path, exists, problem, freeBytes}, index}: DoctorFacts): Finding[] => {
  if (problem !== undefined) {
    const failure: Failure = {is: 'store-unusable', path, what: problem};
    return [bad('folder', `${path} cannot be written: ${problem}`, {fix: `make it yours: ls -ld ${path}`, failure})];
  }
  const written = good('folder', exists ? `${path} can be written` : `${path} is made by the first run`);
  const full = freeBytes !== undefined && freeBytes < ENOUGH_BYTES;
  return [
    full
      ? {
          is: 'note',
          about: 'folder',
          words: `${path} can be written, but only ${Math.round(freeBytes / 1024 / 1024)} MB are free there`,
          fix: 'make room: a full disk costs checkpoints and recordings, not the agent',
        }
      : written,
    ...(index === undefined ? [] : [badFile('LATEST', index)]),
  ];
};

const lock = ({lock: kind}: DoctorFacts): Finding => {
  if (kind === 'kernel') return good('lock', "the kernel's lock works in the folder");
  if (kind === 'untried') return good('lock', 'not tried: there is no folder yet');
  if (kind === 'link') {
    const fix = 'it works, a little slower; a folder on a local disk has the better one (--checkpoint-dir)';
    return {is: 'note', about: 'lock', words: 'this file system has no kernel lock: a lock by links is used', fix};
  }
  return bad('lock', `two writers were let in at once, or none: ${kind.problem}`, {
    fix: 'use a folder on a local disk: --checkpoint-dir, or CKPT_DIR',
    failure: system('lock the checkpoint folder', kind.problem),
  });
};

const sandbox = ({sandbox: {insideProject, insideGit, within}, folder: {path}}: DoctorFacts): Finding => {
  if (within) return good('sandbox', 'we are in one now: what is said of the folder holds for the agent');
  if (insideProject && !insideGit) return good('sandbox', "Codex's sandbox lets the agent write to the folder");
  return {
    is: 'note',
    about: 'sandbox',
    words: `an agent in Codex's sandbox cannot write to ${path}: it is ${insideGit ? 'inside .git' : 'outside the project'}`,
    fix: `use a folder inside the project, or: ckpt-run codex --add-dir ${path}`,
  };
};

const git = ({git: {version, repository, ignored, tracked, exclude}}: DoctorFacts): Finding => {
  if (version === undefined) {
    const fix = 'install git: without it checkpoints know neither branch nor changed files';
    return {is: 'note', about: 'git', words: 'there is no git', fix};
  }
  if (!repository) {
    const fix = 'git init, if you want checkpoints to know what changed';
    return {is: 'note', about: 'git', words: `${version}; this folder is in no repository`, fix};
  }
  if (ignored) return good('git', `${version}; the checkpoint folder is kept out of commits`);
  if (tracked) return good('git', `${version}; the checkpoint folder is versioned, as somebody chose`);
  const fix = exclude === undefined ? '' : `echo ${quoted(exclude.line)} >> ${quoted(exclude.file)}`;
  return {is: 'note', about: 'git', words: `${version}; the checkpoint folder would show up in git status`, fix};
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const configs = ({config}: DoctorFacts): Finding[] =>
  config.length === 0 ? [good('config', 'all files can be read')] : config.map((failure) => badFile('config', failure));

const runs = ({runs: {lost, broken}}: DoctorFacts): Finding[] => [
  ...lost.map(
    ({run, track}): Finding => ({
      is: 'note',
      about: 'run',
      words: `${run} (track ${track}) has lost its process and was never ended`,
      fix: `go on with it: ckpt-run --continue-run ${run}`,
    }),
  ),
  ...broken.map(
    (run): Finding => ({
      is: 'note',
      about: 'run',
      words: `run.json of ${run} cannot be read`,
      fix: `remove it if nobody needs it: runs/${run}`,
    }),
  ),
];

const leftovers = ({leftovers: all}: DoctorFacts): Finding => {
  if (all.length === 0) return good('leftovers', 'no process of a dead run is there');
  const named = all.slice(0, 5).map(({pid, command, run}) => `${pid} (${command.slice(0, 60)}, of ${run})`);
  const more = all.length > named.length ? ` and ${all.length - named.length} more` : '';
  const words = `${all.length} ${all.length === 1 ? 'process' : 'processes'} of dead runs: ${named.join(', ')}${more}`;
  const fix = `end them if you do not need them: kill ${all.map(({pid}) => pid).join(' ')}`;
  return {is: 'note', about: 'leftovers', words, fix};
};

const strays = ({strays: files, staleLock}: DoctorFacts): Finding => {
  if (staleLock !== undefined) {
    const words = `${staleLock} was left by a dead writer`;
    return {is: 'note', about: 'strays', words, fix: 'the next writer buries it by itself; you may remove it'};
  }
  if (files.length === 0) return good('strays', 'no half-written file is there');
  const words = `${files.length} half-written ${files.length === 1 ? 'file' : 'files'} of killed writers, such as ${files[0]}`;
  return {
    is: 'note',
    about: 'strays',
    words,
    fix: `harmless, and swept by the next checkpoint; or: rm ${files.slice(0, 3).join(' ')}`,
  };
};

const registry = ({registry: {path, problem}}: DoctorFacts): Finding =>
  problem === undefined
    ? good('state', `${path} lists the runs of all repositories`)
    : {
        is: 'note',
        about: 'state',
        words: `${path} cannot be written: ${problem}`,
        fix: 'ckpt runs will not know new runs; set XDG_STATE_HOME to a folder of yours',
      };

const good = (about: string, words: string): Finding => ({is: 'good', about, words});

const bad = (about: string, words: string, {fix, failure}: {fix: string; failure: Failure}): Finding => ({
  is: 'bad',
  about,
  words,
  fix,
  failure,
});

const badFile = (about: string, failure: Failure): Finding => {
  const [words = '', fix = ''] = failureWords(failure).split('\n  ');
  return bad(about, words, {fix, failure});
};

const system = (doing: string, message: string): Failure => ({is: 'system', doing, code: 'doctor', message});
