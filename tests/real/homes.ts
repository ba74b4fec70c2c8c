// A home for each CLI: its settings, its dummy key, the consent that a person would have given by now, and its logs.

import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isJson, type Json, parseLine} from '../../adapters/shared/json.ts';
import type {Cli} from './clis.ts';

export interface HomePlan {
  cli: Cli;
  /** The person's home; the settings folders go into it. */
  home: string;
  project: string;
  modelUrl: string;
  /** A paid key, or a subscription as people have at their desk (Claude Code only): limits look different there. */
  account: 'key' | 'subscription';
}

/** Where all three CLIs compact here, in tokens: an answer that reports as many makes them do it before the next one. */
export const compactsAt = 117_000;

/** Writes the settings, and gives the environment that the CLI needs beside the common one. */
export const furnish = (plan: HomePlan): Promise<Record<string, string>> =>
  plan.cli.word === 'claude' ? furnishClaude(plan) : furnishCodex(plan);

const furnishClaude = async ({home, project, modelUrl, account}: HomePlan): Promise<Record<string, string>> => {
  const config = join(home, '.claude');
  await mkdir(config, {recursive: true});
  await writeJson(join(config, '.claude.json'), {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: '99.0.0',
    theme: 'dark',
    numStartups: 5,
    // Else the new one asks after its first turn whether it may decide on permissions by itself.
    hasSeenAutoDefaultNudge: true,
    customApiKeyResponses: {approved: [claudeKey.slice(-20)], rejected: []},
    projects: {[project]: {hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true}},
  });
  // Manual mode with the shell allowed: it works as root too, and no classifier is asked.
  await writeJson(join(config, 'settings.json'), {permissions: {allow: ['Bash'], defaultMode: 'default'}});
  return {
    CLAUDE_CONFIG_DIR: config,
    ANTHROPIC_BASE_URL: modelUrl,
    ...(account === 'key' ? {ANTHROPIC_API_KEY: claudeKey} : {CLAUDE_CODE_OAUTH_TOKEN: claudeToken}),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_AUTOUPDATER: '1',
    // It compacts 20,000 (for the answer) and 13,000 (for safety) below its window.
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(compactsAt + 33_000),
    CLAUDE_CODE_MAX_RETRIES: '2',
  };
};

const claudeKey = 'sk-ant-api03-dummy-key-of-the-proving-ground';
const claudeToken = 'sk-ant-oat01-dummy-token-of-the-proving-ground';

const furnishCodex = async ({home, project, modelUrl}: HomePlan): Promise<Record<string, string>> => {
  const config = join(home, '.codex');
  await mkdir(config, {recursive: true});
  // The sandbox is the default one. The daemon is not turned off here: without --no-daemon it comes as for everybody.
  await writeFile(
    join(config, 'config.toml'),
    `model = "gpt-5.5"
model_provider = "ground"
model_auto_compact_token_limit = ${compactsAt}
approval_policy = "never"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[model_providers.ground]
name = "Proving ground"
base_url = "${modelUrl}/v1"
env_key = "GROUND_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1

[projects."${project}"]
trust_level = "trusted"

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"

[analytics]
enabled = false

[feedback]
enabled = false

[features]
plugins = false
`,
  );
  return {CODEX_HOME: config, GROUND_KEY: 'dummy'};
};

const writeJson = (path: string, value: unknown): Promise<void> => writeFile(path, JSON.stringify(value, undefined, 2));

export const logFolder = ({word}: Cli, home: string): string =>
  join(home, word === 'claude' ? '.claude/projects' : '.codex/sessions');

/** Each log as its lines; oldest name first. */
export const readLogs = async (folder: string): Promise<Json[][]> => {
  const names = await readdir(folder, {recursive: true}).catch(() => []);
  const paths = names.filter((name) => name.endsWith('.jsonl')).sort();
  const texts = await Promise.all(paths.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => text.split('\n').flatMap((line): Json[] => [parseLine(line)].filter(isJson)));
};
