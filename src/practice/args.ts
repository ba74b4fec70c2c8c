// The command line, in Claude Code's dialect. Practice imports nothing of ckpt-run: it must not share the code whose
// truth it tests.

export interface Args {
  settings: string | undefined;
  sessionId: string | undefined;
  script: string | undefined;
  /** -p: one turn, plain pipes, no prompt of its own. */
  print: boolean;
  format: 'text' | 'json';
  prompt: string | undefined;
}

export type Parsed = {do: 'run'; args: Args} | {do: 'version'} | {do: 'help'} | {do: 'refuse'; message: string};

export const parseArgs = (words: string[]): Parsed => {
  const args: Args = {
    settings: undefined,
    sessionId: undefined,
    script: undefined,
    print: false,
    format: 'text',
    prompt: undefined,
  };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      args.prompt = rest.shift() ?? args.prompt;
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      args.prompt ??= word;
      continue;
    }
    const [flag, glued] = split(word);
    if (flag === '-v' || flag === '--version') return {do: 'version'};
    if (flag === '-h' || flag === '--help') return {do: 'help'};
    const refused = take(args, flag, {glued, rest});
    if (refused !== undefined) return {do: 'refuse', message: refused};
  }
  if (args.sessionId !== undefined && !UUID.test(args.sessionId)) {
    return {do: 'refuse', message: 'Error: Invalid session ID. Must be a valid UUID.'};
  }
  return {do: 'run', args};
};

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const split = (word: string): [string, string | undefined] => {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
};

/** Flags of Claude's that change nothing here: a value is taken off with them, so that it is not the prompt. */
const ignoredValues = ['--append-system-prompt', '--input-format', '--model', '--permission-mode', '--setting-sources'];
const ignoredPlain = ['-c', '--continue', '--dangerously-skip-permissions', '--fork-session', '--verbose'];

const take = (
  args: Args,
  flag: string,
  {glued, rest}: {glued: string | undefined; rest: string[]},
): string | undefined => {
  const value = (): string => glued ?? rest.shift() ?? '';
  if (flag === '--settings') args.settings = value();
  else if (flag === '--session-id') args.sessionId = value();
  else if (flag === '--script') args.script = value();
  else if (flag === '-p' || flag === '--print') args.print = true;
  else if (flag === '--output-format') {
    const format = value();
    if (format !== 'text' && format !== 'json') return `error: practice knows no --output-format ${format}`;
    args.format = format;
  } else if (flag === '-r' || flag === '--resume') {
    if (glued === undefined && UUID.test(rest[0] ?? '')) rest.shift();
  } else if (ignoredValues.includes(flag)) value();
  else if (!ignoredPlain.includes(flag)) return `error: unknown option '${flag}'`;
  return undefined;
};
