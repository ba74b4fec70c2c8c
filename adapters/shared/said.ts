// What a piece of output or an agent's message says, in a line or two.

import type {Task} from '../../src/baton/facts.ts';

const SAID = 200;

/** The line of a failure that tells most: the last that names an error, else the last at all. */
export const tellingLine = (output: string): string => {
  const lines = output
    .slice(-4000)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are no words
    .replace(/\u001b\[[\d;]*[A-Za-z]/g, '')
    .replace(/<\/?tool_use_error>/g, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^Exit code:? \d+$/.test(line));
  const found = lines.findLast((line) => complaint.test(line)) ?? lines.at(-1) ?? '';
  return found.length > SAID ? `${found.slice(0, SAID - 1)}…` : found;
};

const complaint =
  /\b(?:error|errors|failed|failure|fatal|cannot|can't|could not|no such|not found|denied|refused|rejected|unable|exception|missing|invalid|undefined|timed out|unknown|unsupported|conflict)\b/i;

/** Links that a command made: pull requests, issues, releases. Only where the command was one that makes such things. */
export const linksIn = (output: string): string[] =>
  [...output.slice(-8000).matchAll(/https?:\/\/[^\s"'<>)\]]+/g)]
    .map(([link]) => link.replace(/[.,;:]+$/, ''))
    .filter((link) => /\/(?:pull|pulls|merge_requests|issues|releases\/tag|releases|actions\/runs)\/[\w.-]+/.test(link))
    .filter((link) => !/\/pull\/new\//.test(link));

/** `- [x] parser`: a list of two items or more. */
export const checklistIn = (text: string): Task[] => {
  const tasks = [...text.matchAll(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[([ xX~>/-])\][ \t]+(\S.*)$/gm)].map(
    ([, mark = ' ', title = '']): Task => ({title: title.trim(), state: stateOf(mark)}),
  );
  return tasks.length < 2 ? [] : tasks;
};

const stateOf = (mark: string): Task['state'] => {
  if (mark === ' ') return 'pending';
  return mark === 'x' || mark === 'X' ? 'completed' : 'in_progress';
};
