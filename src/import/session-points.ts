// The second ancestor: `.session/checkpoints/cp-*.md`, `.session/current.md`, `.session/config.json`.
// summary = step, current_task = the task in progress, next_steps: the first one is next_cmd.

import {triggers, type WithWhy} from '../baton/checkpoint.ts';
import {cutTo, oneLine} from '../baton/clean.ts';
import type {Task} from '../baton/facts.ts';
import type {Track} from '../core/ids.ts';
import {emptyDraft, type Found, type Foundling, type OldFile, timeIn} from './foundling.ts';
import {itemsOf, type Page, plain, readPage, textOf} from './page.ts';

export const isSessionFolder = (files: OldFile[]): boolean => files.some(({name}) => isPoint(name));

const isPoint = (name: string): boolean => /^(?:checkpoints\/)?cp-[^/]*\.md$/.test(name) || name === 'current.md';

export const readSessionPoints = (files: OldFile[], track: Track): Found => {
  const found: Found = {foundlings: [], complaints: []};
  for (const file of files.filter(({name}) => isPoint(name))) {
    const one = readPoint(file, track);
    if (one === undefined) found.complaints.push(`${file.name}: neither a summary nor a next step was found in it`);
    else found.foundlings.push(one);
  }
  return found;
};

/** `config.json` in the words of ckpt.yaml; undefined when there is none or it says nothing that we know. */
export const sessionConfig = (files: OldFile[]): string | undefined => {
  const text = files.find(({name}) => name === 'config.json')?.text ?? '{}';
  let said: Record<string, unknown>;
  try {
    said = {...(JSON.parse(text) as object)};
  } catch {
    return undefined;
  }
  const known = ['autoCheckpoint', 'intervalMinutes', 'maxCheckpoints', 'triggers'];
  // JSON is YAML.
  const lines = known.flatMap((key) => (said[key] === undefined ? [] : [`${key}: ${JSON.stringify(said[key])}`]));
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
};

const spellings = new Map(
  Object.entries({
    summary: 'summary step title checkpoint session_summary',
    timestamp: 'timestamp time date created created_at when',
    note: 'note notes context_notes details what_happened',
    current_task: 'current_task task current working_on in_progress',
    active_files: 'active_files files files_being_edited',
    decisions_made: 'decisions_made decisions decided key_decisions',
    tried_failed: 'tried_failed tried failed tried_and_failed dead_ends failed_approaches',
    next_steps: 'next_steps next next_step next_actions pick_up_here todo',
    next_cmd: 'next_cmd next_command',
    trigger: 'trigger',
    /** A YAML level that holds the others; as a heading, prose that we leave. */
    context: 'context',
  }).flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
);

const readPoint = ({name, text, changedAt}: OldFile, track: Track): Foundling | undefined => {
  const page = readPage(text, spellings);
  const [nextStep, ...later] = itemsOf(page, 'next_steps').map(withoutBox);
  const step = textOf(page, 'summary') ?? page.title ?? '';
  const task = textOf(page, 'current_task');
  const next = textOf(page, 'next_cmd') ?? nextStep ?? task ?? '';
  if (step === '' && next === '') return undefined;
  const at = timeIn(textOf(page, 'timestamp') ?? '') ?? timeIn(name) ?? changedAt;
  const draft = {
    ...emptyDraft(track),
    label: name === 'current.md' ? 'current' : cutTo(oneLine(step), 60),
    trigger: triggers.find((known) => known === textOf(page, 'trigger')) ?? 'manual',
    step: step === '' ? `imported from ${name}` : step,
    note: textOf(page, 'note') ?? '',
    next_cmd: next,
    next_steps: textOf(page, 'next_cmd') === undefined ? later : [nextStep, ...later].filter(isText),
    current_task: task,
    tasks: task === undefined ? [] : [{title: task, state: 'in_progress'} satisfies Task],
    active_files: filesIn(page),
    decisions_made: itemsOf(page, 'decisions_made').map(reasoned),
    tried_failed: itemsOf(page, 'tried_failed').map(reasoned),
  };
  return {draft, at, file: name, content: text};
};

const isText = (text: string | undefined): text is string => text !== undefined;

const withoutBox = (item: string): string => plain(item.replace(/^\[[ xX]\]\s*/, ''));

/** `auth.ts # "Implementing JWT"`, `auth.ts: JWT`, `auth.ts (JWT)`, or several in a line with commas between. */
const filesIn = (page: Page): WithWhy[] =>
  itemsOf(page, 'active_files')
    .flatMap((item) => (/[#:(—–]/.test(item) ? [item] : item.split(/,\s*/)))
    .map((item) => {
      const [, what, why] = /^[`"']?([^\s`"'#:(]+)[`"']?\s*(?:#|:|\(|—|–|- )\s*(.+?)\)?$/s.exec(item.trim()) ?? [];
      return what === undefined ? {what: plain(item), why: undefined} : {what, why: plain(why ?? '')};
    })
    .filter(({what}) => what !== '');

/** `JWT instead of sessions — race condition`, `HS256 → key exposure`. */
const reasoned = (item: string): WithWhy => {
  const text = plain(item);
  const [, what = text, why] = /^(.+?)\s+(?:—|–|--|→|->|=>)\s+(.+)$/s.exec(text) ?? [];
  return {what, why};
};
