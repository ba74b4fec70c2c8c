import {spawn} from 'node:child_process';
import {writeSync} from 'node:fs';
import {isatty} from 'node:tty';
import type {ExitStatus} from '../../core/events.ts';
import type {LaunchSpec} from '../../ports.ts';
import {exitStatus} from './exit-status.ts';

/**
 * For words that are no run (`claude --version`, `codex login`): the program has our own stdin, stdout, stderr, terminal
 * and process group; we only wait for its end. The caller ends with the same status.
 */
export const runBare = ({file, args, env, cwd}: LaunchSpec): Promise<ExitStatus> =>
  new Promise((resolve) => {
    const child = spawn(file, args, {env, cwd, stdio: 'inherit'});
    // A terminal sends Ctrl-C, Ctrl-\ and its hang-up to the whole group: the program has them already.
    const fromTerminal = [0, 1, 2].some((fd) => isatty(fd));
    const listeners = passedOn.map(({name, fromTerminals}) => {
      const hear = (): void => {
        if (!fromTerminals || !fromTerminal) child.kill(name);
      };
      process.on(name, hear);
      return {name, hear};
    });
    const end = (exit: ExitStatus): void => {
      for (const {name, hear} of listeners) process.off(name, hear);
      resolve(exit);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return;
      writeSync(2, `ckpt-run: ${error.message}\n`);
      end({code: error.code === 'ENOENT' ? 127 : 126, signal: undefined});
    });
    child.on('exit', (code, signal) => end(exitStatus(code, signal)));
  });

/** All that would end us first. */
const passedOn: {name: NodeJS.Signals; fromTerminals: boolean}[] = [
  {name: 'SIGINT', fromTerminals: true},
  {name: 'SIGQUIT', fromTerminals: true},
  {name: 'SIGHUP', fromTerminals: true},
  {name: 'SIGTERM', fromTerminals: false},
  {name: 'SIGUSR1', fromTerminals: false},
  {name: 'SIGUSR2', fromTerminals: false},
];
