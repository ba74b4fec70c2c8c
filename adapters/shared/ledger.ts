// The calls of one log: opened, closed, and what their ends prove. Bounded, however long the log is.

import type {CommandRun, Failures, LegFacts, TestRun, ToolCall} from '../../src/baton/facts.ts';
import {isOutside} from './outside.ts';
import {linksIn, tellingLine} from './said.ts';
import {answersByStatus, shellEffects} from './shell-effects.ts';
import {isCheck, testOutcome} from './test-run.ts';

export interface Opening {
  id: string;
  name: string;
  /** The command, the file: whatever tells most. */
  input: string;
  does: NonNullable<ToolCall['does']>;
  /** Files that it edits, should it end well; as the log names them. */
  edits?: string[];
  reads?: string[];
  /** The folder in which it runs. */
  cwd?: string | undefined;
}

export interface Ending {
  failed: boolean;
  exitCode?: number | undefined;
  output?: string | undefined;
  ms?: number | undefined;
  /** It goes on without the agent waiting for it. */
  background?: boolean;
  stopped?: boolean;
}

export interface Ledger {
  opened(call: Opening, at: number | undefined): void;
  closed(id: string, ending: Ending, at: number | undefined): void;
  /** Calls that were left open before that time are past: nobody will close them. */
  forgetOpen(before: number): void;
  facts(): LedgerFacts;
}

export type LedgerFacts = Pick<
  LegFacts,
  | 'callCount'
  | 'recentCalls'
  | 'commands'
  | 'lastTest'
  | 'failures'
  | 'links'
  | 'running'
  | 'firstCallAt'
  | 'callsBeforeEdit'
>;

interface Files {
  edited(path: string, cwd: string | undefined): void;
  read(path: string, cwd: string | undefined): void;
}

const RECENT = 12;
const COMMANDS = 200;
const FAILURES = 50;
const LINKS = 20;
const INPUT = 500;
/** Nobody has so many calls open at once; a log whose results are missing has. */
const OPEN = 64;

interface Kept extends ToolCall {
  raw: Opening;
  editsBefore: number;
}

export const newLedger = (files: Files): Ledger => {
  let calls: Kept[] = [];
  const commands: CommandRun[] = [];
  const failures = new Map<string, Failures>();
  const links = new Set<string>();
  let counts = {ended: 0, edits: 0};
  let lastTest: TestRun | undefined;
  let first: Pick<LegFacts, 'firstCallAt' | 'callsBeforeEdit'> = {firstCallAt: undefined, callsBeforeEdit: undefined};

  const changed = (paths: string[], cwd: string | undefined): void => {
    if (paths.length === 0) return;
    counts = {...counts, edits: counts.edits + 1};
    first = {...first, callsBeforeEdit: first.callsBeforeEdit ?? counts.ended - 1};
    if (lastTest !== undefined) lastTest = {...lastTest, changedSince: true};
    for (const path of paths) files.edited(path, cwd);
  };
  const endedCommand = (call: Kept, {failed, exitCode, output = ''}: Ending, ms: number | undefined): void => {
    const {input: command, cwd} = call.raw;
    const effects = shellEffects(command);
    const outcome = testOutcome({command, failed, output});
    const isFree = outcome !== undefined || effects.looks || isCheck(command);
    const state = failed ? 'failed' : 'finished';
    commands.push({command: call.input, state, exitCode, ms, ...(isFree ? {repeats: 'freely'} : {})});
    if (commands.length > COMMANDS) commands.shift();
    // What a test writes itself (`> out.log`) does not make it stale.
    const changedSince = counts.edits > call.editsBefore;
    if (!failed) for (const path of effects.reads) files.read(path, cwd);
    if (!failed) changed(effects.writes, cwd);
    if (outcome !== undefined) {
      lastTest = {command: call.input, outcome, changedSince};
    } else if (!isFree) noteFailure(call.input, failed, {exitCode, output});
    if (call.outside && !failed) for (const link of linksIn(output)) links.add(link);
    while (links.size > LINKS) links.delete(links.values().next().value ?? '');
  };
  const noteFailure = (command: string, failed: boolean, end: {exitCode: number | undefined; output: string}): void => {
    const times = (failures.get(command)?.times ?? 0) + 1;
    // The newest last; gone once it has worked.
    failures.delete(command);
    if (failed) failures.set(command, {command, times, exitCode: end.exitCode, said: tellingLine(end.output)});
    if (failures.size > FAILURES) failures.delete(failures.keys().next().value ?? '');
  };

  return {
    opened(raw, at) {
      if (calls.some(({id}) => id === raw.id)) return;
      first = {...first, firstCallAt: first.firstCallAt ?? at};
      const {id, name} = raw;
      const does = raw.does === 'command' && shellEffects(raw.input).looks ? 'look' : raw.does;
      const call: ToolCall = {
        id,
        name,
        does,
        input: oneLine(raw.input),
        state: 'open',
        outside: isOutside(name, raw.input),
        at,
      };
      calls = trimmed([...calls, {...call, raw: {...raw, input: raw.input.slice(0, 8000)}, editsBefore: counts.edits}]);
    },
    closed(id, ending, at) {
      const index = calls.findIndex((call) => call.id === id);
      const call = calls[index];
      if (call?.state !== 'open') return;
      if (ending.background) {
        calls[index] = {...call, background: true};
        return;
      }
      const failed =
        ending.failed && !answersByStatus(call.raw.does === 'command' ? call.raw.input : '', ending.exitCode);
      const ms = ending.ms ?? (at === undefined || call.at === undefined ? undefined : Math.max(0, at - call.at));
      const {exitCode, stopped = false} = ending;
      counts = {...counts, ended: counts.ended + 1};
      calls[index] = {...call, state: failed ? 'failed' : 'finished', exitCode, ms, ...(stopped ? {stopped} : {})};
      if (call.raw.does === 'command') endedCommand(call, {...ending, failed}, ms);
      if (failed) return;
      changed(call.raw.edits ?? [], call.raw.cwd);
      for (const path of call.raw.reads ?? []) files.read(path, call.raw.cwd);
    },
    forgetOpen(before) {
      calls = calls.filter(({state, at}) => state !== 'open' || (at !== undefined && at >= before));
    },
    facts: () => ({
      ...first,
      callCount: counts.ended,
      recentCalls: calls.slice(-RECENT).map(({raw: _raw, editsBefore: _edits, ...call}) => call),
      commands: [...commands],
      lastTest,
      failures: [...failures.values()].filter(({times}) => times > 1),
      links: [...links],
      running: calls.filter(({state, background}) => state === 'open' && background).map(({input}) => input),
    }),
  };
};

/** Open calls outlive finished ones: parallel calls may finish in any order. */
const trimmed = (calls: Kept[]): Kept[] => {
  if (calls.length <= RECENT) return calls;
  const oldest = calls.findIndex(({state}) => state !== 'open');
  if (oldest === -1) return calls.slice(-OPEN);
  return calls.toSpliced(oldest, 1);
};

/** A line break becomes a visible sign: `cd x ⏎ make` is not `cd x make`. */
const oneLine = (text: string): string => {
  const line = text
    .slice(0, INPUT * 4)
    .trim()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, ' ⏎ ');
  return line.length > INPUT ? `${line.slice(0, INPUT - 1)}…` : line;
};
