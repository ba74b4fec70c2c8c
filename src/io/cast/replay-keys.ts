// Keys while a recording plays. Raw: what the terminal itself answers must not end up in the person's shell.

import type {Key, Keys} from '../../watch/ports.ts';

export const openKeys = (input: NodeJS.ReadStream = process.stdin): Keys => {
  const terminal = input.isTTY === true;
  const waiting: Key[] = [];
  let wake: ((key: Key) => void) | undefined;
  const press = (key: Key): void => {
    if (wake !== undefined) wake(key);
    else waiting.push(key);
  };
  const onData = (data: Buffer): void => {
    const key = keyOf(data.toString('latin1'));
    if (key !== undefined) press(key);
  };
  const onSignal = (): void => press('end');
  if (terminal) input.setRawMode(true).on('data', onData).resume();
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal);
  return {
    next: (ms) => {
      const key = waiting.shift();
      // Nobody can press a key: at the end there is nothing to wait for.
      if (key !== undefined || (ms === undefined ? !terminal : ms <= 0)) return Promise.resolve(key);
      return new Promise((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(() => give(undefined), ms);
        const give = (pressed: Key | undefined): void => {
          clearTimeout(timer);
          wake = undefined;
          resolve(pressed);
        };
        wake = give;
      });
    },
    close: () => {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('SIGHUP', onSignal);
      if (terminal) input.off('data', onData).setRawMode(false).pause();
    },
  };
};

/** Ctrl-C, Ctrl-D, q; a space; any other key that a person can press. Answers of the terminal begin with ESC. */
const keyOf = (data: string): Key | undefined => {
  if (['\x03', '\x04', 'q'].some((end) => data.includes(end) && !data.startsWith('\x1b'))) return 'end';
  if (data === ' ') return 'space';
  return data.startsWith('\x1b') ? undefined : 'other';
};
