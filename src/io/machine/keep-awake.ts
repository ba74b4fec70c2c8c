// Keeps the machine from falling asleep while a run works: systemd-inhibit, or caffeinate on macOS. Where neither is
// there, or it is refused, nothing happens: clocks here are sleep-safe.

import {type ChildProcess, spawn} from 'node:child_process';

export interface KeepAwakeOptions {
  env?: Record<string, string | undefined>;
  platform?: string;
}

/** Returns its release. Whatever kills us releases it too. */
export const keepAwake = (why: string, options: KeepAwakeOptions = {}): (() => void) => {
  const {env = process.env, platform = process.platform} = options;
  let child: ChildProcess | undefined;
  let released = false;
  const hold = (ways: string[][]): void => {
    const [words, ...others] = ways;
    if (words === undefined || released) return;
    const [file = '', ...args] = words;
    // In a session of its own: the person's Ctrl-C is for the agent.
    const holder = spawn(file, args, {env, stdio: ['pipe', 'ignore', 'ignore'], detached: true});
    child = holder;
    holder.on('error', () => undefined);
    holder.stdin?.on('error', () => undefined);
    // Refused (no logind, no right to hold sleep up): the next best.
    holder.on('exit', () => hold(others));
    holder.unref();
    const pipe = holder.stdin as unknown as {unref?: () => void} | null;
    pipe?.unref?.();
  };
  hold(platform === 'darwin' ? macWays() : linuxWays(why));
  return () => {
    released = true;
    // The end of the pipe ends it; on macOS it does not read one.
    child?.stdin?.end();
    if (platform === 'darwin') child?.kill();
  };
};

/** `cat` ends when our end of the pipe closes, also when we are killed. Sleep may need a right that idle does not. */
const linuxWays = (why: string): string[][] =>
  ['idle:sleep', 'idle'].map((what) => [
    ...['systemd-inhibit', `--what=${what}`, '--who=ckpt-run', `--why=${why}`, '--mode=block', 'cat'],
  ]);

const macWays = (): string[][] => [['caffeinate', '-i', '-w', String(process.pid)]];
