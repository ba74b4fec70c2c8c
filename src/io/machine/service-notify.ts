// Telling systemd that we are up and alive. Node cannot write to a datagram socket of the file system: systemd's own
// small program does. Without systemd around us nothing happens here.

import {spawn} from 'node:child_process';

type Env = Record<string, string | undefined>;

export interface ServiceNotify {
  /** The unit is up. */
  ready(): void;
  /** Says "alive" as often as the unit wants to hear it, as long as our event loop turns. Returns its off. */
  keepAlive(): () => void;
}

/** Takes the variables out of `env`: the agent and its tools must not speak to systemd in our name. */
export const openServiceNotify = (env: Env): ServiceNotify => {
  const {NOTIFY_SOCKET: socket = '', WATCHDOG_USEC: every = ''} = env;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name];
  if (socket === '') return {ready: () => {}, keepAlive: () => () => {}};
  const tell = (word: string): void => {
    const child = spawn('systemd-notify', [word], {env: {...env, NOTIFY_SOCKET: socket}, stdio: 'ignore'});
    // Not installed, or no process left: systemd will judge by itself.
    child.on('error', () => undefined);
  };
  return {
    ready: () => tell('READY=1'),
    keepAlive: () => {
      const ms = Number(every) / 1000;
      if (!Number.isFinite(ms) || ms <= 0) return () => {};
      tell('WATCHDOG=1');
      const timer = setInterval(() => tell('WATCHDOG=1'), Math.max(ms / 2, SHORTEST_MS)).unref();
      return () => clearInterval(timer);
    },
  };
};

const SHORTEST_MS = 100;
