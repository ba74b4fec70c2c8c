// The words that a program of ours knows, as data: read off its commander definition, so that they cannot differ.

import type {Command, Option} from 'commander';

export interface WordTree {
  name: string;
  about: string;
  options: OptionWords[];
  arguments: ValueWords[];
  commands: WordTree[];
  /** What comes after the first word belongs to somebody else: the agent. */
  passesOn: boolean;
}

export interface OptionWords {
  /** `-s`, `--speed` */
  names: string[];
  about: string;
  /** Undefined: a switch. */
  value: ValueWords | undefined;
}

export interface ValueWords {
  /** As the help shows it: `dir`, `track`, `run`. */
  name: string;
  choices: string[];
  many: boolean;
}

export const wordTree = (command: Command): WordTree => ({
  name: command.name(),
  about: command.description(),
  options: [...visible(command), HELP],
  arguments: command.registeredArguments.map((argument) => ({
    name: argument.name(),
    choices: argument.argChoices ?? [],
    many: argument.variadic,
  })),
  commands: command.commands.filter((one) => !isHidden(one)).map(wordTree),
  passesOn: passThrough(command),
});

const HELP: OptionWords = {names: ['-h', '--help'], about: 'display help', value: undefined};

const visible = (command: Command): OptionWords[] =>
  command.options.filter((option) => !option.hidden).map(optionWords);

const optionWords = (option: Option): OptionWords => ({
  names: [option.short, option.long].filter((name) => name !== undefined),
  about: option.description,
  value:
    option.required || option.optional
      ? {name: valueName(option.flags), choices: option.argChoices ?? [], many: option.variadic}
      : undefined,
});

/** `--track <track>` → `track` */
const valueName = (flags: string): string => /[<[]([^>\]]+)/.exec(flags)?.[1]?.replace(/\.\.\.$/, '') ?? '';

/** Commander keeps both to itself; there is no public way to ask. */
const isHidden = (command: Command): boolean => (command as {_hidden?: boolean})._hidden === true;
const passThrough = (command: Command): boolean =>
  (command as {_passThroughOptions?: boolean})._passThroughOptions === true;
