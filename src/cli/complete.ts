// What may come next on a command line. Pure: the shells' scripts ask it at every Tab.

import type {OptionWords, ValueWords, WordTree} from './word-tree.ts';

/** Kinds that only the machine knows; the command looks them up. */
export const liveKinds = ['runs', 'tracks', 'checkpoints', 'agents'] as const;
export type LiveKind = (typeof liveKinds)[number];

export interface Candidate {
  word: string;
  about: string;
}

export type Completion =
  | {is: 'words'; of: Candidate[]}
  /** `front` stands before each of them: `--track=`. */
  | {is: 'live'; kind: LiveKind; front: string}
  | {is: 'files'}
  | {is: 'folders'};

/** `words`: all behind the program's name; the last one is being typed and may be empty. */
export const complete = (tree: WordTree, words: string[]): Completion => {
  const typed = words.at(-1) ?? '';
  const place = walk(tree, joined(words.slice(0, -1)));
  // Bash cuts `--track=ma` in three: then `=` itself is the word that is typed.
  const [value, given] = place.open === undefined ? [undefined, typed] : [place.open, typed === '=' ? '' : typed];
  if (value !== undefined) return valuesOf(value, {given, front: ''});
  if (place.ended || !typed.startsWith('-')) return wordsAt(place, typed);
  const [name = '', part] = splitOnce(typed);
  if (part === undefined) return {is: 'words', of: optionNames(place.options, typed)};
  const option = find(place.options, name);
  if (option?.value === undefined) return nothing;
  return valuesOf(option.value, {given: part, front: `${name}=`});
};

const nothing: Completion = {is: 'words', of: []};

interface Place {
  tree: WordTree;
  /** Those of the command and of everything above it. */
  options: OptionWords[];
  /** Words so far that are neither options nor commands. */
  count: number;
  /** An option that still waits for its value. */
  open: ValueWords | undefined;
  /** Behind `--`, or in the agent's own words. */
  ended: boolean;
}

const walk = (tree: WordTree, before: string[]): Place => {
  const place: Place = {tree, options: tree.options, count: 0, open: undefined, ended: false};
  for (const word of before) {
    if (place.open !== undefined) place.open = undefined;
    else if (place.ended || !word.startsWith('-') || word === '-') step(place, word);
    else if (word === '--') place.ended = true;
    else if (!word.includes('=')) place.open = find(place.options, word)?.value;
  }
  return place;
};

const step = (place: Place, word: string): void => {
  const command = place.count === 0 ? place.tree.commands.find(({name}) => name === word) : undefined;
  if (command === undefined) {
    place.count += 1;
    if (place.tree.passesOn) place.ended = true;
  } else {
    place.tree = command;
    place.options = [...command.options, ...place.options];
  }
};

/** Puts together again what bash cut at `=`. */
const joined = (words: string[]): string[] =>
  words.reduce<string[]>((done, word, at) => {
    const last = done.at(-1);
    if (last !== undefined && word === '=' && last.startsWith('--')) done[done.length - 1] = last;
    else if (last !== undefined && words[at - 1] === '=') done[done.length - 1] = `${last}=${word}`;
    else done.push(word);
    return done;
  }, []);

const wordsAt = ({tree, count, options}: Place, typed: string): Completion => {
  if (tree.commands.length > 0 && count === 0) {
    const of = tree.commands.map(({name, about}) => ({word: name, about})).filter(({word}) => word.startsWith(typed));
    return {is: 'words', of};
  }
  // What follows the agent's name is the agent's: its prompts may name files.
  if (tree.passesOn && count > 0) return {is: 'files'};
  const argument = tree.arguments[Math.min(count, tree.arguments.length - 1)];
  const wanted = argument !== undefined && (count < tree.arguments.length || argument.many);
  if (wanted) return valuesOf(argument, {given: typed, front: ''});
  return typed === '' ? {is: 'words', of: optionNames(options, '--')} : nothing;
};

const optionNames = (options: OptionWords[], typed: string): Candidate[] => {
  const seen = new Set<string>();
  return options
    .flatMap(({names, about}) => names.map((word) => ({word, about})))
    .filter(({word}) => {
      const fits = word.startsWith(typed) && !seen.has(word) && (typed !== '-' || word.startsWith('--'));
      seen.add(word);
      return fits;
    });
};

/** What a value is, by the name that the help gives it. */
const kinds = new Map<string, LiveKind | 'files' | 'folders'>([
  ['run', 'runs'],
  ['id', 'runs'],
  ['track', 'tracks'],
  ['which', 'checkpoints'],
  ['checkpoint', 'checkpoints'],
  ['one', 'checkpoints'],
  ['other', 'checkpoints'],
  ['agent', 'agents'],
  ['dir', 'folders'],
  ['folder', 'folders'],
  ['file', 'files'],
  ['path', 'files'],
]);

const valuesOf = ({name, choices}: ValueWords, {given, front}: {given: string; front: string}): Completion => {
  if (choices.length > 0) {
    const of = choices.filter((word) => word.startsWith(given)).map((word) => ({word: front + word, about: ''}));
    return {is: 'words', of};
  }
  const kind = kinds.get(name);
  if (kind === undefined) return nothing;
  return kind === 'files' || kind === 'folders' ? {is: kind} : {is: 'live', kind, front};
};

const find = (options: OptionWords[], name: string): OptionWords | undefined =>
  options.find(({names}) => names.includes(name));

const splitOnce = (word: string): [string, string | undefined] => {
  const at = word.indexOf('=');
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
};
