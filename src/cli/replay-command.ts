// `ckpt-run --replay FILE [agent]`: what would have been seen and decided. Starts nothing, writes nothing.

import type {Adapter, AgentCode} from '../adapter/adapter.ts';
import {oneLine} from '../baton/clean.ts';
import type {Config} from '../config/config.ts';
import type {Notice} from '../core/effects.ts';
import {type Failure, fail, ok, type Result} from '../core/failure.ts';
import type {Outcome} from '../core/state.ts';
import {noticeWords, outcomeWords} from '../report/messages.ts';
import {type ReplayPlan, replay} from '../run/replay/replay.ts';
import {dayLine, journalWords, readJournalLine} from '../watch/journal-line.ts';
import {recordedIn, recordingKind} from './recording.ts';
import type {Out, RunOptions} from './run-options.ts';
import {policyOf} from './run-policy.ts';

export interface ReplayWorld extends Out {
  findAdapter(name: string): Result<Adapter>;
  loadCode(adapter: Adapter): Promise<AgentCode>;
  openGround(options: RunOptions): Promise<Result<{config: Config}>>;
  /** The lines of a file; of a recording in several parts those of all of them. */
  recordedLines(path: string): Promise<Result<AsyncIterable<string>>>;
  openScreen: ReplayPlan['openScreen'];
}

export const replayCommand = async (file: string, options: RunOptions, world: ReplayWorld): Promise<Result<void>> => {
  const opened = await world.openGround(options);
  if (!opened.ok) return opened;
  const found = await recognise(file, options.agent, world);
  if (!found.ok) return found;
  const {adapter, is} = found.value;
  const lines = await world.recordedLines(file);
  if (!lines.ok) return lines;
  // Whoever reads it may be a pipe; whether somebody was there when it was made only the options tell.
  const about = {config: opened.value.config, adapter, headless: false, terminal: true};
  const tell = options.json ? (entry: object) => world.out(`${JSON.stringify(entry)}\n`) : words(world);
  await replay({
    ...{adapter, tell, openScreen: world.openScreen, recorded: recordedIn(is, lines.value)},
    code: await world.loadCode(adapter),
    policy: policyOf(options, about),
  });
  return ok(undefined);
};

/** So much is read to see what it is. */
const FIRST_LINES = 300;

const recognise = async (
  file: string,
  agent: string,
  world: ReplayWorld,
): Promise<Result<{adapter: Adapter; is: 'terminal' | 'log'}>> => {
  const lines = await world.recordedLines(file);
  if (!lines.ok) return lines;
  const first: string[] = [];
  for await (const line of lines.value) if (first.push(line) >= FIRST_LINES) break;
  const kind = recordingKind(first);
  if (kind === undefined) return fail(unknown(file));
  const name = agent === '' ? kind.agent : agent;
  if (name === undefined) return fail(whose(file));
  const adapter = world.findAdapter(name);
  return adapter.ok ? ok({adapter: adapter.value, is: kind.is}) : adapter;
};

const unknown = (file: string): Failure => ({
  is: 'bad-usage',
  what: `${file} is neither a terminal recording (asciicast v2) nor a session log of Claude Code or Codex`,
  fix: 'a leg leaves terminal.cast in its folder, and run.json names its session log',
});

const whose = (file: string): Failure => ({
  is: 'bad-usage',
  what: `of which agent is ${file}?`,
  fix: `name it: ckpt-run --replay ${file} claude`,
});

const words = ({out}: Out): ((entry: object) => void) => {
  let before: number | undefined;
  return (entry) => {
    const line = readJournalLine(JSON.stringify(entry));
    if (line === undefined) return;
    const day = dayLine(line.at, before);
    before = line.at;
    if (day !== undefined) out(`${day}\n`);
    const said =
      line.event === 'would'
        ? `                 ⇒ ${wouldWords(entry as Would)}`
        : journalWords(line, {withRun: false});
    out(`${said}\n`);
  };
};

interface Would {
  do: string;
  leg?: number;
  notice?: Notice;
  outcome?: Outcome;
  trigger?: string;
  cause?: string;
  decision?: string;
  answer?: string;
  why?: string;
}

const wouldWords = (would: Would): string => {
  switch (would.do) {
    case 'tell':
      return would.notice === undefined ? 'say something' : `say: ${noticeWords(would.notice)}`;
    case 'finish':
      return `end the run: ${would.outcome === undefined ? '?' : outcomeWords(would.outcome)}`;
    case 'capture':
      return `write a checkpoint (${would.trigger ?? '?'})`;
    case 'certify':
      return `certify the death (${would.cause ?? '?'}): ${oneLine(would.decision ?? '?')}`;
    case 'spawn-leg':
      return 'start an agent';
    case 'stop-agent':
      return 'stop the agent';
    case 'answer-hook':
      return `let its hook go (${would.answer ?? '?'})`;
    case 'nudge':
      return `nudge the agent (${would.why ?? '?'})`;
    default:
      return oneLine(would.do);
  }
};
