// One log's facts and baton against what was planted in it: wanted, missed, invented, by kind.

import type {Checkpoint} from '../../src/baton/checkpoint.ts';
import type {LegFacts} from '../../src/baton/facts.ts';
import type {ExpectedFacts} from '../corpus/expected.ts';

export const kinds = [
  'goal',
  'corrections',
  'edits',
  'reads',
  'commands',
  'validation',
  'tasks',
  'open call',
  'running',
  'dead ends',
  'decisions',
  'prompt',
] as const;
export type Kind = (typeof kinds)[number];

export interface Tally {
  wanted: number;
  missed: string[];
  invented: string[];
}

interface Compared {
  expected: ExpectedFacts;
  facts: LegFacts;
  checkpoint: Checkpoint;
  prompt: string;
}

export const tallyOf = ({expected, facts, checkpoint, prompt}: Compared): Record<Kind, Tally> => ({
  goal: compared([expected.goal], checkpoint.goal === undefined ? [] : [checkpoint.goal]),
  corrections: compared(expected.corrections, (checkpoint.extra.instructions ?? '').split('\n---\n').filter(Boolean)),
  edits: compared(expected.edits, facts.edits),
  reads: compared(expected.reads, facts.reads),
  commands: compared(
    expected.commands.map(({command, exit}) => `${plain(command)} → ${exit}`),
    facts.commands.map(({command, exitCode}) => `${plain(command)} → ${exitCode ?? 'stopped'}`),
  ),
  validation: compared(
    [proofOf(expected.validation)],
    [proofOf({state: checkpoint.validation, command: checkpoint.extra.validation_cmd})],
  ),
  tasks: compared(expected.tasks.map(taskLine), checkpoint.tasks.map(taskLine)),
  'open call': compared(
    expected.open === null ? [] : [`${plain(expected.open.command)} outside=${expected.open.outside}`],
    openOf(checkpoint),
  ),
  running: compared(
    expected.running,
    (checkpoint.processes ?? []).map(({command}) => command),
  ),
  'dead ends': compared(
    expected.deadEnds,
    checkpoint.tried_failed.map(({what}) => what),
  ),
  decisions: decisionTally(expected.decisions, checkpoint),
  prompt: promptTally(expected, prompt),
});

/** As multisets: what was run twice is wanted twice. */
const compared = (wanted: string[], found: string[]): Tally => {
  const left = [...found];
  const missed = wanted.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return {wanted: wanted.length, missed, invented: left};
};

/** Line breaks and blanks are shown in other ways. */
const plain = (text: string): string => text.replace(/[\s⏎]+/g, ' ').trim();

const proofOf = ({state, command}: {state: string; command?: string | undefined}): string =>
  `${state} by ${plain(command ?? 'nothing')}`;

const taskLine = ({title, state}: {title: string; state: string}): string => `[${state}] ${title}`;

const openOf = ({in_flight: call}: Checkpoint): string[] =>
  call?.outcome === 'unknown' ? [`${plain(call.call.replace(/^\w+: /, ''))} outside=${call.outside}`] : [];

/** Found when what is told stands in the sentence that was planted; told otherwise it is invented. */
const decisionTally = (planted: string[], {decisions_made: found}: Checkpoint): Tally => ({
  wanted: planted.length,
  missed: planted.filter((sentence) => !found.some(({what}) => sentence.includes(what))),
  invented: found.filter(({what}) => !planted.some((sentence) => sentence.includes(what))).map(({what}) => what),
});

/** What the next agent needs at once must be in its first prompt, not only in the file behind it. */
const promptTally = (expected: ExpectedFacts, prompt: string): Tally => {
  const page = plain(prompt);
  const wanted = [
    expected.goal,
    ...expected.corrections,
    `validation: ${expected.validation.state}`,
    ...expected.tasks.map(taskLine),
    ...(expected.open === null ? [] : [`${expected.open.command} outcome: unknown — verify first`]),
    ...expected.commands
      .filter(({exit}) => exit === 0)
      .slice(-3)
      .map(({command}) => command),
    ...expected.deadEnds,
    ...expected.running,
  ].map(plain);
  return {wanted: wanted.length, missed: wanted.filter((one) => !page.includes(one)), invented: []};
};
