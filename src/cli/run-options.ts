// The words of `ckpt-run`: options before the agent's name are ours, everything after it goes to the agent untouched.

import {Command, CommanderError, InvalidArgumentError, Option} from 'commander';
import {exitCodes} from '../core/failure.ts';
import {type CompactionPolicy, compactionPolicies, type LeftoverPolicy, leftoverPolicies} from '../core/policy.ts';

export interface RunOptions {
  agent: string;
  args: string[];
  track: string | undefined;
  setCurrent: boolean;
  fresh: boolean;
  continue: boolean;
  /** A run to go on with: its id, or true for the newest that can. */
  continueRun: string | true | undefined;
  untilDone: boolean;
  /** Without a terminal; `ckpt attach` shows it. */
  detach: boolean;
  /** Agents that may take over, in this order. */
  takeover: string[];
  onCompaction: CompactionPolicy | undefined;
  leftovers: LeftoverPolicy | undefined;
  maxLegs: number | undefined;
  maxHours: number | undefined;
  maxTokens: number | undefined;
  maxCost: number | undefined;
  maxWait: number | undefined;
  limitMargin: number | undefined;
  repoRoot: string | undefined;
  checkpointDir: string | undefined;
  /** terminal.cast in each leg's folder. */
  record: boolean;
  keepAwake: boolean;
  allowCkpt: boolean;
  /** Calls that are felt outside the folder wait for a person's word. */
  approveOutsideEffects: boolean;
  dryRun: boolean;
  /** A recording: what would have been decided is shown, and nothing is started. */
  replay: string | undefined;
  json: boolean;
}

export interface Out {
  out(text: string): void;
  err(text: string): void;
}

/** A number is the exit code: help or version were printed, or the words do not fit (commander has said why). */
export const readRunOptions = (words: string[], {out, err}: Out, version: string): RunOptions | number => {
  let read: RunOptions | undefined;
  const program: Command = define(version, (agent, args, flags) => {
    if (agent === undefined && flags.continueRun === undefined && flags.replay === undefined)
      program.error("error: missing required argument 'agent'");
    read = {...none, ...flags, agent: agent ?? '', args};
  });
  program.configureOutput({writeOut: out, writeErr: err}).exitOverride();
  try {
    program.parse(words, {from: 'user'});
    return read ?? exitCodes['bad-usage'];
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes['bad-usage'];
    throw error;
  }
};

/** A run goes on as it was started; whoever wants other limits now says so now, and whether it has a terminal. */
export const goesOnWith = (then: RunOptions, now: RunOptions): RunOptions => ({
  ...then,
  ...given(now),
  detach: now.detach,
  continue: false,
  continueRun: undefined,
});

/** The limits that were given, and only they. */
const given = ({
  maxLegs,
  maxHours,
  maxTokens,
  maxCost,
  maxWait,
  limitMargin,
  onCompaction,
  leftovers,
  untilDone,
  takeover,
}: RunOptions): Partial<RunOptions> =>
  Object.fromEntries(
    Object.entries({
      maxLegs,
      maxHours,
      maxTokens,
      maxCost,
      maxWait,
      limitMargin,
      onCompaction,
      leftovers,
      untilDone: untilDone || undefined,
      takeover: takeover.length === 0 ? undefined : takeover,
    }).filter(([, value]) => value !== undefined),
  );

/** The definition alone, for completion. */
export const runProgram = (version: string): Command => define(version, () => {});

type Flags = Partial<Omit<RunOptions, 'agent' | 'args'>>;

const none: Omit<RunOptions, 'agent' | 'args'> = {
  track: undefined,
  setCurrent: true,
  fresh: false,
  continue: false,
  continueRun: undefined,
  untilDone: false,
  detach: false,
  takeover: [],
  onCompaction: undefined,
  leftovers: undefined,
  maxLegs: undefined,
  maxHours: undefined,
  maxTokens: undefined,
  maxCost: undefined,
  maxWait: undefined,
  limitMargin: undefined,
  repoRoot: undefined,
  checkpointDir: undefined,
  record: true,
  keepAwake: true,
  allowCkpt: true,
  approveOutsideEffects: false,
  dryRun: false,
  replay: undefined,
  json: false,
};

const define = (version: string, take: (agent: string | undefined, args: string[], flags: Flags) => void): Command =>
  new Command('ckpt-run')
    .description('Run a coding agent for days: when its context dies, checkpoint it and hand the baton to a fresh one.')
    .usage('[options] <agent> [the agent’s own arguments…]')
    .version(version, '-V, --version')
    .argument('[agent]', 'claude, codex, practice, generic, or an adapter of your own')
    .argument('[args...]', 'go to the agent untouched')
    .passThroughOptions()
    .option('--track <track>', 'the lane of work (default: main; main-2, … while another run holds it)')
    .option('--no-set-current', 'do not make this track the current one')
    .option('--continue', "take up the track's last baton")
    .option('--continue-run [run]', 'go on with a run that was parked, or whose ckpt-run is gone (default: the newest)')
    .option('--fresh', 'do not ask about an earlier baton')
    .option('--until-done', 'nobody is there: wait out limits and overloads, end when the agent says ckpt done')
    .option('--detach', 'go on without this terminal, as if nobody were there; ckpt attach shows it')
    .option('--takeover <agent>', 'goes on when the agent cannot (refused, limit, budget); may be repeated', each)
    .addOption(
      new Option('--on-compaction <policy>', 'what an automatic compaction leads to (default: restart)').choices(
        compactionPolicies,
      ),
    )
    .addOption(
      new Option(
        '--leftovers <policy>',
        'what becomes of background processes when their agent ends (default: keep, and name them)',
      ).choices(leftoverPolicies),
    )
    .option('--max-legs <n>', 'park after so many legs (default: 200)', whole)
    .option('--max-hours <h>', 'park after so long (default: 72)', positive)
    .option('--max-tokens <n>', 'park when all agents together have used so many (default: no limit)', whole)
    .option('--max-cost <usd>', 'park when they have cost so much, where the agent tells (default: no limit)', positive)
    .option('--max-wait <h>', 'park rather than wait longer for a usage limit (default: 192)', positive)
    .option('--limit-margin <s>', 'wait so long after a usage limit has ended (default: 30)', notNegative)
    .option('--repo-root <dir>', 'the repository (default: the one around the current folder)')
    .option('--checkpoint-dir <dir>', 'where checkpoints are kept (default: runtime/checkpoints in the repository)')
    .option('--no-record', 'do not record the terminal (terminal.cast, as it was seen, 0600)')
    .option('--no-keep-awake', 'let the machine fall asleep')
    .option('--no-allow-ckpt', 'let the agent ask before it calls ckpt snapshot, done, task, handoff or resume')
    .option(
      '--approve-outside-effects',
      'hold pushes, deployments and the like until you say ckpt approve or ckpt deny',
    )
    .option('--dry-run', 'show what would be started, and start nothing')
    .option('--replay <file>', 'show what would have been decided on a terminal.cast or session log; start nothing')
    .option('--json', 'print the summary (or the dry run, or the replay) as JSON')
    .addHelpText('after', help)
    .action((agent: string | undefined, args: string[], flags: Flags) => take(agent, args, flags));

const help = `
Examples:
  ckpt-run claude "migrate the billing module"       as claude "…", but it survives the end of its context
  ckpt-run --until-done codex "fix issue 12"         overnight
  ckpt-run --detach codex "fix issue 12"             the terminal may be closed; ckpt attach shows it again
  ckpt-run --track docs --continue claude            go on where the track's last agent stopped
  ckpt-run practice                                  a scripted agent, to see a handoff

Exit codes: the agent's own; 128+n when it died of signal n; 75 parked; 64 bad usage; 65 baton refused;
66 not found; 69 unsupported platform; 70 a bug of ours; 71 the system refused; 73 checkpoint folder unusable;
78 bad configuration; 127 the agent is not installed.
`;

const each = (name: string, before: string[] | undefined): string[] => [...(before ?? []), name];

const numberFrom = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
};

const whole = (text: string): number => {
  const value = numberFrom(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return value;
};

export const positive = (text: string): number => {
  const value = numberFrom(text);
  if (value <= 0) throw new InvalidArgumentError('It must be more than 0.');
  return value;
};

export const notNegative = (text: string): number => {
  const value = numberFrom(text);
  if (value < 0) throw new InvalidArgumentError('It must be 0 or more.');
  return value;
};
