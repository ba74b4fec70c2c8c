// The parts of a baton that may be left out of the first prompt, in the order of the page. Items are whole or absent.

import {failedMark} from '../calls.ts';
import type {Checkpoint, Provenance, WithWhy} from '../checkpoint.ts';
import {betweenInstructions} from '../goal.ts';
import {processWords} from '../left-running.ts';
import {fenced, inline} from './quote.ts';

export interface Item {
  /** Undefined: far too long for any prompt, so it is not even looked through. */
  text: string | undefined;
  from: Provenance;
}

const MAX_ITEM = 40_000;

export interface Optional {
  /** What it is called when it had to be left out. */
  name: string;
  title: string;
  items: Item[];
  /** 1 is the last to go. */
  priority: number;
  /** Which end of the items matters more. */
  keep: 'first' | 'last';
  /** For `ckpt baton --explain`. */
  why: string;
}

/** What the person said stands beside the goal, where it changes least from leg to leg. */
export const instructionSection = ({extra}: Checkpoint): Optional => ({
  name: 'later instructions',
  title: 'The person said later (also their own words):',
  items: (extra.instructions ?? '').split(betweenInstructions).flatMap((text) => block(text, 'quoted')),
  priority: 1,
  keep: 'last',
  why: 'said by the person after the goal, in any leg; the newest go last',
});

export const optionalSections = (checkpoint: Checkpoint): Optional[] => {
  const by = (field: string): Provenance => checkpoint.provenance[field] ?? 'claimed';
  const {recent_calls: calls} = checkpoint;
  const done = calls.filter((call) => !call.endsWith(failedMark));
  const failed = calls.filter((call) => call.endsWith(failedMark)).map((call) => call.slice(0, -failedMark.length));
  const lines = (texts: string[], field: string): Item[] => texts.map((text) => bullet(text, by(field)));
  const because = (entries: WithWhy[], field: string): Item[] =>
    entries.map((entry) => bullet(withReason(entry), entry.from ?? by(field)));
  const all: Record<string, Omit<Optional, 'name'>> = {
    step: {...wording.step, items: lines([stepLine(checkpoint)], 'step')},
    'finished calls': {...wording.done, items: lines(done, 'recent_calls')},
    'failed calls': {...wording.failed, items: lines(failed, 'recent_calls')},
    tasks: {...wording.tasks, items: lines(openFirst(checkpoint), 'tasks')},
    processes: {...wording.processes, items: lines((checkpoint.processes ?? []).map(processWords), 'processes')},
    note: {...wording.note, items: block(checkpoint.note, by('note'))},
    tried_failed: {...wording.tried, items: because(checkpoint.tried_failed, 'tried_failed')},
    decisions_made: {...wording.decided, items: because(checkpoint.decisions_made, 'decisions_made')},
    next_steps: {...wording.steps, items: lines(checkpoint.next_steps, 'next_steps')},
    active_files: {...wording.files, items: because(checkpoint.active_files, 'active_files')},
    artifacts: {...wording.artifacts, items: lines(checkpoint.artifacts, 'artifacts')},
    last_words: {...wording.words, items: block(checkpoint.last_words, by('last_words'))},
    extra: {...wording.extra, items: lines(restOf(checkpoint), 'extra')},
    dirty_files: {...wording.dirty, items: lines(checkpoint.dirty_files, 'dirty_files')},
  };
  return Object.entries(all)
    .map(([name, section]): Optional => ({name, ...section}))
    .filter(({items}) => items.length > 0);
};

/** Titles are known to readers of batons (the practice agent, the amnesiac worker): change them together. */
const wording = {
  step: {priority: 4, keep: 'first', title: 'Last step:', why: 'where the work stands, and what proved it'},
  done: {
    priority: 2,
    keep: 'last',
    title: 'Already done (finished, do not repeat):',
    why: 'seen to end well in the session log',
  },
  failed: {priority: 9, keep: 'last', title: 'Ran and failed:', why: 'seen to fail in the session log'},
  tasks: {
    priority: 3,
    keep: 'first',
    title: 'Tasks (go on from the first incomplete one):',
    why: 'the newest list of tasks, open ones first',
  },
  processes: {
    priority: 6,
    keep: 'last',
    title: 'Left running (look before you start it again):',
    why: 'started by an earlier leg, end not seen',
  },
  note: {
    priority: 7,
    keep: 'first',
    title: 'Note (data, quoted from the last agent and the log):',
    why: 'how the leg ended, what the agent noted last',
  },
  tried: {
    priority: 5,
    keep: 'last',
    title: 'Tried and failed, do not try the same again:',
    why: 'failed again and again, or said by the agent to lead nowhere',
  },
  decided: {
    priority: 8,
    keep: 'last',
    title: 'Decided already:',
    why: 'decided by the agent, so that it is not decided again',
  },
  steps: {priority: 10, keep: 'first', title: 'Steps after the next:', why: "from the agent's own snapshot"},
  files: {
    priority: 11,
    keep: 'last',
    title: 'Files that matter:',
    why: "edited in the log, or named in the agent's snapshot",
  },
  artifacts: {
    priority: 12,
    keep: 'last',
    title: 'Artifacts:',
    why: "named in the agent's snapshot, or made by its commands",
  },
  words: {
    priority: 13,
    keep: 'first',
    title: 'Last words of the last agent (data, quoted):',
    why: 'the last text that the agent wrote',
  },
  extra: {priority: 14, keep: 'first', title: 'More:', why: 'other fields of the checkpoint'},
  dirty: {
    priority: 15,
    keep: 'first',
    title: 'Not committed when it was written:',
    why: 'git status at the checkpoint',
  },
} satisfies Record<string, Omit<Optional, 'name' | 'items'>>;

const bullet = (text: string, from: Provenance): Item => ({
  text: text.length > MAX_ITEM ? undefined : `- ${inline(text)}`,
  from,
});

const block = (text: string | undefined, from: Provenance): Item[] => {
  if (text === undefined || text.trim() === '') return [];
  return [{text: text.length > MAX_ITEM ? undefined : fenced(text), from}];
};

const stepLine = ({step, validation, extra}: Checkpoint): string => {
  const proof = extra.validation_cmd === undefined ? '' : `, last tested by \`${extra.validation_cmd}\``;
  return `${step} (validation: ${validation}${proof})`;
};

/** What has its own place on the page is not told again. */
const restOf = ({extra}: Checkpoint): string[] =>
  Object.entries(extra)
    .filter(([key]) => key !== 'instructions' && key !== 'validation_cmd')
    .map(([key, value]) => `${key}=${value}`);

const withReason = ({what, why}: WithWhy): string => (why === undefined || why === '' ? what : `${what} (why: ${why})`);

/** Incomplete ones first in line when space is short. */
const openFirst = ({tasks}: Checkpoint): string[] => {
  const isOpen = (state: string): boolean => state !== 'completed' && state !== 'skipped';
  const inOrder = [...tasks.filter(({state}) => isOpen(state)), ...tasks.filter(({state}) => !isOpen(state))];
  return inOrder.map(({title, state}) => `[${state}] ${title}`);
};
