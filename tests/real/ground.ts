// The proving ground: a project, a home and a scripted model for one real CLI, all of it gone afterwards.
//
//   await using ground = await openGround({cli: claudeNew(), scenario: amnesiac()});
//   const terminal = ground.start(ground.tui(goalOf(job)));
//   await terminal.waitFor(/All 20 steps are done/);
//   expect(judge(ground.path('job.txt'), 20)).toEqual(flawless);

import {rm, rmdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {Json} from '../../adapters/shared/json.ts';
import type {Cli} from './clis.ts';
import {type HomePlan, logFolder, readLogs} from './homes.ts';
import {endMarked, type Marked, marked} from './leftovers.ts';
import type {Scenario} from './model/reply.ts';
import {type ModelServer, openModel} from './model/server.ts';
import {type Piped, type PipedOptions, startPiped} from './piped.ts';
import {type Place, settle} from './place.ts';
import {type Ended, type OuterTerminal, startTerminal, type TerminalOptions} from './terminal.ts';
import {until} from './until.ts';

export interface GroundOptions {
  cli: Cli;
  scenario: Scenario;
  /** What the word on PATH leads to. People with an npm install have the launcher. */
  through?: 'native' | 'launcher';
  account?: HomePlan['account'];
  /** More environment for the programs, or other than the usual. */
  env?: Record<string, string>;
  /** The person's own config.yaml of ckpt-run. */
  config?: string;
}

export interface Ground extends AsyncDisposable {
  cli: Cli;
  model: ModelServer;
  /** A git repository with one commit; the working folder of all programs. */
  project: string;
  home: string;
  env: Record<string, string>;
  /** argv of the bare CLI: in its terminal, and without one. */
  tui(prompt: string, ...flags: string[]): string[];
  headless(prompt: string, ...flags: string[]): string[];
  /** Starts a program under a terminal of its own, in the project. */
  start(argv: readonly string[], options?: Partial<TerminalOptions>): OuterTerminal;
  /** Starts a program with pipes. */
  pipe(argv: readonly string[], options?: Partial<PipedOptions>): Piped;
  /** A file of the project. */
  path(name: string): string;
  /** The session logs that the CLI has written, each as its lines. */
  logs(): Promise<Json[][]>;
  /** All that this ground's programs have running, tools and orphans too. */
  processes(): Promise<Marked[]>;
  /** The CLI itself among them: one for each live leg, whoever has started it. */
  agents(): Promise<Marked[]>;
  /** Until the long wait of a slow step has begun: see amnesiac.ts. */
  untilAsleep(seconds: number, ms?: number): Promise<void>;
  /** Ends the CLI in the terminal as a person does, by keys. */
  quit(terminal: OuterTerminal): Promise<Ended>;
}

export const openGround = async (options: GroundOptions): Promise<Ground> => {
  const model = await openModel(options.scenario);
  const place = await settle({...options, modelUrl: model.url}).catch(async (error: unknown) => {
    await model.close();
    throw error;
  });
  const {cli} = options;
  const {env, project} = place;
  const running = new Set<AsyncDisposable>();
  const track = <T extends AsyncDisposable>(program: T): T => {
    running.add(program);
    return program;
  };
  const processes = () => marked(place.mark);
  const agents = async () =>
    (await processes()).filter(({command}) => basename(command.split(' ')[0] ?? '') === cli.word);
  return {
    cli,
    model,
    project,
    home: place.home,
    env,
    tui: (prompt, ...flags) => [cli.word, ...(cli.word === 'codex' ? ['--no-daemon'] : []), ...flags, '--', prompt],
    headless: (prompt, ...flags) => [cli.word, cli.word === 'codex' ? 'exec' : '-p', ...flags, '--', prompt],
    start: (argv, more) => track(startTerminal(argv, {env, cwd: project, ...more})),
    pipe: (argv, more) => track(startPiped(argv, {env, cwd: project, ...more})),
    path: (name) => join(project, name),
    logs: () => readLogs(logFolder(cli, place.home)),
    processes,
    agents,
    untilAsleep: (seconds, ms) => {
      const asleep = async () => (await processes()).some(({command}) => command === `sleep ${seconds}`);
      return until(`the slow step's sleep ${seconds}`, asleep, ms);
    },
    quit: (terminal) => quit(cli, terminal, agents),
    [Symbol.asyncDispose]: () => leave(place, model, running),
  };
};

/** Ctrl-D ends Codex at once; Claude Code wants Ctrl-C twice within half a second, and first clears what was typed. */
const quit = async (cli: Cli, terminal: OuterTerminal, agents: Ground['agents']): Promise<Ended> => {
  let ended: Ended | undefined;
  void terminal.exit.then((status) => {
    ended = status;
  });
  // When it is gone the terminal is its starter's again: one more Ctrl-C would be a signal to that one.
  const press = async () => {
    const isThere = (await agents()).length > 0;
    if (ended === undefined && isThere) terminal.type(cli.word === 'codex' ? '\x04' : '\x03');
    return ended !== undefined;
  };
  let looks = 0;
  await until(`${cli.word} to end by keys`, () => {
    looks += 1;
    return looks % 8 === 1 ? press() : ended !== undefined;
  });
  return terminal.exit;
};

const leave = async (place: Place, model: ModelServer, running: Iterable<AsyncDisposable>): Promise<void> => {
  for (const program of running) await program[Symbol.asyncDispose]();
  await endMarked(place.mark);
  await model.close();
  await rm(place.root, {recursive: true, force: true, maxRetries: 5});
  // Codex makes this one whatever TMPDIR says. Only when nobody has anything in it.
  await rmdir(`/tmp/codex-daemon-${process.getuid?.()}`).catch(() => undefined);
};
