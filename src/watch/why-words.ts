// A death certificate in words: what happened, how we know, what was decided, and what the journal says around it.

import {cutTo, oneLine} from '../baton/clean.ts';
import {measureWords} from '../baton/handoff-measures.ts';
import type {Handoff} from '../report/handoff.ts';
import type {DeathRecord} from './death-record.ts';
import {type JournalLine, journalWords} from './journal-line.ts';
import {since as sinceWords, stamp} from './when.ts';

export interface Explained {
  run: string;
  leg: number;
  death: DeathRecord;
  /** How this leg took its baton up, and how the next one took what this one left. */
  handoffs: Handoff[];
  /** When the leg's process came up. */
  spawnedAt: number | undefined;
  /** This leg's lines around the death, oldest first. */
  around: JournalLine[];
  /** What the leg left behind, absolute. */
  files: string[];
  now: number;
}

export const whyText = ({run, leg, death, handoffs, spawnedAt, around, files, now}: Explained): string => {
  const rows: [string, string | undefined][] = [
    ['run', `${run}, leg ${leg}${who(death)}`],
    ['died', diedWords(death, spawnedAt, now)],
    ['why', oneLine(death.inWords ?? death.cause)],
    ...evidenceRows(death),
    ['exit', exitWords(death)],
    ['progress', progressWords(death)],
    ['decided', death.decision === undefined ? undefined : oneLine(death.decision)],
    ...handoffRows(handoffs),
    ['context', death.contextTokens === undefined ? undefined : `${death.contextTokens} tokens`],
    ['session', sessionWords(death)],
    ...files.map((file, at): [string, string] => [at === 0 ? 'files' : '', oneLine(file)]),
  ];
  const told = rows.flatMap(([name, words]) => (words === undefined ? [] : [`${name.padEnd(10)}${words}\n`]));
  const journal = around.map((line) => `  ${cutTo(journalWords(line, {withRun: false}), 400)}\n`);
  return [...told, ...(journal.length === 0 ? [] : ['\njournal\n', ...journal])].join('');
};

/** What led to the death, and what came of it: the leg's last lines, and how the next one began. */
export const aroundDeath = (lines: JournalLine[], {leg, at}: {leg: number; at: number | undefined}): JournalLine[] => {
  const own = lines.filter((line) => line.leg === leg);
  const decided = own.findIndex((line) => line.death !== undefined);
  const cut = decided === -1 ? own.findLastIndex((line) => at === undefined || line.at <= at) : decided;
  const next = lines.filter((line) => line.leg === leg + 1).slice(0, 2);
  return [...own.slice(Math.max(0, cut - BEFORE), cut + 1 + AFTER), ...next];
};

const BEFORE = 12;
const AFTER = 8;

const who = ({agent, version, track}: DeathRecord): string =>
  (agent === undefined ? '' : ` of ${oneLine(version === undefined ? agent : `${agent} ${version}`)}`) +
  (track === undefined ? '' : `, track ${oneLine(track)}`);

const diedWords = ({at}: DeathRecord, spawnedAt: number | undefined, now: number): string | undefined => {
  if (at === undefined) return undefined;
  const lived = spawnedAt === undefined ? '' : `, after ${sinceWords(spawnedAt, at)}`;
  return `${stamp(at)}, ${sinceWords(at, now)} ago${lived}`;
};

const evidenceRows = ({evidence}: DeathRecord): [string, string][] =>
  evidence.length === 0
    ? [['evidence', 'none was written down']]
    : evidence.map(({channel, detail}, at) => [
        at === 0 ? 'evidence' : '',
        `${oneLine(channel)}: ${cutTo(oneLine(detail), 300)}`,
      ]);

const handoffRows = (handoffs: Handoff[]): [string, string][] =>
  handoffs.map((one, at) => [at === 0 ? 'handoff' : '', `leg ${one.leg} ${measureWords(one)}`]);

const exitWords = ({exit}: DeathRecord): string | undefined =>
  exit && (exit.signal === undefined ? `exit ${exit.code}` : `signal ${exit.signal}`);

const progressWords = ({progress, finishedCalls}: DeathRecord): string | undefined => {
  if (progress === undefined) return undefined;
  const calls = finishedCalls === undefined ? '' : ` (${finishedCalls} finished tool calls)`;
  return `${progress ? 'yes' : 'none seen'}${calls}`;
};

const sessionWords = ({session}: DeathRecord): string | undefined =>
  session &&
  [session.id, session.log, session.offset && `byte ${session.offset}`]
    .filter(Boolean)
    .map(String)
    .map(oneLine)
    .join(', ');
