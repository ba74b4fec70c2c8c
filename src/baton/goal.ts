// What the person asked for, in their own words: never paraphrased, never dropped, never mistaken for our own batons.

import type {RunId} from '../core/ids.ts';
import type {Checkpoint} from './checkpoint.ts';
import type {LegFacts} from './facts.ts';
import {isOwnPrompt} from './protocol.ts';

interface Asked {
  prompt: string | undefined;
  facts: LegFacts;
  run: RunId;
  leg: number;
  continued: boolean;
}

/** In later legs the first ask may be an afterthought ("also do X"), so the goal that is known goes first. */
export const goalOf = (asked: Asked, before: Checkpoint | undefined): string | undefined => {
  if (asked.prompt !== undefined && asked.prompt.trim() !== '') return asked.prompt;
  const goesOn = before?.run === asked.run || asked.leg > 1 || asked.continued;
  return (goesOn ? before?.goal : undefined) ?? personsAsks(asked.facts)[0] ?? before?.goal;
};

/** Separates the person's instructions in `extra.instructions`. */
export const betweenInstructions = '\n---\n';

/** What the person said after the goal, over all legs, each once. */
export const instructionsOf = (asked: Asked, before: Checkpoint | undefined): {instructions?: string} => {
  const goal = goalOf(asked, before)?.trim();
  const known = (before?.extra.instructions ?? '').split(betweenInstructions).filter((one) => one !== '');
  for (const ask of personsAsks(asked.facts)) {
    if (ask.trim() !== goal && !known.includes(ask)) known.push(ask);
  }
  return known.length === 0 ? {} : {instructions: known.join(betweenInstructions)};
};

const personsAsks = (facts: LegFacts): string[] => facts.asks.filter((ask) => ask.trim() !== '' && !isOwnPrompt(ask));
