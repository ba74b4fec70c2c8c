// `npm run bench [-- names…] [--quick]`: measures side by side, prints what it saw, and keeps it in tests/bench/results
// with a plot and the README's section. `--quick` measures less of everything, and the table says so.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {packageRoot} from '../../src/io/setup/adapter-files.ts';
import {benchBytePath} from './byte-path.ts';
import {benchCkptCommands} from './ckpt-commands.ts';
import {play} from './contestants.ts';
import {benchHookRelay} from './hook-relay.ts';
import {machineFacts, needPrograms} from './machine.ts';
import {benchLogTail, benchMemory} from './memory.ts';
import {plotOf} from './plot.ts';
import {inReadme, proofSection, readFigures} from './proof-section.ts';
import {benchSnapshots} from './snapshots.ts';
import {benchHandoff, benchStartup} from './startup.ts';

const benches: Record<string, (quick: boolean) => unknown> = {
  bytes: (quick) => benchBytePath(quick ? {rounds: 3, megabytes: 16, keys: 100} : {}),
  startup: (quick) => benchStartup(quick ? 7 : 25),
  handoff: (quick) => benchHandoff(quick ? 8 : 30),
  hooks: () => benchHookRelay(),
  ckpt: (quick) => benchCkptCommands(quick ? {rounds: 7} : {}),
  'ckpt-1k': (quick) => benchCkptCommands({many: 1000, ...(quick ? {rounds: 7} : {})}),
  'snapshots-1k': () => benchSnapshots({files: 1000, largeFiles: 0}),
  snapshots: (quick) => benchSnapshots(quick ? {files: 10_000, largeFiles: 0, rounds: 5} : {}),
  memory: (quick) => benchMemory(quick ? 1 : 8),
  'log-tail': (quick) => benchLogTail(quick ? 200 : 1000),
};

const [first, contestant = '', ...rest] = process.argv.slice(2);
if (first === '--play') play(contestant, rest);
else {
  const words = process.argv.slice(2);
  const quick = words.includes('--quick');
  const asked = words.filter((word) => !word.startsWith('--'));
  const unknown = asked.filter((name) => !(name in benches));
  if (unknown.length > 0) {
    process.stderr.write(`bench: there is no ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}\n`);
    process.exit(64);
  }
  needPrograms({script: 'bsdutils', tmux: 'tmux', asciinema: 'asciinema'});
  const root = packageRoot();
  const results = join(root, 'tests/bench/results');
  mkdirSync(results, {recursive: true});
  for (const name of asked.length === 0 ? Object.keys(benches) : asked) {
    const figures = {quick, machine: machineFacts(), ...((await benches[name]?.(quick)) as object)};
    process.stdout.write(`${name}: ${JSON.stringify(figures, undefined, 2)}\n`);
    writeFileSync(join(results, `bench-${name}.json`), `${JSON.stringify(figures, undefined, 2)}\n`);
  }
  const figures = readFigures(results);
  writeFileSync(join(results, 'bench.svg'), plotOf(figures));
  const readme = join(root, 'README.md');
  writeFileSync(readme, inReadme(readFileSync(readme, 'utf8'), proofSection(figures)));
}
