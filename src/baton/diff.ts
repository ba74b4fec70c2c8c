// Two checkpoints, field by field.

import type {Checkpoint, WithWhy} from './checkpoint.ts';
import {clean, oneLine} from './clean.ts';
import type {Task} from './facts.ts';

export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** What makes a checkpoint this one and not another says nothing about the work. */
const identity = new Set(['id', 'number', 'born', 'schema_version', 'provenance', 'set_current', 'consumed_by']);

/** What matters most comes first. */
const order = [
  ...['track', 'step', 'note', 'next_cmd', 'validation', 'goal', 'current_task', 'tasks', 'next_steps'],
  ...['decisions_made', 'tried_failed', 'active_files', 'artifacts', 'extra', 'branch', 'head', 'dirty_files'],
];

/** Fields of a later version too. */
export const changesBetween = (before: Checkpoint, after: Checkpoint): Change[] => {
  const [one, other] = [new Map(Object.entries(work(before))), new Map(Object.entries(work(after)))];
  return [...new Set([...order, ...one.keys(), ...other.keys()])].flatMap((field): Change[] => {
    if (identity.has(field)) return [];
    const change = {field, before: one.get(field), after: other.get(field)};
    return asLines(change.before).join('\n') === asLines(change.after).join('\n') ? [] : [change];
  });
};

/** Of its files only what they are: every snapshot has a commit and a name of its own. */
const work = (checkpoint: Checkpoint): object => ({...checkpoint, workspace: checkpoint.workspace?.tree});

/** `- old`, `+ new`, only the lines that differ; what both have stays unsaid. */
export const changeText = ({field, before, after}: Change): string => {
  const [old, now] = [asLines(before), asLines(after)];
  const gone = old.filter((line) => !now.includes(line)).map((line) => `  - ${line}`);
  const come = now.filter((line) => !old.includes(line)).map((line) => `  + ${line}`);
  const moved = gone.length + come.length === 0 ? ['  (the same in another order)'] : [];
  return [field, ...gone, ...come, ...moved].join('\n');
};

const asLines = (value: unknown): string[] => {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return clean(value).split('\n');
  if (Array.isArray(value)) return value.map(itemWords);
  if (typeof value !== 'object') return [String(value)];
  return Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [oneLine(`${key}=${typeof item === 'object' ? JSON.stringify(item) : String(item)}`)],
  );
};

const itemWords = (item: unknown): string => {
  if (typeof item === 'string') return oneLine(item);
  const {what, why, title, state} = item as Partial<WithWhy & Task>;
  if (typeof what === 'string') return oneLine(typeof why === 'string' ? `${what} (${why})` : what);
  if (typeof title === 'string') return oneLine(`[${state ?? '?'}] ${title}`);
  return JSON.stringify(item);
};
