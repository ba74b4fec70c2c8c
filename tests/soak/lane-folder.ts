// A lane's own world: project, home with the person's config, adapter, script. Nothing of it is left afterwards.

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {LanePlan} from './lane-plan.ts';

export interface LaneFolder {
  root: string;
  project: string;
  /** The checkpoint folder. */
  store: string;
  /** What befell the agent, one JSON line each; the same for what the driver did. */
  hazardLog: string;
  strikeLog: string;
  faults: string;
  env: Record<string, string>;
  /** `NAME=value`: every process of the lane has it. */
  mark: string;
  script: string;
  relay(): string[];
  remove(): void;
}

/** Waits as short as the config file allows; everything else as it comes. */
const CONFIG = `policy:
  maxLegs: 100000
  idleSeconds: 5
  budget: {legs: 1000, minutes: 1}
  backoff: {firstSeconds: 0.05, maxMinutes: 1}
  limit: {marginSeconds: 0}
  overload: {firstSeconds: 0.5, maxMinutes: 1}
  hang: {thinkingMinutes: 0.15, toolMinutes: 0.15}
`;

export const openLaneFolder = (repo: string, plan: LanePlan): LaneFolder => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ckpt-soak-')));
  const [project, home, tmp, config] = ['project', 'home', 'tmp', 'home/.config/ckpt-run'].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  for (const folder of [project, home, tmp, join(config, 'adapters')]) mkdirSync(folder, {recursive: true});
  writeFileSync(join(config, 'config.yaml'), CONFIG);
  writeFileSync(join(config, 'adapters/soak.yaml'), adapterText(repo));
  const hazardLog = join(root, 'hazards.jsonl');
  const script = join(root, 'script.json');
  const file = join(project, 'relay.txt');
  const job = {
    ...{steps: plan.steps, stepMs: 0, compactAfter: null, crashIn: null, limitAfter: null},
    ...{hazards: plan.hazards, hazardLog},
  };
  writeFileSync(script, JSON.stringify([{job}]));
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    ...{HOME: home, TMPDIR: tmp, XDG_RUNTIME_DIR: tmp, XDG_STATE_HOME: join(home, 'state')},
    ...{TERM: 'xterm-256color', LANG: 'C.UTF-8', TZ: 'UTC', SOAK_LANE: root, SOAK_FAULTS: join(root, 'faults.json')},
  };
  beginProject(project, env);
  return {
    ...{root, project, hazardLog, env, script, store: join(project, 'runtime/checkpoints')},
    strikeLog: join(root, 'strikes.jsonl'),
    faults: env.SOAK_FAULTS,
    mark: `SOAK_LANE=${root}`,
    relay: () => linesOf(file),
    remove: () => rmSync(root, {recursive: true, force: true, maxRetries: 10, retryDelay: 50}),
  };
};

export const linesOf = (path: string): string[] => {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
};

/** The practice agent, watched with Claude Code's own screen rules, so that what it quotes is looked at at all. */
const adapterText = (repo: string): string => {
  const practice = readFileSync(join(repo, 'adapters/practice/adapter.yaml'), 'utf8');
  const claude = readFileSync(join(repo, 'adapters/claude/adapter.yaml'), 'utf8');
  const screen = /^screen:\n(?:[ #].*\n)+/m.exec(claude)?.[0];
  if (screen === undefined) throw new Error('adapters/claude/adapter.yaml has no screen rules any more');
  return `${practice.replace(/^name: practice$/m, 'name: soak')}${screen}`;
};

/** Every marker of the adapters, as the agents really show it. */
export const readLies = (repo: string): string[] => {
  const root = join(repo, 'tests/fixtures/screens');
  return readdirSync(root, {recursive: true, encoding: 'utf8'})
    .filter((name) => /fires\/.*\.txt$/.test(name))
    .sort()
    .map((name) => readFileSync(join(root, name), 'utf8'));
};

const beginProject = (cwd: string, env: Record<string, string>): void => {
  const git = (...args: string[]): void => void execFileSync('git', args, {cwd, env, stdio: 'ignore'});
  git('init', '--quiet', '--initial-branch=main');
  git(
    ...['-c', 'user.name=Person', '-c', 'user.email=person@example.invalid'],
    'commit',
    '-q',
    '--allow-empty',
    '-mBegin',
  );
};
