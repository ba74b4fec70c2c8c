// The commands that keep the folder in order: tasks, prune, import.

import type {Command} from 'commander';
import {importOld} from './commands/import.ts';
import {prune} from './commands/prune.ts';
import {changeTask, list} from './commands/task.ts';
import {all, type Definer} from './define-program.ts';

export const defineKeeping = (definer: Definer): void => {
  const {world, command, finish} = definer;
  command('prune', 'remove old automatic checkpoints; numbers stay as they are', (self) =>
    self
      .option('--keep <n>', 'the newest n stay (default: 10)')
      .option('--older-than <age>', 'only what is older: 30m, 12h, 7d, 2w, or a date; the newest --keep stay anyway')
      .option('--all', 'manual ones and those that agents saved may go too')
      .option('--dry-run', 'only say what would go')
      .addHelpText('after', () => whatStays)
      .action(() => finish(prune(world, all(self)))),
  );
  command('import <folder>', 'take in the checkpoints of .session, or of context_checkpoint.py', (self) =>
    self
      .option('--track <track>', 'the track of those that name none (default: main)')
      .action((folder: string) => finish(importOld(world, folder, all(self)))),
  );
  command('task', 'write down what is to be done, and how far it is', (self) => defineTasks(self, definer));
};

const whatStays = `
Always stays: the newest of every track, and the last one of every track whose validation is green.`;

const defineTasks = (task: Command, {world, finish}: Definer): Command => {
  const sub = (words: string, what: string): Command =>
    task
      .command(words)
      .description(what)
      .option('--track <track>', "the track (default: the run's own, else the current one, else main)");
  sub('add <titles...>', 'add tasks at the end').action((titles: string[], _flags, self: Command) =>
    finish(changeTask(world, {is: 'add', titles}, all(self))),
  );
  for (const [verb, what] of [
    ['start', 'this one is in progress now'],
    ['done', 'this one is completed'],
    ['fail', 'this one has failed'],
    ['skip', 'this one is not needed'],
  ] as const) {
    sub(`${verb} <which>`, `${what} (number, title, or a part of it)`).action((which: string, _flags, self: Command) =>
      finish(changeTask(world, {is: verb, which}, all(self))),
    );
  }
  sub('list', 'list the tasks').action((_flags, self: Command) => finish(list(world, all(self))));
  return task;
};
