// Gathers what one session log shows into LegFacts. The readers of the two logs feed it.

import type {WithWhy} from '../../src/baton/checkpoint.ts';
import type {LegFacts, Task} from '../../src/baton/facts.ts';
import {decisionsIn} from './decisions.ts';
import {type Ending, newLedger, type Opening} from './ledger.ts';
import {relativeTo} from './paths.ts';
import {checklistIn} from './said.ts';

/** A conversation of days: the first asks hold the goal, the last ones the present. */
const ASKS = 100;
const FILES = 500;
const TASKS = 200;
const DECISIONS = 30;
/** The goal is kept whole as long as it can be; what comes later is shorter. */
const FIRST_ASK = 100_000;
const LATER_ASK = 10_000;
const WORDS = 20_000;
const TITLE = 300;

export interface LegRecord {
  /** The time of the line that is being read. */
  at: number | undefined;
  /** The folder in which the agent was started, and the one in which it is now. */
  root: string | undefined;
  cwd: string | undefined;
  sessionId: string | undefined;
  agentVersion: string | undefined;
  contextTokens: number | undefined;
  contextWindow: number | undefined;
  model: string | undefined;
  tokens: number | undefined;
  dollars: number | undefined;
  ask(text: string): void;
  /** The agent's own words. */
  say(text: string): void;
  /** The whole list, as a tool of the agent's keeps it. */
  plan(tasks: Task[]): void;
  read(path: string): void;
  /** A call stands in the log, behind the words that came before it; also when a hook has told it already. */
  acted(): void;
  opened(call: Opening): void;
  closed(id: string, ending: Ending): void;
  /** What was left open before this leg began is past. */
  forgetOpen(before: number): void;
  facts(): LegFacts;
}

export const newRecord = (): LegRecord => {
  const asks: string[] = [];
  const edits = newFiles();
  const reads = newFiles();
  const decisions = new Map<string, WithWhy>();
  let lastWords: string | undefined;
  let callsSinceWords = 0;
  let board: {tasks: Task[]; by: LegFacts['tasksBy']} = {tasks: [], by: 'observed'};
  const named = (path: string, cwd: string | undefined): string => relativeTo(record.root, cwd, path);
  const ledger = newLedger({
    edited: (path, cwd) => edits.add(named(path, cwd)),
    read: (path, cwd) => reads.add(named(path, cwd)),
  });
  const record: LegRecord = {
    at: undefined,
    root: undefined,
    cwd: undefined,
    sessionId: undefined,
    agentVersion: undefined,
    contextTokens: undefined,
    contextWindow: undefined,
    model: undefined,
    tokens: undefined,
    dollars: undefined,
    ask(text) {
      const kept = cut(text, asks.length === 0 ? FIRST_ASK : LATER_ASK);
      if (kept.trim() === '' || asks.at(-1) === kept) return;
      asks.push(kept);
      if (asks.length > ASKS) asks.splice(ASKS / 2, 1);
    },
    say(text) {
      if (text.trim() === '') return;
      lastWords = cut(text, WORDS);
      callsSinceWords = 0;
      for (const decision of decisionsIn(text)) decisions.set(decision.what, decision);
      while (decisions.size > DECISIONS) decisions.delete(decisions.keys().next().value ?? '');
      const list = checklistIn(text);
      // What a tool keeps is surer than what is said.
      if (list.length > 0 && (board.by === 'claimed' || board.tasks.length === 0))
        board = {tasks: bounded(list), by: 'claimed'};
    },
    plan(tasks) {
      board = {tasks: bounded(tasks), by: 'observed'};
    },
    read: (path) => reads.add(named(path, record.cwd)),
    acted: () => {
      callsSinceWords += 1;
    },
    opened: (call) => {
      const cwd = call.cwd ?? record.cwd;
      const file = [...(call.edits ?? []), ...(call.reads ?? [])].find((path) => path === call.input);
      ledger.opened({...call, cwd, ...(file === undefined ? {} : {input: named(file, cwd)})}, record.at);
    },
    closed: (id, ending) => ledger.closed(id, ending, record.at),
    forgetOpen: ledger.forgetOpen,
    facts: () => ({
      ...ledger.facts(),
      sessionId: record.sessionId,
      agentVersion: record.agentVersion,
      asks: [...asks],
      lastWords,
      callsSinceWords,
      edits: edits.all(),
      reads: reads.all(),
      tasks: board.tasks.map((task) => ({...task})),
      tasksBy: board.by,
      decisions: [...decisions.values()],
      contextTokens: record.contextTokens,
      contextWindow: record.contextWindow,
      model: record.model,
      tokens: record.tokens,
      dollars: record.dollars,
    }),
  };
  return record;
};

/** Each once, the newest last. */
const newFiles = () => {
  const paths = new Set<string>();
  return {
    add(path: string): void {
      paths.delete(path);
      paths.add(path);
      if (paths.size > FILES) paths.delete(paths.values().next().value ?? '');
    },
    all: (): string[] => [...paths],
  };
};

const bounded = (tasks: Task[]): Task[] =>
  tasks.slice(0, TASKS).map(({title, state}) => ({title: cut(title, TITLE), state}));

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
