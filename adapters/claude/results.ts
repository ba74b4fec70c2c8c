// How a call of Claude Code ended: by its result block, by what stands beside it, by the notice of a background command.

import {at, isJson, textAt} from '../shared/json.ts';
import type {Ending} from '../shared/ledger.ts';

export interface ResultReading {
  ending: Ending;
  /** What the person said along with it: why they refused, what they answered. */
  words: string[];
}

/** `told`: the transcript line (toolUseResult, userFeedback) or the hook's payload (duration_ms, is_interrupt). */
export const readResult = (block: unknown, told: unknown): ResultReading => {
  const content = at(block, 'content');
  const output = outputOf(content);
  const failed = at(block, 'is_error') === true;
  const extra = isJson(content) ? content : at(told, 'toolUseResult');
  const exit = /^(?:Error: )?Exit code (\d+)/.exec(output)?.[1];
  const ms = at(told, 'duration_ms');
  return {
    ending: {
      failed,
      exitCode: exit !== undefined ? Number(exit) : successOf(failed, extra),
      output,
      ms: typeof ms === 'number' ? ms : undefined,
      background: !failed && textAt(extra, 'backgroundTaskId') !== undefined,
      stopped: failed && wasStopped(output, told),
    },
    words: [...feedbackIn(output, told), ...answersIn(extra)],
  };
};

/** A shell's good end is 0, unless the CLI explains another one (`grep` without a match). */
const successOf = (failed: boolean, extra: unknown): number | undefined =>
  !failed && isJson(extra) && 'stdout' in extra && !extra.returnCodeInterpretation ? 0 : undefined;

const outputOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((part: unknown) => textAt(part, 'text') ?? '').join('\n');
  return [textAt(content, 'stdout'), textAt(content, 'stderr')].filter(Boolean).join('\n');
};

/** The same words stand for a call that was refused and for one that was interrupted; the new version tells them apart. */
const wasStopped = (output: string, told: unknown): boolean => {
  if (at(told, 'is_interrupt') === true) return true;
  if (textAt(told, 'permissionDecision', 'decision') === 'reject') return false;
  return /^The user doesn't want to proceed with this tool use\..*STOP what you are doing/s.test(output);
};

const feedbackIn = (output: string, told: unknown): string[] => {
  const said =
    textAt(told, 'userFeedback') ??
    /^The user doesn't want to proceed with this tool use\.[\s\S]*?the user said:\n([\s\S]+)$/.exec(output)?.[1];
  return said === undefined || said.trim() === '' ? [] : [said.trim()];
};

/** AskUserQuestion: the person's answers are instructions like any other. */
const answersIn = (extra: unknown): string[] => {
  const answers = at(extra, 'answers');
  if (!isJson(answers) || !Array.isArray(at(extra, 'questions'))) return [];
  return Object.entries(answers).flatMap(([question, answer]) =>
    typeof answer === 'string' && answer !== '' ? [`${question} → ${answer}`] : [],
  );
};

/** `<task-notification>`: written by the CLI when a background command has ended. */
export const readNotices = (text: string): {id: string; ending: Ending}[] =>
  [...text.matchAll(/<task-notification>([\s\S]*?)<\/task-notification>/g)].flatMap(([, notice = '']) => {
    const id = /<tool-use-id>([^<]+)<\/tool-use-id>/.exec(notice)?.[1];
    const status = /<status>(\w+)<\/status>/.exec(notice)?.[1];
    if (id === undefined || status === undefined || status === 'running') return [];
    const exit = /\(exit code (\d+)\)/.exec(notice)?.[1];
    return [{id, ending: {failed: status !== 'completed', exitCode: exit === undefined ? undefined : Number(exit)}}];
  });
