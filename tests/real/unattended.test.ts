// Nobody is there, with the real CLIs: a burst of overloads is ridden out, a usage limit of 20 s is waited out, a
// permission prompt is told to somebody and touched by nobody, and a spinner that turns through a hang does not hide it.

import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, codex} from './clis.ts';
import {amnesiac} from './model/amnesiac.ts';
import {failuresOf, hangs} from './model/failures.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {type Failure, type Scenario, withFaults} from './model/reply.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const job = {steps: 4, file: 'job.txt'};
const LONG = 400_000;

/** Two steps go well; from the third request on everything fails for so long. */
const failingFor = (ms: number, reply: (until: number) => Failure): Scenario => {
  const worker = amnesiac();
  let end: number | undefined;
  return {
    ...worker,
    main: (request) => {
      if (request.main < 3) return worker.main(request);
      end ??= request.at + ms;
      return request.at < end ? reply(end) : worker.main(request);
    },
  };
};

const legs = async (ground: Supervised): Promise<number> =>
  (await ground.journal()).filter(({event}) => event === 'leg-spawned').length;

describe.each([
  ['Claude Code 2.1.326', claudeNew()],
  ['Codex 0.169.0', codex()],
] as [string, Cli][])('%s', (_, cli) => {
  const failures = failuresOf(cli.word);

  test(
    'a burst of overloads (529, 503) is ridden out in the same leg',
    async () => {
      await using ground = await openSupervised({cli, scenario: failingFor(20_000, () => failures.overloaded)});
      writeFileSync(ground.path('ckpt.yaml'), 'policy: {overload: {firstSeconds: 6, maxMinutes: 0.2}}\n');
      const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
      expect(await ended(terminal, LONG)).toEqual({code: 0, signal: undefined});
      expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
      expect([await ground.certificates(), await legs(ground)]).toEqual([[], 1]);
    },
    LONG,
  );

  test(
    'a usage limit of 20 s is waited out, and nobody asks before it is over',
    async () => {
      const scenario = failingFor(20_000, (end) => failures.usageLimit(Math.ceil(end / 1000)));
      await using ground = await openSupervised({cli, scenario, account: 'subscription'});
      writeFileSync(ground.path('ckpt.yaml'), 'policy: {limit: {marginSeconds: 2}, nudgeSeconds: 10}\n');
      const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
      expect(await ended(terminal, LONG)).toEqual({code: 0, signal: undefined});
      expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
      expect([await ground.certificates(), await legs(ground)]).toEqual([[], 1]);
      const journal = await ground.journal();
      const told = journal.find(({event, proof}) => event === 'limit' && proof === true);
      const over = journal.find(({event, name}) => event === 'timer-fired' && name === 'wait-over');
      expect(told?.state).toBe('waiting');
      if (over !== undefined)
        expect(Date.parse(String(over.at)) - Date.parse(String(told?.at))).toBeGreaterThan(15_000);
    },
    LONG,
  );

  test(
    'a permission prompt: somebody is notified, nobody touches it',
    async () => {
      const command = 'rm -rf ./scratch';
      const scenario: Scenario = {
        main: ({turns}) =>
          turns.some(({is}) => is === 'result') ? {is: 'text', text: 'It is gone.'} : {is: 'call', command},
      };
      const config = 'notify: {terminal: off, commands: ["cat >> told.jsonl"]}\n';
      await using ground = await openSupervised({cli, scenario, config});
      if (cli.word === 'claude') {
        const settings = {permissions: {allow: [], defaultMode: 'default'}};
        writeFileSync(join(ground.home, '.claude', 'settings.json'), JSON.stringify(settings));
      }
      const flags = cli.word === 'codex' ? ['-a', 'on-request'] : [];
      const terminal = ground.start(ground.under(ground.tui('clean up', ...flags), '--until-done'));
      const question = /Do you want to proceed\?|Would you like to run the following command\?/;
      await terminal.waitFor(question);
      await until('the notification', () => notes(ground).some(({event}) => event === 'waiting-for-person'));
      await new Promise((later) => setTimeout(later, 3000));
      expect(terminal.screen()).toMatch(question);
      expect(ground.model.main()).toHaveLength(1);
      expect(await ground.certificates()).toEqual([]);
      process.kill(terminal.pid, 'SIGTERM');
      expect(await ended(terminal)).toEqual({code: 143, signal: undefined});
      expect(await ground.processes()).toEqual([]);
    },
    LONG,
  );

  test(
    'a spinner that turns through a hang does not hide it',
    async () => {
      const scenario = withFaults(amnesiac(), [{from: 3, times: 1, reply: hangs.beforeHeaders}]);
      await using ground = await openSupervised({cli, scenario});
      writeFileSync(ground.path('ckpt.yaml'), 'policy: {hang: {thinkingMinutes: 0.15, toolMinutes: 2}}\n');
      const terminal = ground.start(ground.under(ground.tui(goalOf(job)), '--until-done'));
      expect(await ended(terminal, LONG)).toEqual({code: 0, signal: undefined});
      expect(judge(ground.path(job.file), job.steps)).toEqual(flawless);
      const [death] = await ground.certificates();
      expect(death).toMatchObject({leg: 1, cause: 'hang'});
      // It was drawing to the last: in each of the five seconds before we ended it.
      expect(drawnSeconds(ground, 1).slice(-5)).toEqual([true, true, true, true, true]);
    },
    LONG,
  );
});

const notes = (ground: Supervised): Record<string, unknown>[] => {
  const file = ground.path('told.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
};

/** Second by second until the leg's death was seen: was something printed in it? */
const drawnSeconds = (ground: Supervised, leg: number): boolean[] => {
  const runs = ground.path('runtime/checkpoints/runs');
  const [run = ''] = readdirSync(runs);
  const folder = join(runs, run, `leg-00${leg}`);
  const [head = '{}', ...lines] = readFileSync(join(folder, 'terminal.cast'), 'utf8').trimEnd().split('\n');
  const {timestamp} = JSON.parse(head) as {timestamp: number};
  const {at} = JSON.parse(readFileSync(join(folder, 'certificate.json'), 'utf8')) as {at: string};
  const last = Math.floor(Date.parse(at) / 1000 - timestamp);
  const drawn = new Set(lines.map((line) => Math.floor((JSON.parse(line) as [number])[0])));
  return Array.from({length: last}, (_, second) => drawn.has(second));
};
