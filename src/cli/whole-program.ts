// The whole of `ckpt`, by commander: every word, every help text, every complaint about the words.

import {Command, CommanderError} from 'commander';
import {exitCodes} from '../core/failure.ts';
import {request} from './commands/request.ts';
import type {World} from './commands/world.ts';
import {all, type Definer, withOptions} from './define-program.ts';
import {told} from './finish.ts';
import {globalOptions} from './flags.ts';
import {defineHistory} from './history-program.ts';
import {defineInstall} from './install-program.ts';
import {defineKeeping} from './keep-program.ts';
import {defineLooks} from './look-program.ts';
import {defineSnapshot} from './snapshot-program.ts';
import {defineWatch} from './watch-program.ts';

/** Runs one command line; the exit code comes back. */
export const runProgram = async (args: string[], world: World): Promise<number> => {
  let code = 0;
  const finish: Definer['finish'] = async (outcome) => {
    code = await told(world, outcome);
  };
  try {
    await define(world, finish).parseAsync(args, {from: 'user'});
    return code;
  } catch (error) {
    // Commander has said already what is wrong with the words.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes['bad-usage'];
    throw error;
  }
};

const define = (world: World, finish: Definer['finish']): Command => {
  const program = new Command('ckpt')
    .description('Checkpoints for coding agents: save where you are, resume where you were.')
    .version(world.version, '--version', 'print the version')
    .configureHelp({showGlobalOptions: true})
    .configureOutput({writeOut: world.out, writeErr: world.err})
    .showHelpAfterError('(ckpt --help shows the commands, ckpt <command> --help their options)')
    .addHelpText('after', () => exitCodeWords)
    .exitOverride();
  withOptions(program, globalOptions);
  const command: Definer['command'] = (words, what, whole) => whole(program.command(words).description(what));
  const definer: Definer = {world, finish, command};
  defineSnapshot(definer);
  defineLooks(definer);
  defineKeeping(definer);
  defineHistory(program, world, finish);
  defineInstall(program, world, finish);
  defineRequests(definer);
  defineWatch(program, world, finish);
  return program;
};

const exitCodeWords = `
Exit codes: 0 done · ${exitCodes['bad-usage']} wrong words or values · ${exitCodes['not-found']} not there · \
${exitCodes['baton-refused']} baton refused
            ${exitCodes['store-unusable']} the checkpoint folder cannot be used · ${exitCodes['bad-config']} a config file is wrong · \
${exitCodes.system} the system refused
            ${exitCodes.internal} a bug of ours
Whatever the code but 0: nothing was half written.`;

const defineRequests = ({world, command, finish}: Definer): void => {
  for (const [name, what, note] of [
    ['done', 'tell the run that the whole goal is met', 'what was achieved'],
    ['handoff', 'ask the run for a fresh agent, now', 'why'],
  ] as const) {
    command(name, what, (self) =>
      self.option('--note <text>', note).action(() => finish(request(world, name, all(self)))),
    );
  }
};
