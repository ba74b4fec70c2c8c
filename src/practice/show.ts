// What the person sees. On a terminal: calm lines, a title, a prompt. Through a pipe: plain lines. With -p: the result.

export type Tone = 'plain' | 'dim' | 'bold' | 'good' | 'warn' | 'bad';

export interface Show {
  open(): void;
  line(text: string, tone?: Tone): void;
  /** A line whose mark changes when its work has ended. */
  begin(text: string): void;
  end(text: string, good: boolean): void;
  busy(): void;
  idle(): void;
  /** The prompt with what was typed so far. */
  input(typed: string): void;
  raw(text: string): void;
  /** -p: the one thing that is printed. */
  result(text: string): void;
  /** Gives the terminal back. Not called by a crash: that leaves it dirty, as in life. */
  close(): void;
}

export const openShow = ({print}: {print: boolean}): Show => {
  const tty = process.stdout.isTTY === true && !print;
  const colours = tty && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  const write = (text: string): void => {
    process.stdout.write(text);
  };
  const onTerminal = (text: string): void => {
    if (tty) write(text);
  };
  const paint = (text: string, tone: Tone): string =>
    colours && tone !== 'plain' ? `\x1b[${CODES[tone]}m${text}\x1b[0m` : text;
  const line = (text: string, tone: Tone = 'plain'): void => {
    if (!print)
      write(
        `${text
          .split('\n')
          .map((one) => `  ${paint(one, tone)}`.trimEnd())
          .join('\n')}\n`,
      );
  };
  const title = (text: string): void => onTerminal(`\x1b]0;${text}\x07`);
  let prompting = false;
  let ticking: NodeJS.Timeout | undefined;

  return {
    open: () => onTerminal('\x1b[?2004h\x1b[?1004h'),
    line,
    begin: (text) => onTerminal(`  ${paint(`○ ${text}`, 'dim')}`),
    end: (text, good) => {
      onTerminal('\r\x1b[K');
      line(`${good ? '●' : '×'} ${text}`, good ? 'good' : 'bad');
    },
    busy: () => {
      prompting = false;
      let beats = 0;
      const beat = (): void => title(`${beats++ % 2 === 0 ? '◐' : '◑'} Practice`);
      clearInterval(ticking);
      // The title moves while the agent lives, whether it gets on or not: so does Claude's.
      ticking = tty ? setInterval(beat, 960).unref() : undefined;
      beat();
      onTerminal('\x1b[?25l');
    },
    idle: () => {
      clearInterval(ticking);
      title('✳ Practice');
      onTerminal('\x1b[?25h');
    },
    input: (typed) => {
      prompting = tty;
      const room = Math.max((process.stdout.columns ?? 80) - 6, 10);
      onTerminal(`\r\x1b[K  ${paint('❯', 'bold')} ${typed.replaceAll('\n', '↵').slice(-room)}`);
    },
    raw: write,
    result: (text) => {
      if (print) write(`${text}\n`);
    },
    close: () => {
      clearInterval(ticking);
      // The shell's own prompt must not come behind ours.
      if (prompting) onTerminal('\r\x1b[K');
      onTerminal('\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[0m\x1b]0;\x07');
    },
  };
};

const CODES: Record<Exclude<Tone, 'plain'>, string> = {
  dim: '2',
  bold: '1',
  good: '32',
  warn: '33',
  bad: '31',
};
