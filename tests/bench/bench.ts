// `npm run bench [-- names…] [--quick]`: measures side by side, prints what it saw, and keeps it in tests/bench/results
// with a plot and the README's section. `--quick` measures less of everything, and the table says so.
//
// Each part is a process of its own with a bound in time, and is kept as soon as it is there: one that fails loses no other.

import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';
import {benchBytePath} from './byte-path.ts';
import {benchCkptCommands} from './ckpt-commands.ts';
import {play} from './contestants.ts';
import {benchHookRelay} from './hook-relay.ts';
import {machineFacts, needPrograms, othersBusy} from './machine.ts';
import {benchLogTail, benchMemory} from './memory.ts';
import {plotOf} from './plot.ts';
import {inReadme, proofSection, readFigures} from './proof-section.ts';
import {benchLargeFolders, benchSnapshots} from './snapshots.ts';
import {benchHandoff, benchStartup} from './startup.ts';

const parts: Record<string, (quick: boolean) => unknown> = {
  bytes: (quick) => benchBytePath(quick ? {rounds: 3, megabytes: 16, keys: 100} : {}),
  startup: (quick) => benchStartup(quick ? 7 : 25),
  handoff: (quick) => benchHandoff(quick ? 8 : 30),
  hooks: (quick) => benchHookRelay(quick ? 50 : 200),
  ckpt: (quick) => benchCkptCommands(quick ? {rounds: 7} : {}),
  'ckpt-1k': (quick) => benchCkptCommands({many: 1000, ...(quick ? {rounds: 7} : {})}),
  'snapshots-1k': () => benchSnapshots({files: 1000}),
  'log-tail': (quick) => benchLogTail(quick ? 200 : 1000),
  memory: (quick) => benchMemory(quick ? 1 : 8),
  snapshots: (quick) => benchSnapshots(quick ? {files: 10_000, rounds: 5} : {}),
  'large-folders': (quick) => benchLargeFolders(quick ? 50_000 : 500_000),
};

/** None needs more than half of it on a quiet machine. */
const LONGEST_MS = 900_000;

const root = packageRoot();
const results = join(root, 'tests/bench/results');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const measure = async (name: string, quick: boolean): Promise<void> => {
  const others = await othersBusy();
  const figures = {quick, machine: machineFacts(), othersBusy: others, ...((await parts[name]?.(quick)) as object)};
  const text = JSON.stringify(figures, undefined, 2);
  say(`${name}: ${text}`);
  writeFileSync(join(results, `bench-${name}.json`), `${text}\n`);
};

const writeReadme = (): void => {
  const figures = readFigures(results);
  writeFileSync(join(results, 'bench.svg'), plotOf(figures));
  const readme = join(root, 'README.md');
  writeFileSync(readme, inReadme(readFileSync(readme, 'utf8'), proofSection(figures)));
};

const measureAll = (names: string[], flags: string[]): void => {
  needPrograms({script: 'bsdutils', tmux: 'tmux', asciinema: 'asciinema'});
  mkdirSync(results, {recursive: true});
  const failed: string[] = [];
  for (const name of names) {
    const began = performance.now();
    const self = [process.argv[1] ?? '', '--part', name, ...flags];
    const {status, signal} = spawnSync(process.execPath, self, {stdio: 'inherit', timeout: LONGEST_MS});
    say(`${name}: ${status === 0 ? 'measured' : 'FAILED'} in ${Math.round((performance.now() - began) / 1000)} s`);
    if (status !== 0) failed.push(`${name} (${signal ?? status})`);
    writeReadme();
  }
  if (failed.length === 0) return;
  process.stderr.write(`bench: failed, and their former figures stay: ${failed.join(', ')}\n`);
  process.exitCode = 1;
};

const words = process.argv.slice(2);
const [first, second = '', ...rest] = words;
if (first === '--play') play(second, rest);
else if (first === '--part') await measure(second, words.includes('--quick'));
else {
  const asked = words.filter((word) => !word.startsWith('--'));
  const unknown = asked.filter((name) => !(name in parts));
  if (unknown.length > 0) {
    process.stderr.write(`bench: there is no ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}\n`);
    process.exitCode = 64;
  } else {
    const names = asked.length === 0 ? Object.keys(parts) : asked;
    measureAll(names, words.includes('--quick') ? ['--quick'] : []);
  }
}
