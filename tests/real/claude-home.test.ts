// The person's home is theirs: after a supervised run it holds what a bare run leaves there, and nothing of ours but the
// list of runs in the XDG state folder. Their settings are the same to the byte.

import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {amnesiac} from './model/amnesiac.ts';
import {goalOf} from './model/job.ts';
import {openSupervised, type Supervised} from './supervised.ts';

const goal = goalOf({steps: 3, file: 'job.txt'});

/** Every file below the home, with what differs from run to run made alike. */
const filesOf = (ground: Supervised): Set<string> => {
  const names = readdirSync(ground.home, {recursive: true, encoding: 'utf8'});
  const isOurs = (name: string): boolean => name.startsWith('.local/state/ckpt-run/runs/');
  const files = names.filter((name) => !isOurs(name) && statSync(join(ground.home, name)).isFile());
  return new Set(files.map((name) => alike(name, ground)));
};

const alike = (text: string, ground: Supervised): string =>
  text
    .replaceAll(ground.project.replace(/[^A-Za-z0-9]/g, '-'), '<project>')
    .replaceAll(ground.project, '<project>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\d{8,}/g, '<time>')
    .replace(/sessions\/\d+/g, 'sessions/<pid>')
    .replace(/<time>-\w{6}\.sh/g, '<time>-<random>.sh')
    .replace(/[0-9a-f]{12,}/g, '<hash>');

/** The names of all that `.claude.json` holds. */
const keysOf = (ground: Supervised): Set<string> => {
  const keys = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      const name = `${path}/${alike(key, ground)}`;
      keys.add(name);
      walk(inner, name);
    }
  };
  walk(JSON.parse(readFileSync(join(ground.home, '.claude/.claude.json'), 'utf8')), '');
  return keys;
};

const settings = (ground: Supervised): string => readFileSync(join(ground.home, '.claude/settings.json'), 'utf8');

describe.each([
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
] as [string, Cli][])('Claude Code %s', (_, cli) => {
  const open = () => openSupervised({cli, scenario: amnesiac()});

  test('a supervised run leaves in the home what a bare one leaves', async () => {
    await using bare = await open();
    const alone = bare.start(bare.tui(goal));
    await alone.waitFor(/All 3 steps are done\./);
    await bare.quit(alone);

    await using ground = await open();
    const before = settings(ground);
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(/All 3 steps are done\./);
    await ground.quit(terminal);

    expect(settings(ground)).toBe(before);
    expect([...filesOf(ground)].filter((name) => !filesOf(bare).has(name))).toEqual([]);
    // How long hooks took is Claude's own count, kept wherever hooks run.
    const added = [...keysOf(ground)].filter((key) => !keysOf(bare).has(key));
    expect(added.filter((key) => !key.includes('/lastSessionMetrics/hook_duration_ms_'))).toEqual([]);
    expect([...filesOf(ground)].filter((name) => /ckpt/i.test(name))).toEqual([]);
  });
});
