// What an agent that has lost its context reads to be back at work: the baton, how far the tasks are, where the
// artifacts lie, what happened last. Like the first prompt of a new leg, but nothing is consumed.

import type {Checkpoint} from './checkpoint.ts';
import {oneLine} from './clean.ts';
import {type RenderInput, renderPrompt} from './render.ts';
import {taskCounts} from './tasks.ts';
import {cutToTokens, tokens} from './tokens.ts';

export interface RehydrateInput extends Omit<RenderInput, 'maxTokens'> {
  /** What happened last, one line each, oldest first. */
  events: string[];
  inRun: boolean;
}

/** For an agent that was not started by ckpt-run: what the run would have told it through its environment. */
export const withoutRun = (track: string): string =>
  `There is no run here: give every snapshot --track ${JSON.stringify(track)}; done and handoff have nobody to tell.`;

export const rehydrateTokens = 3000;

/** Shares of what is not the baton's; a line is whole or named as cut. */
const room = {artifacts: 350, events: 350};

export const rehydrateText = (input: RehydrateInput): string => {
  const {checkpoint, events} = input;
  const summary = [
    counts(checkpoint),
    list('Artifacts (paths, plans, links):', checkpoint.artifacts, room.artifacts),
    list('What happened last:', events, room.events),
    input.inRun ? undefined : withoutRun(oneLine(checkpoint.track)),
  ].filter((part) => part !== undefined);
  const end = summary.length === 0 ? '' : `\n${summary.join('\n\n')}\n`;
  // The artifacts stand below, with their own room.
  const baton = {...checkpoint, artifacts: []};
  return `${renderPrompt({...input, checkpoint: baton, maxTokens: rehydrateTokens - tokens(end) - 10})}${end}`;
};

const counts = ({tasks}: Checkpoint): string | undefined => {
  const words = taskCounts(tasks);
  return words === undefined ? undefined : `Tasks, counted: ${words}.`;
};

const list = (title: string, items: string[], budget: number): string | undefined => {
  if (items.length === 0) return undefined;
  const lines: string[] = [];
  let left = budget - tokens(title) - 15;
  for (const item of items) {
    // One of them may not eat up the room of all.
    const line = `- ${cutToTokens(oneLine(item), {max: budget / 4, pointer: ' …'})}`;
    left -= tokens(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const more = items.length - lines.length;
  return [title, ...lines, ...(more === 0 ? [] : [`- and ${more} more`])].join('\n');
};
