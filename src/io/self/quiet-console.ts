import {Console} from 'node:console';
import {Writable} from 'node:stream';

/**
 * From now on `console` prints nothing. We never use it, but a library may (the terminal emulator warns of slow tasks),
 * and its words would land on the agent's screen. Returns its off.
 */
export const quietConsole = (): (() => void) => {
  const before = globalThis.console;
  const nowhere = new Writable({write: (_chunk, _encoding, done) => done()});
  globalThis.console = new Console(nowhere);
  return () => {
    globalThis.console = before;
  };
};
