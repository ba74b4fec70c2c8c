// The words of `ckpt` for going back: restore, rollback, fork, compare, gc, rebuild. Loaded when they are called.

import type {Command} from 'commander';
import type {Outcome, World} from './commands/world.ts';
import {all} from './define-program.ts';

interface Words {
  world: World;
  finish(outcome: Outcome): Promise<void>;
  command(words: string, what: string): Command;
}

export const defineHistory = (program: Command, world: World, finish: Words['finish']): void => {
  const command: Words['command'] = (words, what) => program.command(words).description(what);
  defineBack({world, finish, command});
  defineForks({world, finish, command});
  const keep = () => import('./commands/history/keep.ts');
  command('gc', 'drop the saved files that no checkpoint names any more')
    .option('--dry-run', 'only say how many would go')
    .action(async (_flags, self: Command) => finish((await keep()).gc(world, all(self))));
  command('rebuild', 'make LATEST anew from the checkpoints, and name their files again').action(
    async (_flags, self: Command) => finish((await keep()).rebuild(world, all(self))),
  );
};

const many = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

const defineBack = ({world, command, finish}: Words): void => {
  const load = () => import('./commands/history/restore.ts');
  const parts = (self: Command): Command =>
    self
      .option('--files', 'the files')
      .option('--baton', 'the baton: it becomes the newest of its track again')
      .option('--conversation', 'say how the conversation can be taken up again')
      .option('--path <path>', 'only the files under this path (may be given again)', many)
      .option('--dry-run', 'only say what would be written and removed')
      .option('--stop', 'a run is alive here: have it end its agent, go back, and start a fresh one there')
      .option('--force', 'even while a run is alive here, behind its back')
      .addHelpText('after', () => whatIsRestored);
  parts(command('restore <which>', 'go back to a checkpoint, by number, id or label')).action(
    async (which: string, _flags, self: Command) => finish((await load()).restore(world, which, all(self))),
  );
  parts(command('rollback', 'undo the last restore; without one, go back to the last checkpoint'))
    .option('--track <track>', "the track (default: the run's own, else the current one)")
    .action(async (_flags, self: Command) => finish((await load()).rollback(world, all(self))));
};

const whatIsRestored = `
With none of --files, --baton, --conversation: all three. First the present is saved, so that ckpt rollback undoes it.
Inside a run it is a request to the run: it saves the present, ends the agent, goes back, and starts a fresh one there.
Files made since are removed; ignored files, repositories inside, HEAD and the index are left as they are.`;

const defineForks = ({world, command, finish}: Words): void => {
  command('fork <which>', 'open a checkpoint in a worktree and on a track of its own; one for each prompt')
    .option('--prompt <text>', 'what the fork is to do (may be given again: one fork each)', many)
    .option('--agent <agent>', 'who is to do it (default: the agent of the checkpoint)')
    .option('--track <track>', 'the new track (default: fork-<number>)')
    .option('--dir <dir>', 'the new folder (default: beside the repository)')
    .action(async (which: string, _flags, self: Command) =>
      finish((await import('./commands/history/fork.ts')).fork(world, which, all(self))),
    );
  command('compare <track> <other>', 'what came of two tracks, side by side').action(
    async (one: string, other: string, _flags, self: Command) =>
      finish((await import('./commands/history/side-by-side.ts')).compare(world, [one, other], all(self))),
  );
};
