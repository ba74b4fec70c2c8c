// Codex's rollout (sessions/Y/M/D/rollout-….jsonl), line by line. Unknown lines are skipped: more will come.

import type {AgentCode, Sighting} from '../../src/adapter/adapter.ts';
import type {Millis} from '../../src/core/ids.ts';
import {at, type Json, numberAt, parseLine, textAt, timeOf} from '../shared/json.ts';
import {type LegRecord, newRecord} from '../shared/record.ts';
import {failedTurn} from './failure.ts';
import {type Items, newItems} from './items.ts';

export const newLogReader: AgentCode['newLogReader'] = (since) => {
  const record = newRecord();
  const items = newItems(record);
  const memory: Memory = {
    resetsAt: undefined,
    foreign: false,
    compaction: 'none',
    turnHasItems: false,
    workedIn: '',
    unheardIn: '',
  };
  let past = since !== undefined;
  return {
    feed(line) {
      const entry = parseLine(line);
      if (!entry) return [];
      record.at = timeOf(entry);
      if (past && since !== undefined && (record.at ?? Number.NaN) >= since) {
        past = false;
        record.forgetOpen(since);
      }
      const sightings = read(entry, {record, items, memory});
      return past ? [] : sightings;
    },
    note: () => {},
    judge: (sighting, payload) => judged(sighting, textAt(payload, 'turn_id') ?? '', memory),
    facts: () => record.facts(),
  };
};

/** Nothing is logged while the model thinks, save the counts of tokens that come with the limits. */
export const isHeartbeat = (line: string): boolean => {
  const entry = parseLine(line);
  return entry?.type === 'event_msg' && textAt(entry, 'payload', 'type') === 'token_count';
};

interface Memory {
  /** From the last token_count: the error itself carries no time. */
  resetsAt: Millis | undefined;
  /** A subagent's rollout: not the leg's. */
  foreign: boolean;
  turnHasItems: boolean;
  /** The last turn in which anything was said or done, the person's own words included. */
  workedIn: string;
  /** The last turn that began with a compaction: the words that began it come after. */
  unheardIn: string;
  /** A compaction whose trigger only the next lines tell: see `settle`. */
  compaction: 'none' | 'untold';
}

interface Reading {
  record: LegRecord;
  items: Items;
  memory: Memory;
}

const read = (entry: Json, reading: Reading): Sighting[] => {
  const {record, items, memory} = reading;
  const payload = at(entry, 'payload');
  if (memory.foreign) return [];
  switch (entry.type) {
    case 'session_meta':
      memory.foreign = isSubagent(payload);
      record.sessionId = textAt(payload, 'id') ?? record.sessionId;
      record.agentVersion = textAt(payload, 'cli_version') ?? record.agentVersion;
      record.root ??= textAt(payload, 'cwd');
      record.cwd = record.root;
      return [];
    case 'response_item': {
      items.call(payload);
      return textAt(payload, 'call_id') ? settle('auto', memory) : [];
    }
    case 'compacted':
      memory.compaction = 'untold';
      return memory.turnHasItems ? settle('auto', memory) : [];
    case 'event_msg':
      return readEvent(payload, reading);
    default:
      return [];
  }
};

const isSubagent = (meta: unknown): boolean =>
  textAt(meta, 'thread_source') === 'subagent' || at(meta, 'source', 'subagent') !== undefined;

/**
 * The rollout does not say who asked for a compaction. In a turn with items it was automatic; one that begins a turn was
 * the person's own if the turn then ends with nothing said, and automatic if it goes on.
 */
const settle = (trigger: 'auto' | 'manual', memory: Memory): Sighting[] => {
  if (memory.compaction === 'none') return [];
  memory.compaction = 'none';
  return [{type: 'compaction-done', trigger, evidence: {channel: 'log', detail: `compacted(${trigger})`}}];
};

/**
 * A compaction before anything is said in its turn: what the person has just typed waits behind it, and neither a hook
 * nor the rollout has told it yet. Held, it would be lost with the leg; so it goes the way of their own /compact.
 */
const judged = (sighting: Sighting, turn: string, memory: Memory): Sighting => {
  if (sighting.type === 'compaction-started') memory.unheardIn = turn === memory.workedIn ? '' : turn;
  const isCompaction = sighting.type === 'compaction-started' || sighting.type === 'compaction-done';
  return isCompaction && isUnheard(turn, memory) ? {...sighting, trigger: 'manual'} : sighting;
};

const isUnheard = (turn: string, {unheardIn}: Memory): boolean => turn !== '' && turn === unheardIn;

const readEvent = (payload: unknown, {record, items, memory}: Reading): Sighting[] => {
  const type = textAt(payload, 'type');
  const evidence = {channel: 'log' as const, detail: String(type)};
  switch (type) {
    case 'task_started':
      memory.turnHasItems = false;
      return [{type: 'busy', evidence}];
    case 'item_completed':
      if (textAt(payload, 'item', 'type') === 'ContextCompaction') return [];
      memory.turnHasItems = true;
      memory.workedIn = textAt(payload, 'turn_id') ?? '';
      items.done(payload);
      return settle(isUnheard(memory.workedIn, memory) ? 'manual' : 'auto', memory);
    case 'token_count':
      record.contextTokens = numberAt(payload, 'info', 'last_token_usage', 'total_tokens') ?? record.contextTokens;
      record.contextWindow = numberAt(payload, 'info', 'model_context_window') ?? record.contextWindow;
      record.tokens = numberAt(payload, 'info', 'total_token_usage', 'total_tokens') ?? record.tokens;
      memory.resetsAt = resetOf(at(payload, 'rate_limits')) ?? memory.resetsAt;
      return [];
    case 'task_complete':
      return [...settle('manual', memory), endOfTurn(at(payload, 'error'), memory)];
    case 'turn_aborted':
      // By the person's ESC or Ctrl-C, or our own veto of a compaction.
      return [...settle('auto', memory), {type: 'idle', evidence: {channel: 'log', detail: `interrupted(${type})`}}];
    default:
      return [];
  }
};

const endOfTurn = (error: unknown, memory: Memory): Sighting => {
  if (!error) return {type: 'idle', evidence: {channel: 'log', detail: 'task_complete'}};
  const message = textAt(error, 'message') ?? '';
  return failedTurn({info: at(error, 'codex_error_info'), message, resetsAt: memory.resetsAt});
};

/** Of the two windows the fuller one is what stopped the turn. */
const resetOf = (limits: unknown): Millis | undefined => {
  const windows = ['primary', 'secondary'].map((name) => ({
    used: numberAt(limits, name, 'used_percent') ?? -1,
    seconds: numberAt(limits, name, 'resets_at'),
  }));
  const [fullest] = windows.filter(({seconds}) => seconds !== undefined).sort((a, b) => b.used - a.used);
  return fullest?.seconds === undefined ? undefined : ((fullest.seconds * 1000) as Millis);
};
