// `ckpt config`: every setting, its value, and where that came from.

import type {Config} from '../../config/config.ts';
import {json} from './text.ts';
import {type Common, done, type Outcome, type World} from './world.ts';

export const config = async (world: World, flags: Common): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const {dir, dirFrom, configFiles, config: load} = opened.value;
  const loaded = await load();
  if (!loaded.ok) return loaded;
  const {entries} = loaded.value;
  if (flags.json) {
    const values = Object.fromEntries(entries.map(({key, value, from}) => [key, {value, from}]));
    world.out(json({checkpoint_dir: {value: dir, from: dirFrom}, files: configFiles, values}));
    return done;
  }
  world.out(
    `# checkpoints: ${dir} (${dirFrom})\n` +
      `# this repository's file: ${configFiles.repository}\n` +
      `# your own file: ${configFiles.person ?? 'none (neither XDG_CONFIG_HOME nor HOME is set)'}\n` +
      yamlText(entries),
  );
  return done;
};

/** As a file that could be kept: nested, with a comment behind each value. */
const yamlText = (entries: Config['entries']): string => {
  const open: string[] = [];
  const lines = entries.flatMap(({key, value, from, what}) => {
    const parts = key.split('.');
    const above = parts.slice(0, -1);
    const headings = above.flatMap((part, depth) => {
      if (open[depth] === part) return [];
      open.splice(depth, open.length, part);
      return [`${'  '.repeat(depth)}${part}:`];
    });
    const setting = `${'  '.repeat(above.length)}${parts.at(-1)}: ${wordsOf(value)}`;
    return [...headings, `${setting.padEnd(32)} # ${from} · ${what}`];
  });
  return lines.map((line) => `${line}\n`).join('');
};

const wordsOf = (value: unknown): string => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value));
