// Why each line of a baton is there, and who vouches for it: `ckpt baton --explain`.

import type {Provenance} from './checkpoint.ts';
import {partsOf, type RenderInput} from './render.ts';

export interface ExplainedLine {
  line: string;
  why: string;
  /** `ckpt-run`: our own words. */
  provenance: Provenance | 'ckpt-run';
}

/** The lines of renderPrompt, all of them and in its order. */
export const explainBaton = (input: RenderInput): ExplainedLine[] => {
  const between: ExplainedLine = {line: '', why: '', provenance: 'ckpt-run'};
  return partsOf(input).flatMap(({items, why}, at) => {
    const lines = items.flatMap(({text, from}) => text.split('\n').map((line) => ({line, why, provenance: from})));
    return at === 0 ? lines : [between, ...lines];
  });
};
