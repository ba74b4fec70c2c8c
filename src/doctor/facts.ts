// What the doctor found out about this machine and folder. Gathered by io/, judged by findings.ts.

import type {Failure} from '../core/failure.ts';

/** Undefined: in order. Otherwise what was wrong, in the system's words. */
export type Problem = string | undefined;

export interface AgentFact {
  name: string;
  /** The person asked about this very one. */
  named: boolean;
  file: string | undefined;
  /** As `--version` told; undefined when it told nothing that looks like one. */
  version: string | undefined;
  tested: string[];
  install: string;
}

export interface GitFact {
  version: string | undefined;
  repository: boolean;
  /** Git leaves the checkpoint folder alone, or it is outside the worktree. */
  ignored: boolean;
  /** Somebody has put the folder under version control. */
  tracked: boolean;
  /** The line that keeps it out of commits, and the file for it. */
  exclude: {line: string; file: string} | undefined;
}

export interface LeftoverFact {
  pid: number;
  command: string;
  run: string;
}

export interface DoctorFacts {
  node: string;
  pty: Problem;
  relay: Problem;
  folder: {path: string; exists: boolean; problem: Problem; freeBytes: number | undefined};
  /** `link`: the slower lock for file systems that have no better one. `untried`: there is no folder yet. */
  lock: 'kernel' | 'link' | 'untried' | {problem: string};
  /** Codex lets its agent write inside the project only, and never into `.git`. `within`: we are in there now. */
  sandbox: {insideProject: boolean; insideGit: boolean; within: boolean};
  git: GitFact;
  agents: AgentFact[];
  /** Adapters and config files that cannot be read. */
  config: Failure[];
  /** LATEST.json, when it can be neither read nor rebuilt. */
  index: Failure | undefined;
  runs: {lost: {run: string; track: string}[]; broken: string[]};
  leftovers: LeftoverFact[];
  /** Files that killed writers left, older than an hour. */
  strays: string[];
  /** A link lock whose holder has not stirred for long. */
  staleLock: string | undefined;
  /** The state folder that `ckpt runs` needs. */
  registry: {path: string; problem: Problem};
}
