// What the person's terminal shows, as text. The only importer of the terminal library.
//
// Feeding only copies the bytes until somebody looks. So a flood of output costs the byte path nothing, and a look
// parses at most `limit` bytes, a block at a time with a breath in between: nobody's keys wait for it. Same bytes and
// same looks give the same view, however the bytes are cut.

import xterm from '@xterm/headless';
import {newBacklog, type Size} from './backlog.ts';
import type {View} from './screen-rules.ts';

export interface Screen {
  feed(chunk: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /**
   * All that was fed before is in it: the visible rows (right-trimmed, joined by newlines), the title, and the OSC 7501
   * reports since the last look. Fails when the library stumbles over the bytes; every later look then fails too.
   */
  look(): Promise<View>;
  close(): void;
}

export interface ScreenOptions extends Size {
  /** Bytes kept between two looks; of more only the newest count. */
  limit?: number;
}

/** Reports of one look; of more only the newest count. */
const keptReports = 100;

export const openScreen = ({cols, rows, limit = 512 * 1024}: ScreenOptions): Screen => {
  const terminal = openTerminal({cols, rows});
  // Ours, because the library's own (6.0.0) loses letters that are cut behind a byte 0x80: `…` and `─` have one.
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const backlog = newBacklog(limit);
  let title = '';
  let reports: string[] = [];
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();
  terminal.onTitleChange((text) => {
    title = text;
  });
  terminal.parser.registerOscHandler(7501, (data) => {
    if (data !== '?') reports = [...reports, `7501;${data}`].slice(-keptReports);
    return true;
  });
  const view = async (steps: (Uint8Array | Size)[]): Promise<View> => {
    for (const step of steps) {
      if (closed) break;
      if (step instanceof Uint8Array) await parse(terminal, decoder.decode(step, {stream: true}));
      else terminal.resize(Math.max(2, step.cols), Math.max(1, step.rows));
    }
    const osc = reports;
    reports = [];
    return {screen: closed ? '' : visible(terminal), title, osc};
  };
  return {
    feed: backlog.add,
    resize: (newCols, newRows) => backlog.resize({cols: newCols, rows: newRows}),
    look: () => {
      const steps = backlog.take();
      const next = last.then(() => view(steps));
      // Whoever looked hears of it; the next look fails by itself.
      last = next;
      next.catch(() => {});
      return next;
    },
    close: () => {
      closed = true;
      const dispose = (): void => terminal.dispose();
      last.then(dispose, dispose);
    },
  };
};

export type Terminal = xterm.Terminal;

export const openTerminal = (size: Size): Terminal =>
  new xterm.Terminal({
    ...size,
    scrollback: 0,
    // Opens the buffer and the parser hooks.
    allowProposedApi: true,
    // Else the library prints its complaints about broken sequences to stderr: over the agent's screen.
    logLevel: 'off',
    // Turns reflow off. With it 6.0.0 loses rows when the window gets narrower and wider again, and then throws.
    windowsPty: {backend: 'winpty', buildNumber: 1},
  });

/**
 * After (here: empty) input the library parses the next write at once instead of in a timer of its own, where nobody
 * could catch what it throws. The empty write behind it does go through the timer: the breath for everybody else.
 */
export const parse = (terminal: Terminal, block: string): Promise<void> =>
  new Promise((resolve) => {
    terminal.input('');
    terminal.write(block);
    terminal.write('', resolve);
  });

export const visible = (terminal: Terminal): string => {
  const buffer = terminal.buffer.active;
  const lines: string[] = [];
  for (let row = 0; row < terminal.rows; row += 1) {
    lines.push(buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '');
  }
  return lines.join('\n').trimEnd();
};
