// The words of `ckpt` for those who watch: status, runs, why, log, stop, attach, replay, doctor, completion, service.

import {Argument, type Command} from 'commander';
import type {Common, Outcome, World} from './commands/world.ts';
import {shells} from './completion-scripts.ts';
import {notNegative, positive} from './run-options.ts';

type Finish = (outcome: Outcome) => Promise<void>;

export const defineWatch = (program: Command, world: World, finish: Finish): void => {
  const command = (words: string, what: string): Command => program.command(words).description(what);
  defineLooking(command, world, finish);
  defineReplay(command, world, finish);
  for (const [said, what] of [
    ['approve', 'let the calls go on that a run holds (--approve-outside-effects)'],
    ['deny', 'refuse the calls that a run holds; its agent is told'],
  ] as const) {
    command(said, what)
      .argument('[run]', 'default: the one that is alive here; a part of its name is enough')
      .option('--note <text>', 'why')
      .action(async (run: string | undefined, _flags, self: Command) =>
        finish((await import('./commands/watch/approve.ts')).approve(world, said, {run, flags: all(self)})),
      );
  }
  command('stop', 'end a run: its agent, a last checkpoint, then itself')
    .argument('[run]', 'default: the one that is alive here')
    .option('--all', 'every run that is alive here')
    .option('--note <text>', 'why')
    .option('--wait <s>', 'seconds to wait for its end (default: 60)', positive)
    .action(async (run: string | undefined, _flags, self: Command) =>
      finish((await import('./commands/watch/stop.ts')).stop(world, run, all(self))),
    );
  command('attach', 'show a detached run in this terminal and type to it; Ctrl-] d leaves it alone again')
    .argument('[run]', 'default: the one that is alive here')
    .action(async (run: string | undefined, _flags, self: Command) =>
      finish((await import('./commands/watch/attach.ts')).attach(world, run, all(self))),
    );
  command('reload', 'a checkpoint, then a fresh conversation with the baton')
    .argument('[run]', 'default: the one that is alive here')
    .option('--track <track>', 'the run that holds this track')
    .option('--note <text>', 'why')
    .action(async (run: string | undefined, _flags, self: Command) =>
      finish((await import('./commands/watch/reload.ts')).reload(world, run, all(self))),
    );
  command('autocompact', 'when the agents of runs here compact by themselves')
    .argument('[setting]', 'status, on, off, or a percentage of the context window', 'status')
    .action(async (setting: string, _flags, self: Command) =>
      finish((await import('./commands/autocompact.ts')).autocompact(world, setting, all(self))),
    );
  command('doctor', 'is everything there that a run needs? with the fix for each')
    .argument('[agent]', 'only this one')
    .action(async (agent: string | undefined, _flags, self: Command) =>
      finish((await import('./commands/watch/doctor.ts')).doctor(world, agent, all(self))),
    );
  defineService(command('service', 'let systemd or launchd keep a run going over crashes and reboots'), world, finish);
  defineCompletion(program, world, finish);
};

/** The flags of a command together with the program's own. */
const all = <T extends Common>(command: Command): T => command.optsWithGlobals<T>();

type Define = (words: string, what: string) => Command;

const defineLooking = (command: Define, world: World, finish: Finish): void => {
  command('status', 'the live runs of this folder, and the last ones')
    .option('--watch', 'look again every second, until Ctrl-C')
    .option('--last <n>', 'show so many ended ones (default: 3)', notNegative)
    .action(async (_flags, self: Command) =>
      finish((await import('./commands/watch/status.ts')).status(world, all(self))),
    );
  command('runs', 'the runs of all repositories')
    .option('--all', 'also those that ended long ago')
    .action(async (_flags, self: Command) =>
      finish((await import('./commands/watch/status.ts')).runs(world, all(self))),
    );
  command('why', 'why a leg died: the death certificate in words')
    .argument('[run]', 'default: the newest one here; a part of its name is enough')
    .argument('[leg]', 'default: the last one that died')
    .action(async (run: string | undefined, leg: string | undefined, _flags, self: Command) =>
      finish((await import('./commands/watch/why.ts')).why(world, {run, leg}, all(self))),
    );
  command('log', 'what happened, line by line')
    .argument('[run]', 'default: all runs of this folder')
    .option('-f, --follow', 'go on until Ctrl-C, or until that run is over')
    .option('-n, --lines <n>', 'the last so many (default: 100)', notNegative)
    .action(async (run: string | undefined, _flags, self: Command) =>
      finish((await import('./commands/watch/log.ts')).log(world, run, all(self))),
    );
};

const defineReplay = (command: Define, world: World, finish: Finish): void => {
  command('replay', "play the recording of a leg's terminal (space holds it, q ends it)")
    .argument('[run]', 'default: the newest one here; a part of its name is enough')
    .argument('[leg]', 'default: the last one that was recorded')
    .option('-s, --speed <n>', 'so many times as fast (default: 1)', positive)
    .option('-i, --idle <s>', 'cut pauses to so many seconds (default: 2)', notNegative)
    .option('--last <s>', 'only the last so many seconds', positive)
    .action(async (run: string | undefined, leg: string | undefined, _flags, self: Command) =>
      finish((await import('./commands/watch/replay.ts')).replay(world, {run, leg}, all(self))),
    );
};

const defineService = (service: Command, world: World, finish: Finish): void => {
  const load = () => import('./commands/watch/service.ts');
  for (const act of ['install', 'print'] as const) {
    service
      .command(act)
      .description(act === 'install' ? 'write the unit, enable it and start it' : 'show the unit')
      .argument('[words...]', 'behind --: what ckpt-run shall do (default: go on with a run that is there)')
      .option('--name <name>', 'of the service (default: from the repository and the track)')
      .option('--run <run>', 'the run to go on with (default: the newest one here)')
      .action(async (words: string[], _flags, self: Command) => finish((await load())[act](world, words, all(self))));
  }
  service
    .command('uninstall')
    .description('stop it, and remove its unit')
    .argument('<name>', 'as install told it')
    .action(async (name: string) => finish((await load()).uninstall(world, name)));
  service
    .command('start', {hidden: true})
    .argument('[words...]')
    .requiredOption('--track <track>')
    .requiredOption('--since <time>')
    .option('--launchd')
    .action(async (words: string[], _flags, self: Command) => finish((await load()).start(world, words, all(self))));
};

const defineCompletion = (program: Command, world: World, finish: Finish): void => {
  const load = () => import('./commands/watch/completion.ts');
  program
    .command('completion')
    .description('print the completion script of a shell, for ckpt and ckpt-run')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(async (shell: string) => finish((await load()).completion(world, shell)));
  program
    .command('__complete', {hidden: true})
    .argument('<program>')
    .argument('[words...]')
    .action(async (name: string, words: string[], _flags, self: Command) => {
      const {wordTree} = await import('./word-tree.ts');
      const of = name === 'ckpt-run' ? (await import('./run-options.ts')).runProgram('') : program;
      await finish((await load()).answer(world, wordTree(of), words, all(self)));
    });
};
