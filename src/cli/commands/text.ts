// Words for people and lines for scripts. Every command's text is made here and nowhere else.

import type {Checkpoint, WithWhy} from '../../baton/checkpoint.ts';
import {clean, cutTo, oneLine} from '../../baton/clean.ts';
import type {Task} from '../../baton/facts.ts';
import type {Latest} from '../../baton/latest.ts';
import {processWords} from '../../baton/left-running.ts';
import {shortHead} from '../../baton/reconcile.ts';

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const savedText = (checkpoint: Checkpoint, dir: string): string =>
  `checkpoint ${checkpoint.number ?? ''} saved: ${checkpoint.id} (track ${checkpoint.track})\nin ${dir}\n`;

/** The ancestor's `key=value` lines: one line, one key. Empty ones are left out, save those that a script counts on. */
export const resumeLines = (checkpoint: Checkpoint, drift: string | undefined): string => {
  const {in_flight: call} = checkpoint;
  const pairs: [string, string | undefined][] = [
    ['track', checkpoint.track],
    ['step', checkpoint.step],
    ['note', checkpoint.note],
    ['branch', checkpoint.branch ?? ''],
    ['head', shortHead(checkpoint.head) ?? ''],
    ['next_cmd', checkpoint.next_cmd],
    ['validation', checkpoint.validation],
    ['goal', checkpoint.goal],
    ['in_flight', call === undefined ? undefined : `${call.call} (outcome: ${call.outcome})`],
    ['current_task', checkpoint.current_task],
    ['tasks', listed(checkpoint.tasks.map(({title, state}) => `[${state}] ${title}`))],
    ['next_steps', listed(checkpoint.next_steps)],
    ['decisions_made', listed(checkpoint.decisions_made.map(because))],
    ['tried_failed', listed(checkpoint.tried_failed.map(because))],
    ['active_files', listed(checkpoint.active_files.map(because))],
    ['artifacts', listed(checkpoint.artifacts)],
    ['processes', listed((checkpoint.processes ?? []).map(processWords))],
    ...Object.entries(checkpoint.extra).map(([key, value]): [string, string] => [`extra.${oneLine(key)}`, value]),
    ['trigger', checkpoint.trigger],
    ['label', checkpoint.label],
    ['born', checkpoint.born],
    ['id', checkpoint.id],
    ['drift', drift],
  ];
  return pairs.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${onOneLine(value)}\n`])).join('');
};

const listed = (items: string[]): string | undefined =>
  items.length === 0 ? undefined : items.map(oneLine).join('; ');

const because = ({what, why}: WithWhy): string => (why === undefined ? what : `${what} (${why})`);

/** A value of one line is printed as it is, so that a command can be copied; in longer ones `\` and breaks are escaped. */
const onOneLine = (value: string): string => {
  const text = clean(value);
  return text.includes('\n') ? text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n') : text;
};

export const listText = (checkpoints: Checkpoint[]): string =>
  table(
    ['No', 'when (UTC)', 'track', 'validation', 'trigger', 'label', 'step'],
    checkpoints.map((one) => [
      String(one.number ?? '-'),
      one.born.slice(0, 19).replace('T', ' '),
      cutTo(one.track, 24),
      one.validation,
      one.trigger,
      cutTo(oneLine(one.label), 30),
      cutTo(oneLine(one.step), 60),
    ]),
  );

/** `3  2026-11-18 09:16:00  main  the parser is written` */
export const checkpointLine = ({number, born, track, step}: Checkpoint): string =>
  [number ?? '-', born.slice(0, 19).replace('T', ' '), cutTo(oneLine(track), 24), cutTo(oneLine(step), 60)].join('  ');

export const tasksText = (tasks: Task[]): string =>
  table(
    ['No', 'state', 'task'],
    tasks.map(({title, state}, at) => [String(at + 1), state, oneLine(title)]),
  );

export const tracksText = (latest: Latest): string =>
  table(
    ['', 'track', 'when (UTC)', 'validation', 'state', 'next_cmd'],
    [...latest.tracks].map(([track, entry]) => [
      track === latest.current_track ? '*' : '',
      track,
      entry.born.slice(0, 19).replace('T', ' '),
      entry.validation,
      entry.closed !== undefined ? 'closed' : entry.consumed_by !== undefined ? 'taken up' : 'open',
      cutTo(oneLine(entry.next_cmd), 70),
    ]),
  );

export const table = (head: string[], rows: string[][]): string => {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
};
