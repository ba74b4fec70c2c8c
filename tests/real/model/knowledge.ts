// What one request tells of the job. There is no other memory: what is not in here is forgotten.

import {isCheck, type Job, jobIn, stepIn} from './job.ts';
import type {Turn} from './request.ts';

export interface Knowledge {
  job: Job | undefined;
  /** The highest step that is known to be done; 0 when nothing is said of any. */
  done: number;
  /** A step whose outcome nobody knows: to be checked before anything else. */
  unknown: number | undefined;
  /** The shell session in which the last command still runs. */
  running: string | undefined;
  /** How `ckpt` is called, when the protocol has said it. */
  ckpt: string | undefined;
  /** The protocol asks for `resume --live` after a compaction, and it has not been run since. */
  mustResume: boolean;
  /** `ckpt done` has been called. */
  saidDone: boolean;
  /** Commands that have failed, in a row. */
  failures: number;
  /** Work calls in this request: what the context is full of. */
  calls: number;
}

export const knowledgeOf = (turns: readonly Turn[]): Knowledge => {
  const known: Knowledge = {
    job: undefined,
    done: 0,
    unknown: undefined,
    running: undefined,
    ckpt: undefined,
    mustResume: false,
    saidDone: false,
    failures: 0,
    calls: 0,
  };
  const open = new Map<string, string>();
  for (const turn of turns) {
    // The agent's own words are no evidence.
    if (turn.is === 'text' && turn.role !== 'agent') readText(turn.text, known);
    if (turn.is === 'call') {
      // A poll stands for the command it waits for.
      open.set(turn.id, turn.tool === 'write_stdin' ? ([...open.values()].at(-1) ?? '') : turn.command);
      if (stepIn(turn.command) > 0) known.calls += 1;
    }
    if (turn.is === 'result') {
      readResult(open.get(turn.id) ?? '', turn, known);
      if (turn.outcome !== 'running') open.clear();
    }
  }
  // A call without a result: it was begun, and nobody saw its end.
  for (const command of open.values()) doubt(stepIn(command), known);
  return known;
};

/** Prompts, batons, summaries, hooks' words: whatever was written for the agent to read. */
const readText = (text: string, known: Knowledge): void => {
  known.job = jobIn(text) ?? known.job;
  known.ckpt = /(?:goal is met|say so and run): (\S.*?) done --note/.exec(text)?.[1] ?? known.ckpt;
  const compacted = /This session is being continued from a previous|Another language model started to solve/;
  if (compacted.test(text)) known.mustResume = true;
  readBaton(text, known);
};

/** As the first prompt has it (render.ts), and as `ckpt resume` prints it (`next_cmd=…`). */
const readBaton = (text: string, known: Knowledge): void => {
  const lines = text.split(/\r?\n/);
  for (const line of below(lines, 'Already done (finished, do not repeat):')) learn(stepIn(line), known);
  for (const [at, line] of lines.entries()) {
    // The call stands on the line of its outcome or on the one before.
    const call = stepIn(line) || stepIn(lines[at - 1] ?? '');
    if (/\boutcome: finished/.test(line)) learn(call, known);
    if (/\boutcome: unknown/.test(line)) doubt(call, known);
    const next = /^(?:Next: |next_cmd=)(.*)/.exec(line)?.[1];
    if (next !== undefined) readNext(next, known);
  }
};

/** The items under a title, up to the first line that is none. */
const below = (lines: string[], title: string): string[] =>
  lines.flatMap((line, at) => {
    if (line.trim() !== title) return [];
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((item) => !item.trimStart().startsWith('- '));
    return end < 0 ? rest : rest.slice(0, end);
  });

const readNext = (text: string, known: Knowledge): void => {
  const plan = text.split('; the plan at', 1)[0] ?? '';
  const step = stepIn(plan);
  if (plan.startsWith('verify whether ')) doubt(step, known);
  else if (/(?:after|last finished:) `[^`]*`/.test(plan)) learn(step, known);
  // The command itself: what comes before it is done.
  else learn(step - 1, known);
};

const readResult = (command: string, turn: Turn & {is: 'result'}, known: Knowledge): void => {
  known.running = /^Process running with session ID (\d+)/m.exec(turn.text)?.[1];
  if (turn.outcome === 'running') return;
  known.failures = turn.outcome === 'failed' && !isCheck(command) ? known.failures + 1 : 0;
  if (isCheck(command)) readCheck(turn, known);
  else if (/ resume --live\b/.test(command)) {
    readText(turn.text, known);
    known.mustResume = false;
  } else if (/ done --note /.test(command)) known.saidDone = turn.outcome === 'finished';
  else if (turn.outcome === 'finished') learn(stepIn(command), known);
  else if (turn.outcome === 'unknown') doubt(stepIn(command), known);
};

/** Whoever has looked knows the last line: whatever the baton said, that step is done. */
const readCheck = (turn: Turn & {is: 'result'}, known: Knowledge): void => {
  const last = Number(/^step (\d+)\s*$/m.exec(turn.text)?.[1] ?? 0);
  const answered = turn.outcome === 'finished' || /No such file/.test(turn.text);
  if (!answered) return;
  learn(last, known);
  known.unknown = undefined;
};

const learn = (step: number, known: Knowledge): void => {
  known.done = Math.max(known.done, step);
  if (known.unknown !== undefined && known.unknown <= known.done) known.unknown = undefined;
};

const doubt = (step: number, known: Knowledge): void => {
  if (step > known.done) known.unknown = step;
};
