// The screens at the start of Claude Code that ask for a person's consent: seen and on record, never answered, never typed
// into, though nobody is there. What the person answers goes through.

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {keepResult} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import {stateOf} from './terminal-modes.ts';
import {until} from './until.ts';

const job = {steps: 2, file: 'job.txt'};
const goal = goalOf(job);

interface Dialog {
  name: string;
  flags?: string[];
  /** Of the person's .claude.json. */
  without?: string[];
  shows: RegExp;
  /** The keys of a person who consents; the old version has another answer preselected than the new one. */
  yes: {new: string[]; old: string[]};
}

const [up, down, enter] = ['\x1b[A', '\x1b[B', '\r'];
const alike = (...keys: string[]) => ({new: keys, old: keys});
const dialogs: Dialog[] = [
  {
    ...{name: 'trust in the folder', without: ['projects'], shows: /Yes, I trust this folder/},
    yes: {new: [down, enter], old: [enter]},
  },
  {
    ...{name: 'the warning before bypassing permissions', flags: ['--dangerously-skip-permissions']},
    ...{shows: /Yes, I accept/, yes: alike(down, enter)},
  },
  {
    ...{name: 'a key from the environment', without: ['customApiKeyResponses']},
    ...{shows: /Do you want to use this API key\?/, yes: alike(up, enter)},
  },
  {
    ...{name: 'onboarding', without: ['hasCompletedOnboarding', 'lastOnboardingVersion']},
    ...{shows: /Choose the text style/, yes: alike()},
  },
];

const versions: [string, Cli][] = [
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
];

describe.each(versions)('Claude Code %s', (version, cli) => {
  const keep = (row: string, [expected, observed]: [object, object], since: number): void =>
    keepResult('claude', {
      ...{table: 'dialogs', version, row, expected, observed},
      seconds: Math.round((Date.now() - since) / 1000),
    });

  test.each(dialogs)('$name: seen, not answered', async (dialog) => {
    const since = Date.now();
    await using ground = await open(cli, dialog);
    const terminal = ground.start(ground.under(ground.tui(goal, ...(dialog.flags ?? [])), '--until-done'));
    await terminal.waitFor(dialog.shows);
    await until('the dialog on record', async () => (await waits(ground)) > 0);
    const before = terminal.screen();
    await new Promise((later) => setTimeout(later, 2000));
    const same = terminal.screen() === before;
    process.kill(terminal.pid, 'SIGTERM');
    const {code} = await ended(terminal);
    const observed = {
      ...{same, code, asked: ground.model.main().length, deaths: (await ground.certificates()).length},
      ...{consent: consentIn(ground, dialog), terminal: stateOf(terminal), leftovers: await ground.processes()},
    };
    const expected = {same: true, code: 143, asked: 0, deaths: 0, consent: [], terminal: 'as before', leftovers: []};
    keep(dialog.name, [expected, observed], since);
    expect(observed).toEqual(expected);
  });

  const keys = ({yes}: Dialog): string[] => yes[version === '2.1.326' ? 'new' : 'old'];
  test.each(dialogs.filter((dialog) => keys(dialog).length > 0))(
    '$name: the person’s yes goes through, and the job is done',
    async (dialog) => {
      const since = Date.now();
      await using ground = await open(cli, dialog);
      const terminal = ground.start(ground.under(ground.tui(goal, ...(dialog.flags ?? [])), '--until-done'));
      await terminal.waitFor(dialog.shows);
      await until('the dialog on record', async () => (await waits(ground)) > 0);
      for (const key of keys(dialog)) {
        terminal.type(key);
        await new Promise((later) => setTimeout(later, 400));
      }
      const {code} = await ended(terminal);
      const observed = {code, verdict: judge(ground.path(job.file), job.steps), deaths: await ground.certificates()};
      const expected = {code: 0, verdict: flawless, deaths: []};
      keep(`${dialog.name}, answered`, [expected, observed], since);
      expect(observed).toEqual(expected);
    },
  );
});

const open = async (cli: Cli, {without = []}: Dialog): Promise<Supervised> => {
  // As root the bypass needs to know that it stands in a sandbox.
  const ground = await openSupervised({cli, scenario: amnesiac(), env: {IS_SANDBOX: '1'}});
  const file = join(ground.home, '.claude/.claude.json');
  const settings = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
  writeFileSync(file, JSON.stringify(Object.fromEntries(settings.filter(([key]) => !without.includes(key)))));
  return ground;
};

const waits = async (ground: Supervised): Promise<number> =>
  (await ground.journal()).filter(({event}) => event === 'waiting-for-person').length;

/** What would have been written down of a consent. */
const consentIn = (ground: Supervised, {without = []}: Dialog): string[] => {
  const text = readFileSync(join(ground.home, '.claude/.claude.json'), 'utf8');
  const marks = ['bypassPermissionsModeAccepted": true', 'skipDangerousModePermissionPrompt'];
  if (without.includes('projects')) marks.push('hasTrustDialogAccepted": true');
  if (without.includes('hasCompletedOnboarding')) marks.push('hasCompletedOnboarding": true');
  return marks.filter((mark) => text.includes(mark));
};
