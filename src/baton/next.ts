// The critical field: what the next leg does first. The order, in one place:
//
//   1. the agent's own next_cmd, when it has just said it (story.ts: nothing but looking around came after its snapshot)
//   2. a call whose outcome nobody knows: verify it
//   3. what the leg was given, when it did nothing at all, or only looked while a call was in doubt
//   4. the first incomplete task: the one in progress, else the first pending one
//   5. what the agent's last words announce, when nothing was begun after them
//   6. go on after the last finished call
//   7. the goal from its beginning, or a question to the person
//
// Where work has overtaken a plan of the agent's own (1) without visibly doing it, 2 and 6 tell that plan too.

import {callLine, endedCalls, inFlightOf} from './calls.ts';
import type {Checkpoint, Provenance} from './checkpoint.ts';
import {clean, cutTo, oneLine} from './clean.ts';
import type {LegFacts} from './facts.ts';

interface Known {
  facts: LegFacts;
  before: Checkpoint | undefined;
  /** The agent's own last snapshot; stale, or it would not come to this. */
  own: Checkpoint | undefined;
  hasGoal: boolean;
}

export const nextAfter = (known: Known): {text: string; provenance: Provenance} => {
  const {facts, before} = known;
  const flight = inFlightOf(facts, before?.in_flight);
  const last = endedCalls(facts).at(-1);
  const inDoubt = flight?.outcome === 'unknown';
  if (inDoubt && (flight !== before?.in_flight || before.next_cmd === '')) {
    return {
      text: `verify whether \`${flight.call}\` took effect, then go on${planned(known)}`,
      provenance: 'observed',
    };
  }
  if ((inDoubt || last === undefined) && before !== undefined && before.next_cmd !== '') {
    return {text: before.next_cmd, provenance: before.provenance.next_cmd ?? 'claimed'};
  }
  const after = last === undefined ? '' : ` (last finished: \`${callLine(last)}\`)`;
  const task = incomplete(facts);
  if (task !== undefined)
    return {text: `go on with the first incomplete task: ${oneLine(task)}${after}`, provenance: facts.tasksBy};
  const words = facts.callsSinceWords === 0 ? announced(facts.lastWords) : undefined;
  if (words !== undefined) return {text: `as the last agent announced: ${words}${after}`, provenance: 'quoted'};
  // Nobody has seen to it since: it may be half done, or have been ended together with the agent.
  if (last?.state === 'failed')
    return {
      text: `verify whether \`${callLine(last)}\` took effect, then go on${planned(known)}`,
      provenance: 'observed',
    };
  if (last !== undefined)
    return {text: `continue the goal after \`${callLine(last)}\`${planned(known)}`, provenance: 'observed'};
  return {text: known.hasGoal ? 'start on the goal' : 'ask the person what to do', provenance: 'observed'};
};

const incomplete = ({tasks}: LegFacts): string | undefined =>
  (tasks.find(({state}) => state === 'in_progress') ?? tasks.find(({state}) => state === 'pending'))?.title;

const planned = (known: Known): string => {
  const plan = overtakenPlan(known);
  return plan === undefined ? '' : `; the plan at the agent's last snapshot, before that, was: ${plan}`;
};

/** The plan of a snapshot that work has overtaken: told as what it is, unless it is visibly done. */
export const overtakenPlan = ({facts, before, own}: Pick<Known, 'facts' | 'before' | 'own'>): string | undefined => {
  const plan = oneLine(own?.next_cmd ?? before?.extra.agent_plan ?? '');
  const done = (command: string): boolean => oneLine(command).includes(plan);
  const seen =
    facts.recentCalls.some((call) => call.state === 'finished' && done(call.input)) ||
    facts.commands.some(({command, state}) => state === 'finished' && done(command));
  return plan === '' || seen ? undefined : plan;
};

/** The last sentence in which the agent said what it was about to do. */
const announced = (words: string | undefined): string | undefined => {
  const sentences = clean(words ?? '').split(/(?<=[.!?:])\s+|\n+/);
  const found = sentences.findLast((sentence) =>
    /^(?:[-*\d.)\s]*)(?:(?:ok(?:ay)?|now|next|then|so|first|finally)\b[,:]?\s*)?(?:I['’]ll|I will|I['’]m going to|I am going to|let me|let['’]s|next\b|now\b)/i.test(
      sentence.trim(),
    ),
  );
  return found === undefined ? undefined : cutTo(oneLine(found), 300);
};
