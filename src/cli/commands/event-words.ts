// One line of the journal in words. Tolerant: lines of older and later versions are told as far as they are known.

import {clean, cutTo, oneLine} from '../../baton/clean.ts';
import type {EventType} from '../../core/events.ts';

type Entry = Record<string, unknown>;

export const eventLine = (entry: Entry): string => {
  const name = text(entry.type) ?? text(entry.is) ?? text(entry.event) ?? 'entry';
  const {said, told} = sentence(name, entry);
  const leg = typeof entry.leg === 'number' ? ` leg ${entry.leg}` : '';
  const rest = Object.entries(entry)
    .filter(([key, value]) => !told.has(key) && value !== undefined && value !== null && value !== '')
    .map(([key, value]) => `${oneLine(key)}=${cutTo(oneLine(plain(value)), 120)}`);
  return [when(entry), `${text(entry.run) ?? ''}${leg}`.trim(), said, ...rest].filter((part) => part !== '').join('  ');
};

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const plain = (value: unknown): string => clean(typeof value === 'string' ? value : JSON.stringify(value));

const when = ({at}: Entry): string => {
  const time = typeof at === 'number' || typeof at === 'string' ? new Date(at) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) return '-';
  return time.toISOString().slice(0, 19).replace('T', ' ');
};

/** `{key}` stands for that field of the entry. */
const sentences: Partial<Record<EventType, string>> = {
  ready: 'the agent takes input',
  busy: 'a turn began',
  idle: 'the turn is over',
  'waiting-for-person': 'waits for the person: {what}',
  'compaction-started': 'a compaction ({trigger}) is about to begin',
  'compaction-done': 'a compaction ({trigger}) is done',
  'compaction-failed': 'a compaction failed',
  'context-full': 'the context is full',
  limit: 'a usage limit was reached',
  overload: 'the provider is overloaded',
  auth: 'the login was refused',
  fatal: 'cannot go on: {what}',
  'leg-spawned': 'the agent was started, pid {pid}',
  'spawn-failed': 'the agent could not be started: {what}',
  'agent-exited': 'the agent has ended ({meaning})',
  'checkpoint-written': 'checkpoint {id} was written',
  'checkpoint-skipped': 'nothing has moved: no new checkpoint',
  'checkpoint-failed': 'the checkpoint could not be written: {what}',
  'timer-fired': 'a timer fired: {name}',
  'moment-seen': '{what}',
  'uptake-seen': 'the baton was taken up after {afterMs} ms ({by})',
  'usage-seen': '{tokens} tokens used',
  'hang-seen': 'nothing is heard of the agent',
  'quit-asked': 'the person ended the run (signal {signal})',
  hangup: 'the terminal went away',
  'done-asked': 'the agent says that the work is done: {note}',
  'handoff-asked': 'a fresh agent was asked for',
  'call-held': 'held before it is done: {what}',
  'approval-said': 'a person answered the calls that were held',
  'restore-asked': 'somebody asked to go back to an earlier checkpoint',
  restored: 'files and baton went back; the next agent gets checkpoint {id}',
  'restore-failed': 'could not go back: {what}',
};

const common = ['type', 'is', 'event', 'at', 'run', 'leg'];

const sentence = (name: string, entry: Entry): {said: string; told: Set<string>} => {
  const pattern = Object.hasOwn(sentences, name) ? sentences[name as EventType] : undefined;
  const told = new Set(common);
  if (pattern === undefined) return {said: oneLine(name), told};
  const said = pattern.replace(/\{(\w+)\}/g, (_all, key: string) => {
    told.add(key);
    return entry[key] === undefined ? '?' : cutTo(oneLine(plain(entry[key])), 200);
  });
  return {said, told};
};
