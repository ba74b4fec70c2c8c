// `ckpt completion <shell>`, and the hidden `ckpt __complete` that its scripts ask at every Tab.

import {oneLine} from '../../../baton/clean.ts';
import {fail} from '../../../core/failure.ts';
import {type Candidate, complete, type LiveKind} from '../../complete.ts';
import {completionScript, type Shell, shells} from '../../completion-scripts.ts';
import type {WordTree} from '../../word-tree.ts';
import {type Common, done, type Ground, type Outcome, type World} from '../world.ts';

export const completion = async (world: World, shell: string): Outcome => {
  const known = shells.find((one): one is Shell => one === shell);
  if (known === undefined) {
    const fix = `one of: ${shells.join(', ')}`;
    return fail({is: 'bad-usage', what: `no completion for ${JSON.stringify(shell)}`, fix});
  }
  world.out(completionScript(known));
  return done;
};

/** Never fails and never complains: it stands between a person and their Tab. */
export const answer = async (world: World, tree: WordTree, words: string[], flags: Common): Outcome => {
  const found = complete(tree, words);
  switch (found.is) {
    case 'files':
    case 'folders':
      world.out(`:${found.is}\n`);
      return done;
    case 'words':
      world.out(lines(found.of));
      return done;
    case 'live': {
      const live = await lookUp(world, found.kind, flags).catch(() => []);
      world.out(lines(live.map(({word, about}) => ({word: found.front + word, about}))));
      return done;
    }
  }
};

const lines = (candidates: Candidate[]): string =>
  [':words', ...candidates.map(({word, about}) => `${oneLine(word)}\t${oneLine(about)}`), ''].join('\n');

const MOST = 100;

const lookUp = async (world: World, kind: LiveKind, flags: Common): Promise<Candidate[]> => {
  const watch = await world.watch();
  if (kind === 'agents') return watch.agents().map((word) => ({word, about: ''}));
  const opened = await world.open(flags);
  if (!opened.ok) return [];
  if (kind === 'runs') {
    const shelf = watch.shelf(opened.value.dir);
    return shelf
      .ids()
      .slice(0, MOST)
      .map((word) => {
        const record = shelf.record(word);
        const known = record !== undefined && !('broken' in record);
        return {word, about: known ? `${record.agent}, track ${record.track}, ${record.state}` : ''};
      });
  }
  return kind === 'tracks' ? tracks(opened.value) : checkpoints(opened.value);
};

const tracks = async (ground: Ground): Promise<Candidate[]> => {
  const index = await (await ground.store()).index();
  return index.ok ? [...index.value.tracks].map(([word, {step}]) => ({word, about: step})) : [];
};

const checkpoints = async (ground: Ground): Promise<Candidate[]> => {
  const history = await (await ground.store()).history();
  const newest = history.ok ? history.value.slice(-MOST).reverse() : [];
  return newest.map(({number, id, step}) => ({word: String(number ?? id), about: step}));
};
