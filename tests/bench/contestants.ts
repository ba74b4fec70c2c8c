// The programs that the byte path is measured against, each around the same child on the same outer terminal.

import {join} from 'node:path';
import {spawn} from 'node-pty';
import {modeLedger} from '../../src/detect/mode-ledger.ts';
import {openScreen} from '../../src/detect/screen.ts';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';
import {openTerminal} from '../../src/io/terminal/terminal.ts';

export const contestants = ['bare', 'stage', 'whole', 'plain', 'script', 'tmux', 'asciinema'] as const;
export type Contestant = (typeof contestants)[number];

/** The command line that puts a contestant around some shell. `whole` is ckpt-run itself, which records the terminal too. */
export const around = (contestant: Contestant, shell: string): string[] => {
  const self = [process.execPath, process.argv[1] ?? ''];
  switch (contestant) {
    case 'bare':
      return ['sh', '-c', shell];
    case 'whole':
      return [process.execPath, join(packageRoot(), 'dist/ckpt-run.js'), '--fresh', 'watched', 'sh', '-c', shell];
    case 'stage':
    case 'plain':
      return [...self, '--play', contestant, 'sh', '-c', shell];
    case 'script':
      return ['script', '-qc', shell, '/dev/null'];
    case 'tmux':
      return ['tmux', '-L', `ckpt-bench-${process.pid}`, '-f', '/dev/null', 'new-session', shell];
    case 'asciinema':
      return ['asciinema', 'rec', '-q', '--overwrite', '-c', shell, '../asciinema.cast'];
  }
};

/** The bench started itself as one of those that are measured. */
export const play = (contestant: string, [file = '', ...args]: string[]): void => {
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]));
  if (contestant === 'stage') playStage({file, args, env, cwd: process.cwd()});
  else playPlain({file, args, env, cwd: process.cwd()});
};

interface Words {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** Our byte path as a run has it: with the ledger and with a screen that is looked at four times a second. */
const playStage = (spec: Words): void => {
  const stage = openTerminal({modes: modeLedger(), onQuitKey: () => undefined});
  const screen = openScreen({cols: process.stdout.columns, rows: process.stdout.rows});
  const looks = setInterval(() => void screen.look(), 250);
  stage.start(spec, {
    onOutput: screen.feed,
    onResize: screen.resize,
    onExit: ({code}) => {
      clearInterval(looks);
      screen.close();
      stage.close();
      process.exitCode = code;
    },
  });
};

/** What one gets from the library with ten lines. */
const playPlain = ({file, args, env, cwd}: Words): void => {
  const {stdin, stdout} = process;
  const pty = spawn(file, args, {encoding: null, cols: stdout.columns, rows: stdout.rows, env, cwd});
  stdin.setRawMode(true);
  stdin.on('data', (keys: Buffer) => pty.write(keys));
  pty.onData((chunk) => void stdout.write(chunk));
  pty.onExit(({exitCode}) => {
    stdin.setRawMode(false);
    process.exit(exitCode);
  });
};
