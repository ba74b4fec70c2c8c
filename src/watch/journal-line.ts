// journal.jsonl, read and put into words. Lines of a later version, of a crash or of a stranger are shown as they are.

import {cutTo, oneLine} from '../baton/clean.ts';
import {readEvidence} from './death-record.ts';
import {type Fields, fieldsOf, flagAt, inside, isFields, numberAt, textAt, timeAt} from './json-fields.ts';
import {readExit} from './run-record.ts';
import {day, stamp, time} from './when.ts';

export interface JournalLine {
  at: number;
  run: string;
  leg: number | undefined;
  event: string;
  /** The state after it; `from` only when it changed. */
  state: string | undefined;
  from: string | undefined;
  death: string | undefined;
  fields: Fields;
}

/** Undefined when it is no line of ours: torn by a crash, or written by somebody else. */
export const readJournalLine = (line: string): JournalLine | undefined => {
  const fields = fieldsOf(line);
  const at = fields && timeAt(fields, 'at');
  const run = fields && textAt(fields, 'run');
  const event = fields && textAt(fields, 'event');
  if (fields === undefined || at === undefined || run === undefined || event === undefined) return undefined;
  return {
    at,
    run,
    leg: numberAt(fields, 'leg'),
    event,
    state: textAt(fields, 'state'),
    from: textAt(fields, 'from'),
    death: textAt(fields, 'death'),
    fields,
  };
};

/** `09:15:00  leg 3  compaction is about to begin (auto) [hook: PreCompact(auto)]  working → capturing  † compaction` */
export const journalWords = (line: JournalLine, {withRun}: {withRun: boolean}): string => {
  const {at, run, leg, from, state, death} = line;
  return [
    time(at),
    ...(withRun ? [oneLine(run)] : []),
    leg === undefined ? '     ' : `leg ${leg}`.padEnd(5),
    `${eventWords(line)}${evidenceWords(line.fields)}`,
    ...(from === undefined ? [] : [`${oneLine(from)} → ${oneLine(state ?? '?')}`]),
    ...(death === undefined ? [] : [`† ${oneLine(death)}`]),
  ].join('  ');
};

/** A line of its own whenever the day changes. */
export const dayLine = (at: number, before: number | undefined): string | undefined =>
  before !== undefined && day(before) === day(at) ? undefined : `── ${day(at)} ──`;

const eventWords = ({event, fields}: JournalLine): string => {
  const words = known.get(event);
  return words === undefined ? unknownWords(event, fields) : words(fields);
};

const said = (fields: Fields, name = 'what'): string => cutTo(oneLine(textAt(fields, name) ?? ''), 200);
const note = (fields: Fields): string => (said(fields, 'note') === '' ? '' : `: ${said(fields, 'note')}`);
const trigger = (fields: Fields): string => (textAt(fields, 'trigger') === 'manual' ? "the person's own" : 'automatic');

const known = new Map<string, (fields: Fields) => string>([
  ['run-began', () => 'the run began'],
  [
    'leg-spawned',
    (fields) => `${textAt(fields, 'agent') ?? 'the agent'} was started (pid ${numberAt(fields, 'pid') ?? '?'})`,
  ],
  ['spawn-failed', (fields) => `the agent could not be started: ${said(fields)}`],
  ['agent-exited', (fields) => `the agent ended: ${exitWords(fields)}`],
  ['checkpoint-written', (fields) => `checkpoint ${said(fields, 'id')}${progressWords(fields)}`],
  ['checkpoint-skipped', () => 'nothing has moved: no new checkpoint'],
  ['checkpoint-failed', (fields) => `the checkpoint could not be written: ${said(fields)}`],
  ['timer-fired', (fields) => `timer ${said(fields, 'name')}`],
  ['quit-asked', (fields) => `asked to end (signal ${numberAt(fields, 'signal') ?? '?'})`],
  ['hangup', () => 'the terminal went away'],
  ['done-asked', (fields) => `told that the work is done${note(fields)}`],
  ['handoff-asked', () => 'asked for a fresh agent'],
  ['call-held', (fields) => `held before it is done: ${said(fields)}`],
  ['approval-said', (fields) => `a person said ${flagAt(fields, 'yes') === true ? 'yes' : 'no'}${note(fields)}`],
  ['outside-effect', (fields) => `felt outside: ${said(fields)} (${said(fields, 'outcome')})`],
  ['restore-asked', (fields) => `asked to go back to checkpoint ${said(inside(fields, 'back'), 'to')}`],
  ['restored', (fields) => `went back; the next leg gets checkpoint ${said(fields, 'id')}`],
  ['restore-failed', (fields) => `could not go back: ${said(fields)}`],
  ['ready', () => 'ready'],
  ['busy', () => 'works'],
  ['idle', () => 'its turn is over'],
  ['waiting-for-person', (fields) => `waits for a person: ${said(fields)}`],
  ['compaction-started', (fields) => `compaction is about to begin (${trigger(fields)})`],
  ['compaction-done', (fields) => `compaction is done (${trigger(fields)})`],
  ['compaction-failed', () => 'compaction failed'],
  ['context-full', () => 'its context is full'],
  ['limit', (fields) => `usage limit${resetWords(fields)}`],
  ['overload', () => 'the provider is overloaded or out of reach'],
  ['auth', () => 'it is not logged in, or its key is refused'],
  ['fatal', (fields) => `cannot go on: ${said(fields)}`],
  ['moment-seen', (fields) => said(fields)],
  [
    'uptake-seen',
    (fields) => `the baton was taken up after ${numberAt(fields, 'afterMs') ?? '?'} ms (${said(fields, 'by')})`,
  ],
  ['usage-seen', (fields) => `${numberAt(fields, 'tokens') ?? '?'} tokens used`],
  ['hang-seen', () => 'nothing is heard of it'],
  ['left-running', (fields) => `still running: ${said(fields)}`],
  ['handoff-measured', (fields) => said(fields)],
  ['version-changed', (fields) => `the agent is version ${said(fields, 'to')} now, it was ${said(fields, 'from')}`],
  ['fault', (fields) => `a fault of ckpt-run: ${said(fields)}`],
]);

const exitWords = (fields: Fields): string => {
  const exit = readExit(fields.exit);
  const how = exit === undefined ? '?' : exit.signal === undefined ? `exit ${exit.code}` : `signal ${exit.signal}`;
  const meaning = textAt(fields, 'meaning');
  return meaning === undefined ? how : `${how} (${oneLine(meaning)})`;
};

const progressWords = (fields: Fields): string => (flagAt(fields, 'progress') === false ? ', no progress seen' : '');

const resetWords = (fields: Fields): string => {
  const at = timeAt(fields, 'resetsAt');
  return at === undefined ? '' : `, resets at ${stamp(at)}`;
};

const evidenceWords = (fields: Fields): string => {
  const evidence = readEvidence(fields.evidence);
  if (evidence.length === 0) return '';
  const seen = evidence.map(({channel, detail}) => `${oneLine(channel)}: ${cutTo(oneLine(detail), 100)}`).join(', ');
  // Text on the screen alone may alert, never kill: then it says so.
  return ` [${seen}${flagAt(fields, 'proof') === false ? '; no proof' : ''}]`;
};

const notShown = new Set(['at', 'run', 'leg', 'event', 'state', 'from', 'death', 'evidence', 'proof']);

/** An event of a later version: its name and its plain fields. */
const unknownWords = (event: string, fields: Fields): string => {
  const rest = Object.entries(fields)
    .filter(([name, value]) => !notShown.has(name) && value !== undefined && !isFields(value))
    .map(([name, value]) => `${oneLine(name)}=${oneLine(typeof value === 'string' ? value : JSON.stringify(value))}`);
  return cutTo([oneLine(event), ...rest].join(' '), 240);
};
