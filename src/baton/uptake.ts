// Did the new leg take the baton up? Proof is what it does or saves; an answer counts only when it fits the baton. Words
// that go with no work ("No response requested.") are no uptake: agents say such things after a resume.

import {isOwnCall, isSnapshotCall} from './calls.ts';
import type {Checkpoint} from './checkpoint.ts';
import {oneLine} from './clean.ts';
import type {LegFacts, ToolCall} from './facts.ts';

export type Uptake =
  | {took: true; by: 'next command' | 'checkpoint' | 'done' | 'tool call' | 'answer'}
  | {took: false; by: 'nothing' | 'empty answer'};

/** `facts`: of the new leg alone. */
export const isUptake = (
  facts: LegFacts,
  baton: Pick<Checkpoint, 'next_cmd' | 'goal' | 'step' | 'tasks' | 'in_flight'>,
): Uptake => {
  const {recentCalls, lastWords} = facts;
  if (recentCalls.some((call) => fits(call, baton.next_cmd))) return {took: true, by: 'next command'};
  if (recentCalls.some((call) => isSnapshotCall(call))) return {took: true, by: 'checkpoint'};
  if (recentCalls.some((call) => isOwnCall(call) && /\bdone\b/.test(call.input))) return {took: true, by: 'done'};
  if (facts.callCount > 0 || recentCalls.length > 0) return {took: true, by: 'tool call'};
  if (lastWords === undefined || lastWords.trim() === '') return {took: false, by: 'nothing'};
  return answers(lastWords, baton) ? {took: true, by: 'answer'} : {took: false, by: 'empty answer'};
};

/** The very command of next_cmd, or one that it names in quotes. */
const fits = ({input}: ToolCall, next: string): boolean => {
  const wanted = [oneLine(next), ...[...next.matchAll(/`([^`]{3,})`/g)].map(([, code = '']) => oneLine(code))];
  const did = oneLine(input);
  return wanted.some((one) => {
    const command = one.replace(/^[A-Z]\w*: /, '');
    return command.length >= 3 && (did === command || (command.length >= 8 && did.includes(command)));
  });
};

/** It says that the goal is met, or it speaks of what the baton speaks of. */
const answers = (words: string, {next_cmd, goal, step, tasks, in_flight}: Parameters<typeof isUptake>[1]): boolean => {
  const said = tellingWords(words);
  if (said.size < 3 || noAnswer.test(words.trim())) return false;
  const about = tellingWords(
    [next_cmd, goal ?? '', step, in_flight?.call ?? '', ...tasks.map(({title}) => title)].join(' '),
  );
  const shared = [...said].filter((word) => about.has(word)).length;
  return shared >= 2 || (shared >= 1 && /\b(?:done|complete[d]?|finished|met)\b/i.test(words));
};

/** What agents say when they take the first prompt for nothing to act on. */
const noAnswer =
  /^(?:no (?:response|action|further action|reply)(?: is| was)? (?:requested|needed|required|necessary)|(?:ok(?:ay)?|understood|acknowledged|got it|noted|sure|thanks?|ready|hello|hi)\b[\s\S]{0,40}$|(?:how can|what would you like|what can) I\b|I(?:['’]m| am) ready)/i;

const filler = new Set(
  'the and for with from into that this then all new was are has have will you your what which when where how not but can may its our they them there here been being just like about would could should'.split(
    ' ',
  ),
);

const tellingWords = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? []).filter((word) => !filler.has(word)));
