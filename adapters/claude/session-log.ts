// Claude Code's transcript (<config>/projects/…/<session>.jsonl), line by line. Unknown lines are skipped: more will come.

import type {AgentCode, Sighting} from '../../src/adapter/adapter.ts';
import type {Millis} from '../../src/core/ids.ts';
import {at, type Json, listAt, numberAt, parseLine, textAt, timeOf} from '../shared/json.ts';
import {type LegRecord, newRecord} from '../shared/record.ts';
import {failedTurn} from './failure.ts';
import {personsWords} from './persons-words.ts';
import {resetTime} from './reset-time.ts';
import {newTools, type Tools} from './tools.ts';

export const newLogReader: AgentCode['newLogReader'] = (since) => {
  const record = newRecord();
  const tools = newTools(record);
  const turn = {failed: false, counted: undefined};
  let past = since !== undefined;
  return {
    feed(line) {
      const entry = parseLine(line);
      // A subagent's messages are not the leg's.
      if (!entry || at(entry, 'isSidechain') === true) return [];
      if (past && since !== undefined && isFrom(entry, since)) {
        past = false;
        record.forgetOpen(since);
      }
      record.at = timeOf(entry);
      record.cwd = textAt(entry, 'cwd') ?? record.cwd;
      record.root ??= record.cwd;
      record.sessionId = textAt(entry, 'sessionId') ?? record.sessionId;
      record.agentVersion = textAt(entry, 'version') ?? record.agentVersion;
      const sightings = read(entry, {record, tools, turn});
      return past ? [] : sightings;
    },
    note(at, news) {
      record.at = at;
      const {prompt, block, told} = news;
      if (prompt !== undefined) for (const words of personsWords(prompt)) record.ask(words);
      tools.use(block);
      tools.result(block, told);
    },
    facts: () => record.facts(),
  };
};

/** Headless it notes each of its tries at an API that does not answer, for more than an hour. */
export const isHeartbeat = (line: string): boolean => {
  const entry = parseLine(line);
  const type = String(entry?.type);
  return type.startsWith('api-request') || (type === 'system' && textAt(entry, 'subtype') === 'api_error');
};

interface Reading {
  record: LegRecord;
  tools: Tools;
  /** 2.1.197 writes turn_duration after a failed turn too: that is no idle. */
  turn: {failed: boolean; counted: string | undefined};
}

const isFrom = (entry: Json, since: Millis): boolean => (timeOf(entry) ?? Number.NaN) >= since;

const read = (entry: Json, reading: Reading): Sighting[] => {
  switch (entry.type) {
    case 'user':
      return readUser(entry, reading);
    case 'assistant':
      return at(entry, 'isApiErrorMessage') === true ? readFailure(entry, reading) : readAnswer(entry, reading);
    case 'system':
      return readSystem(entry, reading);
    case 'cost-state':
      reading.record.dollars = numberAt(entry, 'totalCostUSD') ?? reading.record.dollars;
      return [];
    case 'attachment':
      readAttachment(at(entry, 'attachment'), reading);
      return [];
    default:
      return [];
  }
};

const readAttachment = (attachment: unknown, {record, tools}: Reading): void => {
  const type = textAt(attachment, 'type');
  const prompt = at(attachment, 'prompt');
  // Typed while the agent was busy, or the notice of a background command.
  if (type === 'queued_command') {
    for (const words of personsWords(prompt)) record.ask(words);
    if (typeof prompt === 'string') tools.notice(prompt);
  }
  // `@file` in a prompt.
  const file = type === 'file' ? textAt(attachment, 'filename') : undefined;
  if (file !== undefined) record.read(file);
};

const readUser = (entry: Json, {record, tools, turn}: Reading): Sighting[] => {
  if (at(entry, 'isMeta') === true || at(entry, 'isCompactSummary') === true) return [];
  if (at(entry, 'isVisibleInTranscriptOnly') === true) return [];
  const content = at(entry, 'message', 'content');
  for (const block of Array.isArray(content) ? content : []) tools.result(block, entry);
  for (const text of textsOf(content)) tools.notice(text);
  const interrupted = /^\[Request interrupted by user(?: for tool use)?\]$/;
  if (textsOf(content).some((text) => interrupted.test(text))) {
    return [{type: 'idle', evidence: {channel: 'log', detail: 'interrupted'}}];
  }
  const words = personsWords(content);
  if (words.length > 0) turn.failed = false;
  for (const text of words) record.ask(text);
  return [];
};

const textsOf = (content: unknown): string[] => {
  if (typeof content === 'string') return [content];
  return Array.isArray(content) ? content.flatMap((block) => textAt(block, 'text') ?? []) : [];
};

/** One line per content block, all with the same message id: tool calls have ids of their own, usage is the same in all. */
const readAnswer = (entry: Json, {record, tools, turn}: Reading): Sighting[] => {
  if (textAt(entry, 'message', 'model') === '<synthetic>') return [];
  turn.failed = false;
  for (const block of listAt(entry, 'message', 'content')) {
    const text = textAt(block, 'type') === 'text' ? textAt(block, 'text') : undefined;
    if (text !== undefined) record.say(text);
    tools.use(block);
  }
  const usage = (key: string) => numberAt(entry, 'message', 'usage', key) ?? 0;
  const used =
    usage('input_tokens') +
    usage('cache_creation_input_tokens') +
    usage('cache_read_input_tokens') +
    usage('output_tokens');
  record.model = textAt(entry, 'message', 'model') ?? record.model;
  if (used === 0) return [];
  record.contextTokens = used;
  // One line per block of the same message, each with the usage of all of it.
  const id = textAt(entry, 'message', 'id');
  if (id !== turn.counted) record.tokens = (record.tokens ?? 0) + used;
  turn.counted = id;
  return [];
};

const readFailure = (entry: Json, {turn}: Reading): Sighting[] => {
  turn.failed = true;
  const error = textAt(entry, 'error') ?? 'unknown';
  const texts = [...textsOf(at(entry, 'message', 'content')), textAt(entry, 'errorDetails') ?? ''];
  const seconds = numberAt(entry, 'apiErrorParams', 'rate_limit_info', 'resetsAt');
  const resetsAt =
    seconds === undefined ? resetTime(texts.join('\n'), timeOf(entry) ?? Number.NaN) : ((seconds * 1000) as Millis);
  return [failedTurn({error, texts, resetsAt, evidence: {channel: 'log', detail: `api error(error=${error})`}})];
};

const readSystem = (entry: Json, {record, turn}: Reading): Sighting[] => {
  const subtype = textAt(entry, 'subtype');
  if (subtype === 'compact_boundary') {
    const trigger = textAt(entry, 'compactMetadata', 'trigger') === 'manual' ? 'manual' : 'auto';
    record.contextTokens = numberAt(entry, 'compactMetadata', 'postTokens') ?? record.contextTokens;
    return [{type: 'compaction-done', trigger, evidence: {channel: 'log', detail: `compact_boundary(${trigger})`}}];
  }
  if (subtype === 'turn_duration' && !turn.failed) {
    return [{type: 'idle', evidence: {channel: 'log', detail: 'turn_duration'}}];
  }
  return [];
};
