// Our hooks come beside the person's, whichever way those come and whatever switches them; the person's own settings mean
// what they mean bare. Every row is walked bare as well, and compared.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {keepResult} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {openSupervised, type Supervised} from './supervised.ts';

const job = {steps: 2, file: 'job.txt'};
const goal = goalOf(job);

/** A hook of the person's at the end of each turn: it leaves its name. */
const stop = (name: string) => ({hooks: {Stop: [{hooks: [{type: 'command', command: `echo ${name} >> told.txt`}]}]}});
const inline = (settings: object) => ['--settings', JSON.stringify(settings)];

interface Row {
  name: string;
  user?: object;
  project?: object;
  /** Below the project, as JSON. */
  files?: Record<string, object>;
  flags?: string[];
  /** Which of the person's hooks run. */
  told: string[];
  /** Our own are heard. */
  heard: boolean;
  code?: number;
}

const plugin = {'extra/.claude-plugin/plugin.json': {name: 'extra'}, 'extra/hooks/hooks.json': stop('plugin')};
const off = {disableAllHooks: true};
const rows: Row[] = [
  {
    ...{name: 'user, project, --settings and --plugin-dir', user: stop('user'), project: stop('project')},
    ...{files: plugin, flags: [...inline(stop('flag')), '--plugin-dir', 'extra']},
    ...{told: ['flag', 'plugin', 'project', 'user'], heard: true},
  },
  {
    ...{name: '--settings as a file', files: {'mine.json': stop('file')}, flags: ['--settings', 'mine.json']},
    ...{told: ['file'], heard: true},
  },
  {
    ...{name: 'two --settings: the last wins', flags: [...inline(stop('first')), ...inline(stop('last'))]},
    ...{told: ['last'], heard: true},
  },
  {name: 'disableAllHooks of the user', user: {...stop('user'), ...off}, told: [], heard: false},
  {name: 'disableAllHooks of the project', project: {...stop('project'), ...off}, told: [], heard: false},
  {
    ...{name: 'disableAllHooks, and taken back by --settings', user: {...stop('user'), ...off}},
    ...{flags: inline({disableAllHooks: false}), told: ['user'], heard: true},
  },
  {
    ...{name: '--setting-sources ""', user: stop('user'), flags: ['--setting-sources', '', '--allowedTools=Bash']},
    ...{told: [], heard: true},
  },
  {
    ...{name: 'an event that nobody knows', flags: inline({hooks: {...stop('flag').hooks, NoSuchEvent: []}})},
    ...{told: ['flag'], heard: true},
  },
  {name: 'settings that are no JSON', flags: ['--settings', '{bad'], told: [], heard: false, code: 1},
  {name: 'a settings file that is not there', flags: ['--settings', 'gone.json'], told: [], heard: false, code: 1},
];

const versions: [string, Cli][] = [
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
];

describe.each(versions)('Claude Code %s', (version, cli) => {
  test.each(rows)('$name', async (row) => {
    const since = Date.now();
    const open = () => openSupervised({cli, scenario: amnesiac()});
    const bare = await walk(await open(), row, (_, argv) => argv);
    const observed = await walk(await open(), row, (ground, argv) => ground.under(argv));
    const {told, code = 0} = row;
    const expected = {...bare, code, told, heard: row.heard, exact: code === 0};
    const seconds = Math.round((Date.now() - since) / 1000);
    keepResult('claude', {table: 'hooks', version, row: row.name, expected, observed, seconds});
    expect(bare).toMatchObject({code, told, heard: false});
    expect(observed).toEqual(expected);
  });
});

const walk = async (
  opened: Supervised,
  {user, project, files, flags = []}: Row,
  line: (ground: Supervised, argv: string[]) => string[],
): Promise<Record<string, unknown>> => {
  await using ground = opened;
  const write = (path: string, value: object): void => {
    mkdirSync(join(path, '..'), {recursive: true});
    writeFileSync(path, JSON.stringify(value));
  };
  const allowed = {permissions: {allow: ['Bash'], defaultMode: 'default'}};
  write(join(ground.home, '.claude/settings.json'), {...allowed, ...user});
  if (project) write(ground.path('.claude/settings.json'), project);
  for (const [name, value] of Object.entries(files ?? {})) write(ground.path(name), value);
  const {code, stdout, stderr} = await ground.pipe(line(ground, ground.headless(goal, ...flags))).exit;
  const own = stderr.replace(/^ckpt-run: .*\n/gm, '').replaceAll(ground.project, '<project>');
  return {
    ...{code, stdout, stderr: own, told: toldIn(ground), heard: await isHeard(ground)},
    exact: JSON.stringify(judge(ground.path(job.file), job.steps)) === JSON.stringify(flawless),
  };
};

const toldIn = (ground: Supervised): string[] => {
  try {
    return readFileSync(ground.path('told.txt'), 'utf8').trim().split('\n').sort();
  } catch {
    return [];
  }
};

/** Was the start of the conversation told by a hook of ours? */
const isHeard = async (ground: Supervised): Promise<boolean> =>
  (await ground.journal()).some(({evidence}) => JSON.stringify(evidence ?? '').includes('SessionStart('));
