// What a hook gives to its agent, in the shape that the agent reads.

import type {Checkpoint} from '../../baton/checkpoint.ts';
import {cutTo, oneLine} from '../../baton/clean.ts';

/** At the start of a conversation nobody knows yet whether it goes on with the old work: so it is only named. */
export const startHint = ({track, step, next_cmd, born}: Checkpoint, ckpt: string): string =>
  `Earlier work is saved here by ckpt (track ${oneLine(track)}, ${born}): "${cutTo(oneLine(step), 200)}"; planned next: \
"${cutTo(oneLine(next_cmd), 300)}". Only if the person wants to go on with it: run ${ckpt} rehydrate first, and act on what \
it prints. Else leave it alone.`;

export const contextFor = (agent: string, text: string): string => {
  switch (agent) {
    case 'claude':
    case 'codex':
    case 'gemini':
      return `${JSON.stringify({hookSpecificOutput: {hookEventName: 'SessionStart', additionalContext: text}})}\n`;
    case 'cursor':
      return `${JSON.stringify({additional_context: text})}\n`;
    default:
      return `${text}\n`;
  }
};
