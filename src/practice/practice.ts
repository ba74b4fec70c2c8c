#!/usr/bin/env node
// The practice agent: a stand-in that speaks Claude Code's dialect (flags, hooks, transcript, exits), costs nothing and
// dies on demand. `node dist/practice.js` runs it bare; `ckpt-run practice` under the supervisor.

import {randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import type {Act} from './acts.ts';
import {type Args, parseArgs} from './args.ts';
import {newBody} from './body.ts';
import {type Hooks, openHooks, readSettings} from './hooks.ts';
import {openPrompts} from './prompts.ts';
import {Leave, newMind, readScript} from './script.ts';
import {openShow, type Show} from './show.ts';
import {isInUse, openTranscript} from './transcript.ts';
import {newTurns, type Turns} from './turns.ts';

const main = async (): Promise<void> => {
  const parsed = parseArgs(process.argv.slice(2));
  if (parsed.do === 'version') return leaveWith('0.1.0 (Practice)', 0);
  if (parsed.do === 'help') return leaveWith(HELP, 0);
  if (parsed.do === 'refuse') return leaveWith(parsed.message, 1);
  const {args} = parsed;
  const settings = readSettings(args.settings);
  if (settings === undefined) return leaveWith(`Error: Settings file not found: ${args.settings}`, 1);
  const cwd = process.cwd();
  if (args.sessionId !== undefined && isInUse(args.sessionId, cwd)) {
    return leaveWith(`Error: Session ID ${args.sessionId} is already in use.`, 1);
  }
  await live(args, settings, cwd);
};

const HELP = `Usage: practice [--settings JSON|file] [--session-id uuid] [--script file] [-p] [--] [prompt]
A scripted stand-in for Claude Code. Without a script it runs a relay of twelve steps into relay.txt.`;

const leaveWith = (text: string, code: number): void => {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exitCode = code;
};

const live = async (args: Args, settings: object, cwd: string): Promise<void> => {
  const session = args.sessionId ?? randomUUID();
  const script = readScript(args.script ?? process.env.PRACTICE_SCRIPT);
  const piped = args.print && args.prompt === undefined ? readStdin() : undefined;
  let prompt: string | undefined = args.prompt ?? piped ?? (startsByItself(script) ? FIRST : undefined);
  // A script that begins with a wait: with no prompt yet it is waited here, and no turn is spent on it.
  const acts = prompt === undefined ? script.slice(1) : script;
  const transcript = openTranscript(session, cwd);
  const hooks = openHooks(settings, {session_id: session, transcript_path: transcript.path, cwd});
  const show = openShow({print: args.print});
  const body = newBody({show, hooks, transcript});
  const mind = newMind(acts, body);
  const turns = newTurns({body, mind, transcript});
  const end = newEnd({show, hooks, turns});
  await mind.early();
  const prompts = args.print
    ? undefined
    : openPrompts(show, {interrupt: turns.interrupt, quit: () => end(0, 'prompt_input_exit')});
  onSignals(end);

  show.open();
  body.learn((await hooks.run('SessionStart', 'startup', {source: 'startup', model: 'practice-1'})).context);
  show.idle();
  show.line('Practice agent', 'bold');
  // A run must outlive its work, until it is told to end; alone, the end of the work is the end.
  const stays = !args.print && process.env.CKPT_RUN !== undefined;
  for (;;) {
    prompt ??= await prompts?.next();
    if (prompt === undefined) return end(0, 'other');
    const ended = await turns.take(prompt).catch((error: unknown) => {
      if (error instanceof Leave) return end(error.code, 'other');
      throw error;
    });
    if (args.print) {
      const failed = ended !== 'done';
      show.result(resultOf(args, {session, failed, text: failed ? turns.failure() : body.lastWords()}));
      return end(failed ? 1 : 0, 'other');
    }
    if (ended === 'done' && mind.isOver() && !stays) return end(0, 'prompt_input_exit');
    prompt = undefined;
  }
};

const FIRST = 'Run the relay: do its steps in order, each exactly once.';

const startsByItself = (acts: Act[]): boolean => acts.length > 0 && !('wait' in (acts[0] ?? {}));

const readStdin = (): string | undefined => {
  if (process.stdin.isTTY) return undefined;
  return readFileSync(0, 'utf8').trim() || undefined;
};

/** Claude calls a failed one `success` too: only is_error tells. */
const resultOf = (args: Args, {session, failed, text}: {session: string; failed: boolean; text: string}): string =>
  args.format === 'text'
    ? text
    : JSON.stringify({type: 'result', subtype: 'success', is_error: failed, result: text, session_id: session});

type End = (code: number, reason: string) => Promise<never>;

/** The clean way out, once: SessionEnd, the terminal as it was, the code. */
const newEnd = ({show, hooks, turns}: {show: Show; hooks: Hooks; turns: Turns}): End => {
  let ending: Promise<never> | undefined;
  const leave = async (code: number, reason: string): Promise<never> => {
    turns.freeze();
    hooks.endAll();
    await hooks.run('SessionEnd', reason, {reason});
    show.close();
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    process.exit(code);
  };
  return (code, reason) => {
    ending ??= leave(code, reason);
    return ending;
  };
};

const onSignals = (end: End): void => {
  process.on('SIGTERM', () => end(143, 'other'));
  process.on('SIGHUP', () => end(129, 'other'));
  process.on('SIGINT', () => end(0, 'other'));
  process.stdout.on('error', () => end(129, 'other'));
};

await main().catch((error: unknown) => leaveWith(`Error: ${error instanceof Error ? error.message : error}`, 1));
