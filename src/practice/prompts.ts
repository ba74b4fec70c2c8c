import {newKeys} from './keys.ts';
import type {Show} from './show.ts';

export interface Prompts {
  /** The next line that somebody typed; undefined when nobody can type any more. */
  next(): Promise<string | undefined>;
  close(): void;
}

/** What is typed while the agent works waits for its turn. */
export const openPrompts = (show: Show, on: {interrupt(): boolean; quit(): void}): Prompts => {
  const lines: string[] = [];
  let typed = '';
  let ended = false;
  let waiting: (() => void) | undefined;
  let last: {key: 'C' | 'D'; at: number} | undefined;

  const enter = (): void => {
    const line = typed;
    typed = '';
    if (waiting !== undefined) show.input(line);
    if (line.trim() === '/exit' || line.trim() === '/quit') on.quit();
    else if (line.trim() !== '') lines.push(line);
    waiting?.();
  };

  /** Ctrl-C or Ctrl-D: the same one twice leaves. */
  const leaving = (key: 'C' | 'D'): void => {
    const twice = last?.key === key && Date.now() - last.at < TWICE_MS;
    last = {key, at: Date.now()};
    typed = '';
    if (twice) on.quit();
    else if (key === 'D' || !on.interrupt()) {
      show.raw('\r\x1b[K');
      show.line(`Press Ctrl-${key} again to exit`, 'dim');
    }
  };

  const keys = newKeys();
  const onKeys = (chunk: string): void => {
    for (const key of keys(chunk)) {
      if (key.is === 'text') typed += key.text;
      else if (key.is === 'backspace') typed = [...typed].slice(0, -1).join('');
      else if (key.is === 'enter') enter();
      else if (key.is === 'interrupt') leaving('C');
      else if (key.is === 'escape') on.interrupt();
      // With something typed it deletes forward: nothing, at the end of the line.
      else if (typed === '') leaving('D');
    }
    if (waiting !== undefined) show.input(typed);
  };
  /** Without a terminal a line feed ends a prompt. */
  const onText = (chunk: string): void => {
    const parts = (typed + chunk).split('\n');
    typed = parts.pop() ?? '';
    lines.push(...parts.filter((line) => line.trim() !== ''));
    waiting?.();
  };

  if (process.stdin.isTTY) process.stdin.setRawMode(true);
  process.stdin.setEncoding('utf8').on('data', process.stdin.isTTY ? onKeys : onText);
  const onEnd = (): void => {
    ended = true;
    waiting?.();
  };
  process.stdin.on('end', onEnd).on('error', onEnd);

  return {
    next: async () => {
      if (lines.length === 0) show.input(typed);
      while (lines.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      }
      if (waiting !== undefined && process.stdin.isTTY) show.raw('\n');
      waiting = undefined;
      return lines.shift();
    },
    close: () => {
      if (process.stdin.isTTY) process.stdin.setRawMode(false);
      process.stdin.pause();
    },
  };
};

const TWICE_MS = 1000;
