// Is a task already done? A commit since the baton whose subject says what the task says is proof enough to look first.

import type {Commit} from './compose-input.ts';
import type {Task} from './facts.ts';

export const tasksDoneBy = (tasks: readonly Task[], commits: readonly Commit[]): {title: string; commit: Commit}[] =>
  tasks
    .filter(({state}) => state === 'pending' || state === 'in_progress' || state === 'failed')
    .flatMap(({title}) => {
      const commit = commits.find(({subject}) => says(subject, title));
      return commit === undefined ? [] : [{title, commit}];
    });

/** All of the title's telling words, or all but one of many. A title of one word is too little to go by. */
const says = (subject: string, title: string): boolean => {
  const wanted = tellingWords(title);
  const there = tellingWords(subject);
  const found = [...wanted].filter((word) => there.has(word)).length;
  return wanted.size >= 2 && found >= Math.max(2, wanted.size - Math.floor(wanted.size / 5));
};

const filler = new Set(
  'the and for with from into that this then all new add make update use via not but our its are was has have'.split(
    ' ',
  ),
);

/** Lower case, without endings: `Adding parsers` says what `add the parser` says. */
const tellingWords = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
      .filter((word) => !filler.has(word))
      .map((word) => word.replace(/(?:ing|ed|es|s|e)$/, ''))
      .filter((word) => word.length > 1),
  );
