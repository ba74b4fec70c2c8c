// The agents that we can install into, and where each keeps what is its person's and what is a project's.

import {isAbsolute, join} from 'node:path';

export const agents = ['claude', 'codex', 'cursor', 'gemini', 'openclaw', 'opencode'] as const;
export type Agent = (typeof agents)[number];

export const isAgent = (name: string): name is Agent => agents.some((known) => known === name);

export type Scope = 'user' | 'project';

/** What was asked for: into which agent, for whom. `root`: the project's folder, also where the scope is the person. */
export interface Target {
  agent: Agent;
  scope: Scope;
  root: string;
  /** The person's own folder. */
  home: string;
  env: Record<string, string | undefined>;
}

/** The folder that holds the agent's settings in this scope. */
export const baseOf = (target: Target): string =>
  target.scope === 'project' ? projectBase[target.agent](target.root) : userBase[target.agent](target);

const projectBase: Record<Agent, (root: string) => string> = {
  claude: (root) => join(root, '.claude'),
  codex: (root) => join(root, '.agents'),
  cursor: (root) => join(root, '.cursor'),
  gemini: (root) => join(root, '.gemini'),
  // OpenClaw has workspaces instead of projects: their skills lie at the top.
  openclaw: (root) => root,
  opencode: (root) => join(root, '.opencode'),
};

const userBase: Record<Agent, (target: Target) => string> = {
  claude: ({env, home}) => named(env.CLAUDE_CONFIG_DIR) ?? join(home, '.claude'),
  codex: ({env, home}) => named(env.CODEX_HOME) ?? join(home, '.codex'),
  cursor: ({home}) => join(home, '.cursor'),
  gemini: ({env, home}) => join(named(env.GEMINI_CLI_HOME) ?? home, '.gemini'),
  openclaw: ({env, home}) => named(env.OPENCLAW_STATE_DIR) ?? join(home, '.openclaw'),
  opencode: ({env, home}) =>
    named(env.OPENCODE_CONFIG_DIR) ?? join(named(env.XDG_CONFIG_HOME) ?? join(home, '.config'), 'opencode'),
};

/** A folder that is not absolute depends on where the agent is started: none that we could mean. */
const named = (folder: string | undefined): string | undefined =>
  folder !== undefined && isAbsolute(folder) ? folder : undefined;
