// A recorded log made small and neutral: no path of the machine that recorded it, none of the bulk that says nothing
// (system prompts, lists of tools), no ids that nobody reads. What a reader looks at stays as the CLI wrote it.

import {isJson, type Json, textAt} from '../../adapters/shared/json.ts';
import type {Played} from './play.ts';

export const neutralLog = ({lines, project, home, root}: Played): string => {
  const names: [string, string][] = [
    [project, '/project'],
    [home, '/home/person'],
    [project.replace(/[^A-Za-z0-9]/g, '-'), '-project'],
    [`${root}/tmp`, '/scratch'],
    [root, '/ground'],
    [root.replace(/[^A-Za-z0-9]/g, '-'), '-ground'],
  ];
  const kept = lines.filter(isKept).map((line) => JSON.stringify(smaller(line, '')));
  const text = names.reduce((all, [from, to]) => all.replaceAll(from, to), kept.join('\n'));
  const leak = /\/(?:tmp|root|work)\/[^"\\ ]*/.exec(text)?.[0];
  if (leak !== undefined) throw new Error(`The log still tells of this machine: ${leak}`);
  return `${text}\n`;
};

const bulk = new Set([
  'api-request',
  'api-request-shape',
  'api-request-blob',
  'tools-used',
  'cost-state',
  'atis-latch',
  'file-history-snapshot',
  'file-history-delta',
  'token_usage_record',
  'world_state',
]);
const said = new Set(['queued_command', 'file', 'edited_text_file', 'hook_success']);

const isKept = (line: Json): boolean => {
  if (bulk.has(textAt(line, 'type') ?? '')) return false;
  if (textAt(line, 'payload', 'type') === 'thread_settings_applied') return false;
  // Attachments are what the CLI adds for the model; those that carry words of the person or of a command stay.
  return textAt(line, 'type') !== 'attachment' || said.has(textAt(line, 'attachment', 'type') ?? '');
};

const dropped = new Set([
  'uuid',
  'parentUuid',
  'promptId',
  'requestId',
  'userType',
  'entrypoint',
  'gitBranch',
  'session_id',
  'sourceToolAssistantUUID',
  'turnPosition',
  'attributionSkill',
  'internal_chat_message_metadata_passthrough',
  'metadata',
  'thread_id',
  'root_turn_id',
  'turn_attribution',
  'rate_limits',
  'total_token_usage',
  'base_instructions',
  'dynamic_tools',
  'rendered',
  'iterations',
  'server_tool_use',
  'cache_creation',
  'output_tokens_details',
  'originalFile',
  'structuredPatch',
  'diagnostics',
  'stop_details',
  'container',
  'context_management',
]);
const LONG = 1500;

const smaller = (value: unknown, key: string): unknown => {
  if (typeof value === 'string') return value.length > LONG ? `${value.slice(0, 200)}… [cut for the corpus]` : value;
  if (Array.isArray(value)) return value.map((item: unknown) => smaller(item, key));
  if (!isJson(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !dropped.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, smaller(inner, name)]));
};
