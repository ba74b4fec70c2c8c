// `npm run bench`: measures, and prints one JSON document.

import {benchBytePath} from './byte-path.ts';
import {benchCkptCommands} from './ckpt-commands.ts';
import {play} from './contestants.ts';
import {benchHookRelay} from './hook-relay.ts';
import {benchSnapshots} from './snapshots.ts';

/** `npm run bench -- hooks` runs one of them; without a word all, one after the other. */
const benches: Record<string, () => unknown> = {
  bytes: benchBytePath,
  hooks: () => benchHookRelay(),
  ckpt: () => benchCkptCommands(),
  snapshots: () => benchSnapshots(),
};

const runBenches = async (names: string[]): Promise<object> => {
  const told: [string, unknown][] = [];
  for (const name of names) told.push([name, await benches[name]?.()]);
  return Object.fromEntries(told);
};

const [flag, contestant = '', ...words] = process.argv.slice(2);
if (flag === '--play') play(contestant, words);
else {
  const names = flag === undefined ? Object.keys(benches) : [flag];
  process.stdout.write(`${JSON.stringify(await runBenches(names), undefined, 2)}\n`);
}
