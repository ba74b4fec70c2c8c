// The amnesiac worker: a scripted model that does the job by what the request says, and by nothing else.
//
// In a running conversation it goes by its calls and their results, in a fresh one by the baton alone; if neither says
// that anything is done it begins at step 1, so that a lost baton shows as a doubled step. Where an outcome is unknown
// it looks first. After a compaction of the CLI's own it knows the summary (which it wrote itself: see `memory`), the
// messages that the CLI kept, and what a hook put in; if the protocol asks for `resume --live`, it does that first.

import {checkCommand, stepCommand} from './job.ts';
import {type Knowledge, knowledgeOf} from './knowledge.ts';
import type {Answer, Scenario} from './reply.ts';
import type {ModelRequest} from './request.ts';

export interface AmnesiacOptions {
  /** What an answer reports as used: `start`, and `perStep` more for each step in the request. */
  tokens?: {start: number; perStep: number};
  delayMs?: number;
  /** A step whose command lasts long, the first time that it is done; so the agent can be killed in the midst of it. */
  slow?: SlowStep;
  /** What a summary keeps: what is done, or nothing at all. */
  memory?: 'honest' | 'forgetful';
}

export interface SlowStep {
  step: number;
  seconds: number;
  /** Whether the line is written before or after the long wait. */
  write: 'first' | 'last';
}

export const amnesiac = (options: AmnesiacOptions = {}): Scenario => {
  let slow = options.slow;
  return {
    main: (request) => {
      const known = knowledgeOf(request.turns);
      const {start, perStep} = options.tokens ?? {start: 5000, perStep: 100};
      const told = {
        tokens: start + perStep * (known.calls + 1),
        ...(options.delayMs === undefined ? {} : {delayMs: options.delayMs}),
      };
      const answer = decide(known, slow);
      // Only this is kept from one request to the next, and it is the test's doing, not the worker's.
      if (answer.is === 'call' && answer.waitMs !== undefined) slow = undefined;
      return {...answer, ...told};
    },
    summary: (request) => ({is: 'text', text: summaryOf(request, options.memory ?? 'honest')}),
  };
};

const decide = (known: Knowledge, slow: SlowStep | undefined): Answer => {
  const {job, ckpt, done} = known;
  if (job === undefined) return {is: 'text', text: 'I do not know what to do.'};
  if (known.running !== undefined) return {is: 'poll', id: known.running};
  if (known.failures >= 3) return {is: 'text', text: `Step ${done + 1} fails again and again.`};
  if (known.mustResume && ckpt !== undefined) return {is: 'call', command: `${ckpt} resume --live`};
  if (known.unknown !== undefined) return {is: 'call', command: checkCommand(job.file)};
  if (done < job.steps) return step(done + 1, job.file, slow);
  if (ckpt !== undefined && !known.saidDone) {
    return {is: 'call', command: `${ckpt} done --note "all ${job.steps} steps are done"`};
  }
  return {is: 'text', text: `All ${job.steps} steps are done.`};
};

const step = (number: number, file: string, slow: SlowStep | undefined): Answer => {
  const command = stepCommand(number, file);
  if (slow?.step !== number) return {is: 'call', command};
  const lasting = `sleep ${slow.seconds}`;
  // New Claude Code refuses a command that begins with a sleep of 25 s or more.
  return {
    is: 'call',
    command: slow.write === 'first' ? `${command}; ${lasting}` : `true; ${lasting}; ${command}`,
    // Longer than it lasts; Codex waits 30 s at most.
    waitMs: (slow.seconds + 30) * 1000,
  };
};

const summaryOf = (request: ModelRequest, memory: 'honest' | 'forgetful'): string => {
  const {job, done, unknown} = knowledgeOf(request.turns);
  if (memory === 'forgetful' || job === undefined) return '<summary>Work on a job went on.</summary>';
  const lines = [
    `The amnesiac job: ${job.steps} steps, file ${job.file}.`,
    'Already done (finished, do not repeat):',
    ...Array.from({length: done}, (_, at) => `- ${stepCommand(at + 1, job.file)}`),
    ...(unknown === undefined ? [] : ['In flight:', `- ${stepCommand(unknown, job.file)}`, '  outcome: unknown']),
  ];
  return `<summary>\n${lines.join('\n')}\n</summary>`;
};
