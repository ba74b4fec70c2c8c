import {randomUUID} from 'node:crypto';
import {appendFileSync, existsSync, mkdirSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** The session's transcript as Claude Code writes it: one JSON line per content block, appended at once. */
export interface Transcript {
  readonly path: string;
  user(text: string): void;
  /** Text and calls of one answer are lines of one message: they share its id. */
  text(text: string): void;
  toolUse(command: string): string;
  toolResult(id: string, result: {text: string; failed: boolean}): void;
  apiError(failure: {error: string; status: number; text: string; resetsAt: number | undefined}): void;
  compacted(trigger: string, summary: string): void;
  turnEnd(ms: number): void;
}

export const openTranscript = (session: string, cwd: string): Transcript => {
  const path = transcriptPath(session, cwd);
  let parent: string | null = null;
  let messageId = newMessageId();
  let tokens = 24_000;

  const write = (entry: object): void => {
    if (path === '') return;
    const uuid = randomUUID();
    const common = {isSidechain: false, userType: 'external', cwd, sessionId: session, version: '0.1.0'};
    const line = {parentUuid: parent, ...common, ...entry, uuid, timestamp: new Date().toISOString()};
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    appendFileSync(path, `${JSON.stringify(line)}\n`, {mode: 0o600});
    parent = uuid;
  };

  const answer = (block: object): void => {
    const usage = {
      input_tokens: 12,
      cache_creation_input_tokens: 900,
      cache_read_input_tokens: tokens,
      output_tokens: 64,
    };
    const message = {model: 'practice-1', id: messageId, type: 'message', role: 'assistant', content: [block], usage};
    write({type: 'assistant', message});
  };

  return {
    path,
    user: (text) => {
      messageId = newMessageId();
      write({type: 'user', message: {role: 'user', content: text}, promptId: randomUUID()});
    },
    text: (text) => answer({type: 'text', text}),
    toolUse: (command) => {
      const id = `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
      answer({type: 'tool_use', id, name: 'Bash', input: {command}});
      return id;
    },
    toolResult: (id, {text, failed}) => {
      const block = {tool_use_id: id, type: 'tool_result', content: text, is_error: failed};
      write({type: 'user', message: {role: 'user', content: [block]}, toolUseResult: {stdout: text}});
      messageId = newMessageId();
      tokens += 30_000;
    },
    apiError: ({error, status, text, resetsAt}) => {
      const content = [{type: 'text', text}];
      const zero = {input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0};
      const message = {
        model: '<synthetic>',
        id: randomUUID(),
        type: 'message',
        role: 'assistant',
        content,
        usage: zero,
      };
      const limit = {status: 'rejected', resetsAt, rateLimitType: 'five_hour'};
      const reset =
        resetsAt === undefined ? {} : {apiError: 'usage_limit_reached', apiErrorParams: {rate_limit_info: limit}};
      write({type: 'assistant', message, error, isApiErrorMessage: true, apiErrorStatus: status, ...reset});
    },
    compacted: (trigger, summary) => {
      const compactMetadata = {trigger, preTokens: tokens, postTokens: 2892, durationMs: 300};
      const boundary = {
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        compactMetadata,
      };
      write({...boundary, parentUuid: null, logicalParentUuid: parent, level: 'info'});
      const message = {role: 'user', content: summary};
      write({type: 'user', message, isCompactSummary: true, isVisibleInTranscriptOnly: true});
      tokens = 2892;
    },
    turnEnd: (ms) => write({type: 'system', subtype: 'turn_duration', durationMs: ms, isMeta: false}),
  };
};

/**
 * In a run beside its other files, so that nothing is left behind elsewhere; else where Claude has it. A bare
 * practice agent writes none.
 */
export const transcriptPath = (session: string, cwd: string): string => {
  const {CKPT_DIR, CLAUDE_CONFIG_DIR} = process.env;
  if (CKPT_DIR) return join(CKPT_DIR, 'practice', `${session}.jsonl`);
  const project = cwd.replace(/[^A-Za-z0-9]/g, '-');
  return CLAUDE_CONFIG_DIR ? join(CLAUDE_CONFIG_DIR, 'projects', project, `${session}.jsonl`) : '';
};

export const isInUse = (session: string, cwd: string): boolean => {
  const path = transcriptPath(session, cwd);
  return path !== '' && existsSync(path);
};

const newMessageId = (): string => `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
