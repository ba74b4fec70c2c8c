// The commands that put us into an agent's own folders, and what those then call.

import type {Command} from 'commander';
import type {Outcome, World} from './commands/world.ts';
import {all} from './define-program.ts';

export const defineInstall = (program: Command, world: World, finish: (outcome: Outcome) => Promise<void>): void => {
  const command = (words: string, what: string): Command => program.command(words).description(what);
  const load = () => import('./commands/install.ts');
  command('install <agent>', 'put /checkpoint, /restore, … and the protocol into an agent (ckpt install --help)')
    .option('--user', 'for you, in every project (default)')
    .option('--project', 'for this project only')
    .option('--hooks', 'also a checkpoint before every compaction, and the baton after it, without ckpt-run')
    .option('--force', 'write anew what somebody has changed; theirs is kept')
    .option('--dry-run', 'only say what would be written')
    .addHelpText('after', agentWords)
    .action(async (agent: string, _flags, self: Command) => finish((await load()).install(world, agent, all(self))));
  command('uninstall [agent]', 'take away what install wrote, and put back what was there')
    .option('--user', 'only what is for you')
    .option('--project', 'only what is for this project')
    .option('--dry-run', 'only say what would go')
    .option('--purge', 'also every checkpoint of this repository: folder, refs, exclude line, service')
    .option('--yes', 'purge without asking')
    .action(async (agent: string | undefined, _flags, self: Command) =>
      finish((await load()).uninstall(world, agent, all(self))),
    );
  command('hook <agent> <event>', 'what the hooks of install --hooks call: never fails, does nothing in a run').action(
    async (agent: string, event: string, _flags, self: Command) =>
      finish((await import('./commands/hook.ts')).hook(world, {agent, event}, all(self))),
  );
};

const agentWords = `
Agents: claude, codex, cursor, gemini, openclaw, opencode.
What is not ours is never overwritten: where a name is taken, the nearest one is used and said.`;
