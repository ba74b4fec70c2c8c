// What the files that define commands share.

import {type Command, Option} from 'commander';
import type {Common, Outcome, World} from './commands/world.ts';
import type {Flag} from './flags.ts';

/** What a group of commands is defined with. */
export interface Definer {
  world: World;
  /** `whole`: adds its options and what it does. */
  command(words: string, what: string, whole: (command: Command) => Command): void;
  finish(outcome: Outcome): Promise<void>;
}

/** The flags of a command together with the program's own. */
export const all = <T extends Common>(command: Command): T => command.optsWithGlobals<T>();

export const withOptions = (command: Command, flags: Flag[]): Command => {
  for (const {name, value, many, negated, hidden, what} of flags) {
    const words = `--${negated === true ? 'no-' : ''}${name}${value === undefined ? '' : ` <${value}>`}`;
    const option = new Option(words, what).hideHelp(hidden === true);
    command.addOption(many === true ? option.argParser(gather) : option);
  }
  return command;
};

const gather = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];
