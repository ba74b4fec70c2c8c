// Startup dialogs and approvals are the person's: seen and on record, never answered, never typed into.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {textAt} from '../../adapters/shared/json.ts';
import {codex} from './clis.ts';
import {legsOf, openCodex, playPath, proved, typeLine} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {failuresOf} from './model/failures.ts';
import {goalOf} from './model/job.ts';
import {ended, type Supervised} from './supervised.ts';
import type {OuterTerminal} from './terminal.ts';
import {until} from './until.ts';

const goal = goalOf({steps: 3, file: 'job.txt'});

interface Dialog {
  name: string;
  ci?: true;
  prepare(config: string): string;
  shows: RegExp;
}

const dialogs: Dialog[] = [
  {
    ...{name: 'trust in the folder', ci: true, shows: /1\. Trust and continue/},
    prepare: (config) => config.replace(/\[projects[^[]*/, ''),
  },
  {
    ...{name: 'review of the person’s own hooks', ci: true, shows: /1\. Review hooks/},
    prepare: (config) => `${config}\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n`,
  },
  {
    ...{name: 'another model', shows: /1\. Try new model/},
    prepare: (config) => config.replace(/\[notice\.model_migrations\]\n.*\n/, ''),
  },
  {
    ...{name: 'login', shows: /Sign in with ChatGPT/},
    prepare: (config) => config.replace(/^model_provider.*\n/m, ''),
  },
];

describe('Codex 0.169.0', () => {
  test.each(dialogs.filter(({ci}) => isFull || ci))('$name: seen, on record, not answered', async (dialog) => {
    await using ground = await openCodex({scenario: amnesiac()});
    const file = join(ground.env.CODEX_HOME ?? '', 'config.toml');
    const config = dialog.prepare(readFileSync(file, 'utf8'));
    writeFileSync(file, config);
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    await terminal.waitFor(dialog.shows);
    await until('the dialog on record', () => isWaiting(ground));
    await new Promise((later) => setTimeout(later, 1500));
    expect(dialog.shows.test(terminal.screen())).toBe(true);
    expect(ground.model.main()).toEqual([]);
    expect(settings(file)).toBe(config);
    expect(await legsOf(ground)).toBe(1);
    process.kill(terminal.pid, 'SIGTERM');
    expect(await ended(terminal)).toEqual({code: 143, signal: undefined});
    expect(isPast(terminal)).toBe(false);
    expect(settings(file)).toBe(config);
    expect(await ground.processes()).toEqual([]);
  });

  // The native program that ckpt-run finds behind npm's launcher shows a banner; one that knows its installer asks.
  test.runIf(isFull)('the offer of an update, at a start without a prompt: seen, on record, not answered', async () => {
    await using ground = await openCodex({scenario: amnesiac()});
    const home = ground.env.CODEX_HOME ?? '';
    const [config, offered] = [join(home, 'config.toml'), join(home, 'version.json')];
    writeFileSync(config, readFileSync(config, 'utf8').replace('check_for_update_on_startup = false\n', ''));
    const offer = {latest_version: '9.9.9', last_checked_at: new Date().toISOString(), dismissed_version: null};
    writeFileSync(offered, JSON.stringify(offer));
    playPath(ground, `CODEX_MANAGED_BY_NPM=1 exec '${codex().native}' "$@"`);
    const terminal = ground.start(ground.under(['codex'], '--until-done'));
    await terminal.waitFor(/1\. Update now/);
    await until('the dialog on record', () => isWaiting(ground));
    await new Promise((later) => setTimeout(later, 1500));
    expect(terminal.screen()).toContain('1. Update now');
    expect(JSON.parse(readFileSync(offered, 'utf8'))).toEqual(offer);
    process.kill(terminal.pid, 'SIGTERM');
    expect(await ended(terminal)).toEqual({code: 143, signal: undefined});
    expect(isPast(terminal)).toBe(false);
    expect(JSON.parse(readFileSync(offered, 'utf8'))).toEqual(offer);
    expect(await legsOf(ground)).toBe(1);
    expect(await ground.processes()).toEqual([]);
  });

  test.runIf(isFull)('at a usage limit Codex offers another model: the person’s, who keeps theirs', async () => {
    let isLimited = true;
    await using ground = await openCodex({
      scenario: {
        main: ({at}) =>
          isLimited
            ? failuresOf('codex').usageLimit(Math.ceil(at / 1000) + 3600)
            : {is: 'text', text: 'It works again.'},
      },
    });
    const config = join(ground.env.CODEX_HOME ?? '', 'config.toml');
    const before = readFileSync(config, 'utf8');
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(/1\. Switch to gpt/);
    await until('the limit on record', async () => (await proved(ground, 'limit')) > 0);
    await new Promise((later) => setTimeout(later, 3000));
    expect(terminal.screen()).toContain('1. Switch to gpt');
    expect(ground.model.main()).toHaveLength(1);
    isLimited = false;
    terminal.type('2');
    await terminal.waitFor((screen) => !/1\. Switch to gpt/.test(screen));
    await typeLine(terminal, 'Try again');
    await terminal.waitFor(/It works again\./);
    expect(ground.model.main().at(-1)?.request.model).toBe('gpt-5.5');
    await ground.quit(terminal);
    // Codex itself adds what it has shown.
    expect(settings(config).startsWith(before.trimEnd())).toBe(true);
    expect(settings(config)).not.toMatch(/^model = "gpt-6|hide_rate_limit/m);
    expect(await ground.certificates()).toEqual([]);
  });

  test.runIf(isFull)('resume from another folder: Codex asks which, and that is the person’s', async () => {
    await using ground = await openCodex({scenario: amnesiac()});
    expect((await ground.pipe(ground.headless(goal)).exit).code).toBe(0);
    const thread = textAt((await ground.logs())[0]?.[0], 'payload', 'id') ?? '';
    const cwd = ground.path('elsewhere');
    mkdirSync(cwd);
    const before = ground.model.main().length;
    const terminal = ground.start(ground.under(['codex', 'resume', thread, 'Go on.'], '--until-done'), {cwd});
    await terminal.waitFor(/1\. Use session directory/);
    await until('the dialog on record', () => isWaiting(ground));
    await new Promise((later) => setTimeout(later, 1500));
    expect(terminal.screen()).toContain('1. Use session directory');
    expect(ground.model.main()).toHaveLength(before);
    process.kill(terminal.pid, 'SIGTERM');
    expect(await ended(terminal)).toEqual({code: 143, signal: undefined});
    expect(await legsOf(ground)).toBe(1);
  });

  test('an approval that waits: seen with its hook, untouched; the person’s answer goes through', async () => {
    await using ground = await openCodex({
      scenario: {
        main: ({turns}) =>
          turns.some(({is}) => is === 'result')
            ? {is: 'text', text: 'It is gone.'}
            : {is: 'call', command: 'rm -rf ./scratch'},
      },
    });
    const terminal = ground.start(ground.under(ground.tui('clean up', '-a', 'on-request'), '--until-done'));
    await terminal.waitFor(/Would you like to run the following command\?/);
    await until('the approval on record', () => isWaiting(ground, 'PermissionRequest'));
    await new Promise((later) => setTimeout(later, 1500));
    expect(terminal.screen()).toContain('Would you like to run the following command?');
    expect(ground.model.main()).toHaveLength(1);
    terminal.type('y');
    await terminal.waitFor(/It is gone\./);
    await ground.quit(terminal);
    expect(await ground.certificates()).toEqual([]);
  });
});

/** Without the one note that Codex itself makes at every first start. */
const settings = (file: string): string =>
  readFileSync(file, 'utf8').replace(/\n\[tui\]\nscreen_reader_detection_done = true\n/, '');

/** Codex tells its state as soon as its first dialog is answered; a key of ours to end it would be an answer too. */
const isPast = (terminal: OuterTerminal): boolean =>
  terminal.modes().states.some((state) => /^state=(?:idle|working)/.test(state));

const isWaiting = async (ground: Supervised, by = ''): Promise<boolean> =>
  (await ground.journal()).some(
    ({event, evidence}) => event === 'waiting-for-person' && JSON.stringify(evidence).includes(by),
  );
