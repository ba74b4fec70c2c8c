// Codex's hooks: injected and trusted for one run through -c, and read back from the spool.

import type {AgentCode, HookPlan, HookReading, Sighting} from '../../src/adapter/adapter.ts';
import {denied, dropCommand, heldCall, heldName, holdSeconds} from '../shared/held.ts';
import {textAt} from '../shared/json.ts';
import {quoted, relayCommand} from '../shared/shell.ts';
import {autocompactArgs, autocompactCaution} from './autocompact.ts';
import {sandboxCaution, writableArgs} from './sandbox.ts';
import {isSet} from './settings.ts';
import {hooksListed, hooksListInput, type TrustedHook, trustedHash, trustKey} from './trust.ts';

export const caution: NonNullable<AgentCode['caution']> = (plan) => {
  const all = [sandboxCaution(plan), autocompactCaution(plan), ...hooksCaution(plan)].filter(
    (text) => text !== undefined,
  );
  return all.length === 0 ? undefined : all.join('; ');
};

const HOLD_SECONDS = 55;
const HOLD_TIMEOUT = 60;

interface Hook {
  event: string;
  snake: string;
  extra: string[];
  timeout: number;
  contextLimit?: number;
}

const events: Hook[] = [
  // A baton is longer than what Codex lets a hook say by default; it would be cut in the middle.
  {event: 'SessionStart', snake: 'session_start', extra: ['context'], timeout: 10, contextLimit: 0},
  {event: 'UserPromptSubmit', snake: 'user_prompt_submit', extra: [], timeout: 10},
  {event: 'PostToolUse', snake: 'post_tool_use', extra: ['give'], timeout: 10},
  {event: 'PermissionRequest', snake: 'permission_request', extra: [], timeout: 10},
  {event: 'PreCompact', snake: 'pre_compact', extra: ['hold', String(HOLD_SECONDS)], timeout: HOLD_TIMEOUT},
  {event: 'PostCompact', snake: 'post_compact', extra: [], timeout: 10},
  {event: 'Stop', snake: 'stop', extra: [], timeout: 10},
  // Codex allows a SessionEnd hook 3 s at most, and says so on the screen when it is given more.
  {event: 'SessionEnd', snake: 'session_end', extra: [], timeout: 3},
];

/**
 * -c adds to the person's own hooks in their files, but of two -c with one key the last wins: an event that the person
 * sets by -c is left to them, and with a trust table of theirs we inject nothing.
 */
export const hooks: AgentCode['hooks'] = (plan) => {
  const ours = ourHooks(plan);
  return {
    args: [
      ...embedded(plan),
      ...unasked(plan),
      ...writableArgs(plan),
      ...autocompactArgs(plan),
      ...ours.flatMap((hook) => hookArg(hook, plan)),
      ...trust(ours, plan),
    ],
    env: {},
    drop: [],
  };
};

/** What the agent itself says of the hashes of our hooks: asked when its version is none that we have measured. */
export const trustQuestion: NonNullable<AgentCode['trustQuestion']> = (plan) => {
  const ours = ourHooks(plan);
  if (ours.length === 0) return undefined;
  return {
    args: ['app-server', ...ours.flatMap((hook) => hookArg(hook, plan))],
    input: hooksListInput(plan.cwd),
    until: /^\{"id":2,.*\n/m,
    read: hooksListed,
    expected: Object.fromEntries(ours.map((hook) => [trustKey(hook), trustedHash(trusted(hook, plan))])),
  };
};

/** Only where something is to be held: the rollout tells every call at once. */
const preToolUse = (seconds: number): Hook => ({
  ...{event: 'PreToolUse', snake: 'pre_tool_use', extra: [], timeout: seconds + 10},
});

const wantedHooks = ({hold}: HookPlan): Hook[] => {
  const seconds = hold && holdSeconds(hold);
  return seconds === undefined ? events : [...events, preToolUse(seconds)];
};

const ourHooks = (plan: HookPlan): Hook[] =>
  wantedHooks(plan).filter(({event}) => ![`hooks.${event}`, ...allHooks].some((key) => isSet(plan, key)));

const allHooks = ['hooks', 'hooks.state'];

/** What the person loses by hooks of their own on the command line. The rollout and the screen tell the rest. */
const losses: Record<string, string> = {
  SessionStart: 'the agent is not told of ckpt, and after a compaction the baton does not come back',
  PreToolUse: 'no call waits for its checkpoint or for your approval',
  PreCompact: 'a compaction is seen only when it is done',
};

const hooksCaution = (plan: HookPlan): string[] => {
  const all = allHooks.find((key) => isSet(plan, key));
  if (all !== undefined) return [`your own -c ${all} takes the place of ours: ${Object.values(losses).join('; ')}`];
  return wantedHooks(plan).flatMap(({event}) =>
    losses[event] !== undefined && isSet(plan, `hooks.${event}`)
      ? [`your own -c hooks.${event} takes the place of ours: ${losses[event]}`]
      : [],
  );
};

/**
 * Without this the TUI hands its thread to a background daemon that outlives it. `exec` and `--remote` refuse the flag.
 */
const embedded = ({parsed}: HookPlan): string[] =>
  parsed.headless || parsed.flags.some(({flag}) => flag === '--remote' || flag === '--no-daemon')
    ? []
    : ['--no-daemon'];

/**
 * With nobody there. At a usage limit the TUI offers another model in a dialog that takes the next return for a yes; the
 * next return is our nudge, and the model is the person's choice. And without a network Codex tries again for ever and
 * logs nothing, so that an outage would look like a hang: bounded, it says what failed, and the run waits as for any overload.
 */
const unasked = (plan: HookPlan): string[] => {
  if (plan.attended) return [];
  const nudge = 'notice.hide_rate_limit_model_nudge';
  const retries = 'unbounded_connection_retries';
  const wants = plan.parsed.flags.some(({flag, values}) => flag === '--enable' && values[0] === retries);
  return [
    ...['-c', `${nudge}=true`],
    ...(wants || isSet(plan, `features.${retries}`) ? [] : ['-c', `features.${retries}=false`]),
  ];
};

const trusted = (hook: Hook, {relay, spool, hold}: HookPlan): TrustedHook => ({
  ...{snake: hook.snake, timeout: hook.timeout, contextLimit: hook.contextLimit},
  command:
    hook.event === 'PreToolUse'
      ? // The person's shell starts it, and need not be a POSIX one.
        `exec sh -c ${quoted(dropCommand({relay, spool}, hook.event, hold))}`
      : relayCommand({relay, spool, event: hook.event, extra: hook.extra}),
});

const hookArg = (hook: Hook, plan: HookPlan): string[] => {
  const {command, timeout, contextLimit} = trusted(hook, plan);
  const limit = contextLimit === undefined ? '' : `,additionalContextLimit=${contextLimit}`;
  return ['-c', `hooks.${hook.event}=[{hooks=[{type="command",command=${toml(command)},timeout=${timeout}${limit}}]}]`];
};

/** A dotted key with quotes in it does not work, an inline table does. */
const trust = (ours: Hook[], plan: HookPlan): string[] => {
  if (ours.length === 0) return [];
  const hashOf = (hook: Hook): string => plan.trusted?.[trustKey(hook)] ?? trustedHash(trusted(hook, plan));
  const entries = ours.map((hook) => `"${trustKey(hook)}"={trusted_hash="${hashOf(hook)}"}`);
  return ['-c', `hooks.state={${entries.join(',')}}`];
};

/** JSON's escapes are TOML's, save that TOML does not allow a bare DEL. */
const toml = (text: string): string => JSON.stringify(text).replaceAll('\x7f', '\\u007f');

/** Codex asks for whole programs only, and its sandbox lets ours write where it must. */
export const canAllow = false;

export const readHook = (name: string, payload: unknown): HookReading => {
  const held = name === heldName ? heldCall(payload) : undefined;
  // A subagent's life is not the leg's; what it does to the files is.
  if (textAt(payload, 'agent_id')) return {session: undefined, sightings: [], news: undefined, held};
  const id = textAt(payload, 'session_id');
  const logPath = textAt(payload, 'transcript_path');
  const session = name !== 'SessionEnd' && id && logPath ? {id, logPath} : undefined;
  // The rollout has every line at once: hooks have nothing to add to its facts.
  return {session, sightings: sightingsOf(name, payload), news: undefined, held};
};

const sightingsOf = (name: string, payload: unknown): Sighting[] => {
  const evidence = (detail = '') => ({channel: 'hook' as const, detail: detail ? `${name}(${detail})` : name});
  const trigger = textAt(payload, 'trigger') === 'manual' ? 'manual' : 'auto';
  const source = textAt(payload, 'source') ?? 'startup';
  switch (name) {
    case 'SessionStart':
      // `compact` is told by PostCompact, with its trigger.
      return source === 'compact' ? [] : [{type: 'ready', evidence: evidence(source)}];
    case 'UserPromptSubmit':
      return [{type: 'busy', evidence: evidence()}];
    case 'PreCompact':
      return [{type: 'compaction-started', trigger, held: true, evidence: evidence(trigger)}];
    case 'PostCompact':
      return [{type: 'compaction-done', trigger, evidence: evidence(trigger)}];
    case 'Stop':
      return [{type: 'idle', evidence: evidence()}];
    case 'PermissionRequest':
      return [
        {
          type: 'waiting-for-person',
          what: `permission for ${textAt(payload, 'tool_name') ?? 'a tool'}`,
          evidence: evidence(),
        },
      ];
    default:
      return [];
  }
};

/** Exit 2 does not block a compaction here, only this answer does: the turn is aborted and the context stays whole. */
export const hookAnswer: AgentCode['hookAnswer'] = (name, answer, why = '') => {
  const nothing = {exitCode: 0, stdout: '', stderr: ''};
  if (answer !== 'veto') return nothing;
  if (name === 'PreCompact') {
    return {...nothing, stdout: JSON.stringify({continue: false, stopReason: 'ckpt-run: checkpointed, handing on'})};
  }
  return name === heldName ? {...nothing, stdout: denied(why)} : nothing;
};

/** Read with the next request, in the midst of a turn. */
export const hint: NonNullable<AgentCode['hint']> = (text) =>
  JSON.stringify({hookSpecificOutput: {hookEventName: 'PostToolUse', additionalContext: text}});
