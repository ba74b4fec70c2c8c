// Where runs stand, for people. A live run gets a block, an ended one two lines.

import {cutTo, oneLine} from '../baton/clean.ts';
import {measureWords} from '../baton/handoff-measures.ts';
import {measuresOf} from '../report/handoff.ts';
import {duration} from '../report/messages.ts';
import type {RunStatus} from './status.ts';
import {since, until} from './when.ts';

export interface Shown {
  now: number;
  /** Of the terminal: longer lines are cut. */
  width: number;
}

export const statusText = (runs: RunStatus[], shown: Shown): string =>
  runs.map((run) => `${statusLines(run, shown).join('\n')}\n`).join('\n');

/** One line a run, with its folder, for `ckpt runs`. */
export const runLine = (run: RunStatus, where: string, {now, width}: Shown): string =>
  cutTo([...headWords(run), shortState(run, now), oneLine(where)].join('  '), width);

/** How to go on with a run that waits for a person or whose process is gone. */
export const goOnWords = (run: string): string => `ckpt-run --continue-run ${run}`;

const signs = {live: '●', over: '○', lost: '✗'} as const;

const headWords = ({standing, run, agent, version, track, leg}: RunStatus): string[] => [
  `${signs[standing]} ${run}`,
  oneLine(version === undefined ? agent : `${agent} ${version}`),
  `track ${oneLine(track)}`,
  `leg ${leg}`,
];

const shortState = (run: RunStatus, now: number): string => {
  const {standing, state, since: from, outcome_words: outcome, detached} = run;
  const age = from === undefined ? '' : ` ${since(Date.parse(from), now)}`;
  if (standing === 'over') return `over${age === '' ? '' : ` for${age}`}: ${oneLine(outcome ?? 'no outcome written')}`;
  if (standing === 'lost') return `lost: its process is gone, it was ${oneLine(state)}`;
  return `${oneLine(state)}${age === '' ? '' : ` for${age}`}${detached ? ', detached' : ''}`;
};

const statusLines = (run: RunStatus, {now, width}: Shown): string[] => {
  const lines = [headWords(run).join('  '), `  ${shortState(run, now)}${beganWords(run, now)}`];
  for (const [name, words] of facts(run, now)) if (words !== undefined) lines.push(`  ${name.padEnd(12)}${words}`);
  return lines.map((line) => cutTo(line, width));
};

const beganWords = ({started_at: began, pid, standing}: RunStatus, now: number): string =>
  (began === undefined ? '' : `; began ${since(Date.parse(began), now)} ago`) +
  (standing === 'live' && pid !== undefined ? `; pid ${pid}` : '');

const facts = (run: RunStatus, now: number): [string, string | undefined][] => {
  const {standing, outcome} = run;
  const open = standing !== 'over' || outcome?.is === 'parked';
  return [
    ['waits', standing === 'live' ? waitWords(run, now) : undefined],
    ['look with', standing === 'live' && run.detached ? `ckpt attach ${run.run}` : undefined],
    ['taken over', takenOverWords(run)],
    ['deaths', deathsWords(run)],
    ['handoff', handoffWords(run)],
    ['budget', standing === 'live' ? budgetWords(run, now) : undefined],
    ['checkpoint', checkpointWords(run, now)],
    ['next_cmd', open ? nonEmpty(run.checkpoint?.next_cmd) : undefined],
    ['go on with', standing === 'lost' || outcome?.is === 'parked' ? goOnWords(run.run) : undefined],
  ];
};

const waitsFor: Record<string, string> = {limit: 'the usage limit', overload: 'the provider', rest: 'the next leg'};

const waitWords = ({waits}: RunStatus, now: number): string | undefined =>
  waits && `for ${waitsFor[waits.for] ?? oneLine(waits.for)} until ${until(Date.parse(waits.until), now)}`;

const takenOverWords = ({taken_over: all}: RunStatus): string | undefined =>
  all.length === 0 ? undefined : all.map(({agent, leg}) => `by ${oneLine(agent)} with leg ${leg}`).join(', ');

const deathsWords = ({deaths: {total, by_cause, last}}: RunStatus): string | undefined => {
  if (total === 0 || last === undefined) return undefined;
  const causes = Object.entries(by_cause).map(([cause, times]) => `${oneLine(cause)} ${times}`);
  return `${total} (${causes.join(', ')}); last: leg ${last.leg}, ${oneLine(last.in_words ?? last.cause)}`;
};

const handoffWords = ({handoff}: RunStatus): string | undefined =>
  handoff && `leg ${handoff.leg} ${measureWords(measuresOf(handoff))}`;

const budgetWords = ({budget, leg}: RunStatus, now: number): string | undefined =>
  budget &&
  [
    `${budget.failures} of ${budget.legs} legs without progress in ${duration(budget.window_ms)}`,
    ...(budget.max_legs === undefined ? [] : [`leg ${leg} of at most ${budget.max_legs}`]),
    ...(budget.ends_at === undefined ? [] : [`until ${until(Date.parse(budget.ends_at), now)}`]),
  ].join('; ');

const checkpointWords = ({checkpoint}: RunStatus, now: number): string | undefined => {
  if (checkpoint === undefined) return undefined;
  const {id, born, validation, step} = checkpoint;
  const age = born === undefined ? '' : ` (${since(Date.parse(born), now)} ago, ${validation ?? 'unknown'})`;
  return `${oneLine(id)}${age}${step === undefined || step === '' ? '' : `: ${oneLine(step)}`}`;
};

const nonEmpty = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : oneLine(text);
