// Claude Code's hooks: injected for one run through --settings, and read back from the spool.

import type {AgentCode, HookPlan, HookReading, Sighting} from '../../src/adapter/adapter.ts';
import {denied, dropCommand, heldCall, heldName, holdSeconds} from '../shared/held.ts';
import {at, isJson, type Json, listAt, textAt} from '../shared/json.ts';
import {relayCommand} from '../shared/shell.ts';
import {autocompactEnv} from './autocompact.ts';
import {failedTurn} from './failure.ts';

/** The relay gives up before the agent would cut it off. */
const HOLD_SECONDS = 55;
const HOLD_TIMEOUT = 60;
/** Linux takes 128 KiB per argument. */
const MAX_SETTINGS = 120_000;

const events: Record<string, {extra: string[]; timeout: number}> = {
  SessionStart: {extra: ['context'], timeout: 10},
  UserPromptSubmit: {extra: [], timeout: 10},
  // The transcript is written with a delay, and a SIGKILL takes what is not yet there: only these tell every call in time.
  PreToolUse: {extra: [], timeout: 10},
  PostToolUse: {extra: ['give'], timeout: 10},
  PostToolUseFailure: {extra: [], timeout: 10},
  PreCompact: {extra: ['hold', String(HOLD_SECONDS)], timeout: HOLD_TIMEOUT},
  PostCompact: {extra: [], timeout: 10},
  Stop: {extra: [], timeout: 10},
  StopFailure: {extra: [], timeout: 10},
  PermissionRequest: {extra: [], timeout: 10},
  Notification: {extra: [], timeout: 10},
  SessionEnd: {extra: [], timeout: 5},
};

/** Of two --settings the last wins silently, so the person's own are merged into ours and their flag is dropped. */
export const hooks: AgentCode['hooks'] = (plan) => {
  const {setting, ...world} = plan.autocompact;
  const env = autocompactEnv(setting, world);
  const nothing = {args: [], env, drop: []};
  const flag = plan.parsed.flags.findLast(({flag}) => flag === '--settings');
  const theirs = flag ? readSettings(flag.values[0] ?? '', plan) : {};
  // Unreadable settings are the person's to hear about, from the agent itself.
  if (!theirs) return nothing;
  const settings = JSON.stringify({
    ...theirs,
    ...addAllowed(theirs, plan.allow),
    hooks: addHooks(at(theirs, 'hooks'), plan),
  });
  if (Buffer.byteLength(settings) > MAX_SETTINGS) return nothing;
  return {args: ['--settings', settings], env, drop: ['--settings']};
};

export const canAllow = true;

/**
 * One rule for each command, beside the person's own; their deny and ask rules still come first. The agent's shell would
 * want quotes around a path with blanks in it, and then no rule would fit: it asks, as it would without us.
 */
const addAllowed = (theirs: Json, commands: string[]): Json => {
  const rules = commands.filter((command) => /^[\w./@+-]+ \w+$/.test(command)).map((command) => `Bash(${command}:*)`);
  if (rules.length === 0) return {};
  const permissions = at(theirs, 'permissions');
  return {
    permissions: {...(isJson(permissions) ? permissions : {}), allow: [...listAt(permissions, 'allow'), ...rules]},
  };
};

const readSettings = (value: string, plan: HookPlan): Json | undefined => {
  const text = value.trimStart().startsWith('{') ? value : plan.readFile(value);
  try {
    const settings: unknown = JSON.parse(text ?? '');
    return isJson(settings) ? settings : undefined;
  } catch {
    return undefined;
  }
};

const addHooks = (theirs: unknown, {relay, spool, hold}: HookPlan): Json => {
  const merged: Json = isJson(theirs) ? {...theirs} : {};
  for (const [event, {extra, timeout: usual}] of Object.entries(events)) {
    const held = event === 'PreToolUse' ? hold : undefined;
    const command =
      extra.length === 0 ? dropCommand({relay, spool}, event, held) : relayCommand({relay, spool, event, extra});
    const timeout = usual + ((held && holdSeconds(held)) ?? 0);
    merged[event] = [...listAt(merged, event), {hooks: [{type: 'command', command, timeout}]}];
  }
  return merged;
};

export const readHook = (told: string, payload: unknown): HookReading => {
  const held = told === heldName ? heldCall(payload) : undefined;
  const name = told === heldName ? 'PreToolUse' : told;
  // A subagent's life is not the leg's; what it does to the files is.
  if (textAt(payload, 'agent_id')) return {session: undefined, sightings: [], news: undefined, held};
  const id = textAt(payload, 'session_id');
  const logPath = textAt(payload, 'transcript_path');
  const session = name !== 'SessionEnd' && id && logPath ? {id, logPath} : undefined;
  return {session, sightings: sightingsOf(name, payload), news: newsOf(name, payload), held};
};

/** In the transcript's own shape, so that one reader serves both. */
const newsOf = (name: string, payload: unknown): HookReading['news'] => {
  const id = textAt(payload, 'tool_use_id');
  const content = at(payload, 'tool_response') ?? at(payload, 'error');
  const result = {type: 'tool_result', tool_use_id: id, content};
  const told = {duration_ms: at(payload, 'duration_ms'), is_interrupt: at(payload, 'is_interrupt')};
  switch (name) {
    case 'UserPromptSubmit':
      return {prompt: textAt(payload, 'prompt')};
    case 'PreToolUse':
      return {block: {type: 'tool_use', id, name: at(payload, 'tool_name'), input: at(payload, 'tool_input')}};
    case 'PostToolUse':
      return {block: {...result, is_error: false}, told};
    case 'PostToolUseFailure':
      return {block: {...result, is_error: true}, told};
    default:
      return undefined;
  }
};

const sightingsOf = (name: string, payload: unknown): Sighting[] => {
  const evidence = (detail = '') => ({channel: 'hook' as const, detail: detail ? `${name}(${detail})` : name});
  const trigger = textAt(payload, 'trigger') === 'manual' ? 'manual' : 'auto';
  switch (name) {
    case 'SessionStart':
      return startOf(textAt(payload, 'source') ?? '');
    case 'UserPromptSubmit':
      return [{type: 'busy', evidence: evidence()}];
    case 'PreCompact':
      return [{type: 'compaction-started', trigger, held: true, evidence: evidence(trigger)}];
    case 'PostCompact':
      return [{type: 'compaction-done', trigger, evidence: evidence(trigger)}];
    case 'Stop':
      return agentsStillRun(payload) ? [] : [{type: 'idle', evidence: evidence()}];
    case 'StopFailure':
      return [stopFailure(payload)];
    case 'PermissionRequest':
      return [{type: 'waiting-for-person', what: permissionFor(payload), evidence: evidence()}];
    case 'Notification':
      return notification(textAt(payload, 'notification_type') ?? '');
    default:
      return [];
  }
};

/** `compact` is told by PostCompact, with its trigger; a cleared or resumed session is ready like a new one. */
const startOf = (source: string): Sighting[] =>
  source === 'compact'
    ? []
    : [{type: 'ready', evidence: {channel: 'hook', detail: `SessionStart(${source || 'startup'})`}}];

/** The turn is over, but a background agent will open the next one by itself. */
const agentsStillRun = (payload: unknown): boolean =>
  listAt(payload, 'background_tasks').some(
    (task) => textAt(task, 'status') === 'running' && textAt(task, 'agent_type'),
  );

const permissionFor = (payload: unknown): string => `permission for ${textAt(payload, 'tool_name') ?? 'a tool'}`;

const notification = (type: string): Sighting[] => {
  const evidence = {channel: 'hook' as const, detail: `Notification(${type})`};
  if (type === 'permission_prompt') return [{type: 'waiting-for-person', what: 'permission', evidence}];
  return type === 'idle_prompt' ? [{type: 'idle', evidence}] : [];
};

const stopFailure = (payload: unknown): Sighting => {
  const error = textAt(payload, 'error') ?? 'unknown';
  const texts = [textAt(payload, 'last_assistant_message') ?? '', textAt(payload, 'error_details') ?? ''];
  const evidence = {channel: 'hook' as const, detail: `StopFailure(error=${error})`};
  return failedTurn({error, texts, resetsAt: undefined, evidence});
};

/** Exit 2 blocks the compaction, stderr is the reason the person sees; a call is refused by a word that the model reads. */
export const hookAnswer: AgentCode['hookAnswer'] = (name, answer, why = '') => {
  const nothing = {exitCode: 0, stdout: '', stderr: ''};
  if (answer !== 'veto') return nothing;
  if (name === 'PreCompact') {
    return {exitCode: 2, stdout: '', stderr: 'ckpt-run: checkpointed, handing on to a fresh agent\n'};
  }
  return name === heldName ? {...nothing, stdout: denied(why)} : nothing;
};

/** Read with the next request, in the midst of a turn. */
export const hint: NonNullable<AgentCode['hint']> = (text) =>
  JSON.stringify({hookSpecificOutput: {hookEventName: 'PostToolUse', additionalContext: text}});
