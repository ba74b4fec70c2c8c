import {setTimeout as pauseFor} from 'node:timers/promises';
import type {HookOutcome, Hooks} from './hooks.ts';
import type {Show, Tone} from './show.ts';
import {type Crash, runTool, type ToolEnd} from './tool.ts';
import type {Transcript} from './transcript.ts';

/** A turn that the API refused. The agent stays alive at its prompt. */
export class ApiFailure extends Error {
  readonly error: string;
  readonly status: number;
  /** Epoch seconds, of a usage limit. */
  readonly resetsAt: number | undefined;
  constructor(text: string, {error, status, resetsAt}: {error: string; status: number; resetsAt?: number}) {
    super(text);
    this.error = error;
    this.status = status;
    this.resetsAt = resetsAt;
  }
}

/** What a mind can do: everything goes through the transcript and the hooks, as with Claude Code. */
export interface Body {
  readonly show: Show;
  say(text: string, tone?: Tone): void;
  call(command: string, options?: {ms?: number | undefined; crash?: Crash | undefined}): Promise<ToolEnd>;
  think(ms: number): Promise<void>;
  /** The context as the model would see it: nothing from before the last compaction. */
  knows(): string;
  learn(text: string): void;
  compact(trigger: 'auto' | 'manual', instructions: string | null): Promise<'done' | 'blocked'>;
  lastWords(): string;
  /** Runs the hooks of an event; an interrupt that came meanwhile takes effect here. */
  hook(event: string, subject: string, fields: object): Promise<HookOutcome>;
  /** A new turn can be interrupted anew. */
  newTurn(): AbortController;
}

export const newBody = ({show, hooks, transcript}: {show: Show; hooks: Hooks; transcript: Transcript}): Body => {
  let known: string[] = [];
  let lastWords = '';
  let turn = new AbortController();

  const hook: Body['hook'] = async (event, subject, fields) => {
    const outcome = await hooks.run(event, subject, fields);
    turn.signal.throwIfAborted();
    return outcome;
  };

  const say = (text: string, tone?: Tone): void => {
    transcript.text(text);
    lastWords = text;
    show.line(text, tone);
  };

  const call: Body['call'] = async (command, options = {}) => {
    turn.signal.throwIfAborted();
    const tool = {tool_name: 'Bash', tool_input: {command}, tool_use_id: transcript.toolUse(command)};
    await hook('PreToolUse', 'Bash', tool);
    const start = Date.now();
    const ended = await runTool({command, signal: turn.signal, ...options});
    const failed = ended.code !== 0;
    const text = ended.output.trimEnd() || (failed ? `Exit code ${ended.code}` : '(Bash completed with no output)');
    transcript.toolResult(tool.tool_use_id, {text, failed});
    const after = {...tool, duration_ms: Date.now() - start};
    const response = {stdout: ended.output, stderr: '', interrupted: false};
    const error = `Exit code ${ended.code}`;
    if (failed) await hook('PostToolUseFailure', 'Bash', {...after, error, is_interrupt: false});
    else await hook('PostToolUse', 'Bash', {...after, tool_response: response});
    await hook('PostToolBatch', '', {tool_calls: [{...tool, tool_response: response}]});
    return ended;
  };

  /** Order as seen in both versions: PreCompact, summary, SubagentStop without a type, SessionStart, PostCompact. */
  const compact: Body['compact'] = async (trigger, instructions) => {
    show.line('Running PreCompact hooks…', 'dim');
    const before = await hook('PreCompact', trigger, {trigger, custom_instructions: instructions});
    if (before.blocked) {
      if (trigger === 'manual') show.line(`Compaction blocked by PreCompact hook: ${before.reason}`, 'warn');
      return 'blocked';
    }
    show.line('✻ Compacting conversation…', 'warn');
    await pauseFor(300, undefined, {signal: turn.signal});
    known = [SUMMARY];
    transcript.compacted(trigger, SUMMARY);
    await hook('SubagentStop', '', {agent_id: 'compact', agent_type: '', stop_hook_active: false});
    known.push((await hook('SessionStart', 'compact', {source: 'compact', model: 'practice-1'})).context);
    await hook('PostCompact', trigger, {trigger, compact_summary: SUMMARY});
    return 'done';
  };

  return {
    show,
    say,
    call,
    think: (ms) => pauseFor(ms, undefined, {signal: turn.signal}),
    knows: () => known.join('\n\n'),
    learn: (text) => {
      known.push(text);
    },
    compact,
    hook,
    lastWords: () => lastWords,
    newTurn: () => {
      turn = new AbortController();
      return turn;
    },
  };
};

/** As useless as a summary can be: what it lost, only a baton can give back. */
const SUMMARY =
  'This session is being continued from a previous conversation that ran out of context. Some steps were carried out.';
