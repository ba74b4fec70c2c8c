// systemd's and launchd's own folders and programs.

import {spawn} from 'node:child_process';
import {existsSync, unlinkSync} from 'node:fs';
import {constants, homedir} from 'node:os';
import {dirname, isAbsolute, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {ServicePort} from '../../watch/ports.ts';
import {launchdLabel} from '../../watch/service-units.ts';
import {makeFolder, writeWhole} from '../files/atomic-file.ts';
import {askProgram} from '../machine/ask-program.ts';
import {openServiceNotify} from '../machine/service-notify.ts';
import {stateHome} from '../runs/run-registry.ts';

type Env = Record<string, string | undefined>;

export const openServices = ({env, ckptBin}: {env: Env; ckptBin: string}): ServicePort => {
  const home = env.HOME ?? homedir();
  const config = env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, '.config');
  const kind = process.platform === 'darwin' ? 'launchd' : 'systemd';
  const file = (name: string): string =>
    kind === 'systemd'
      ? join(config, 'systemd', 'user', `ckpt-run-${name}.service`)
      : join(home, 'Library', 'LaunchAgents', `${launchdLabel(name)}.plist`);
  return {
    kind,
    file,
    node: process.execPath,
    ckpt: ckptBin,
    path: env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    envFile: join(config, 'ckpt-run', 'service.env'),
    log: (name) => join(stateHome(env), 'ckpt-run', `${name}.log`),
    exists: (name) => existsSync(file(name)),
    write: (name, text) => {
      makeFolder(dirname(file(name)));
      makeFolder(join(stateHome(env), 'ckpt-run'));
      writeWhole(file(name), text);
    },
    remove: (name) => unlinkSync(file(name)),
    call: async (words) => {
      const [program = '', ...args] = words;
      return (await askProgram({file: program, args, env, timeoutMs: 120_000})).code === 0;
    },
    ready: () => {
      // A copy: ckpt-run, which we start next, needs the variables itself.
      openServiceNotify({...env}).ready();
    },
    run: (words) => runInFront(fileURLToPath(new URL('ckpt-run.js', `file://${ckptBin}`)), words, env),
  };
};

/** Ours to forward: systemd tells its first process only (KillMode=mixed). */
const forwarded: NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

const runInFront = (script: string, words: string[], env: Env): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...words], {stdio: ['ignore', 'inherit', 'inherit'], env});
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of forwarded) process.on(signal, pass);
    const off = (): void => {
      for (const signal of forwarded) process.off(signal, pass);
    };
    child.on('error', (error) => {
      off();
      reject(error);
    });
    child.on('close', (code, signal) => {
      off();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
