// The daemon that a bare Codex leaves behind owns its threads. A supervised resume of one of them is held up by Codex's own
// lock screen: seen, on record, never answered; and a supervised run has no daemon of its own.

import {expect, test} from 'vitest';
import {textAt} from '../../adapters/shared/json.ts';
import {legsOf, openCodex} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {goalOf} from './model/job.ts';
import {ended, type Supervised} from './supervised.ts';
import {until} from './until.ts';

const goal = goalOf({steps: 3, file: 'job.txt'});
const held = /This conversation is open in another app/;

const daemons = async (ground: Supervised): Promise<number> =>
  (await ground.processes()).filter(({command}) => command.includes('--managed-daemon')).length;

test.runIf(isFull)('a thread that a daemon holds: the lock is the person’s, no leg dies of it', async () => {
  await using ground = await openCodex({scenario: amnesiac({slow: {step: 2, seconds: 90, write: 'first'}})});
  // As people start it: without --no-daemon.
  const bare = ground.start(['codex', '--', goal]);
  await ground.untilAsleep(90, 120_000);
  expect(await daemons(ground)).toBeGreaterThan(0);
  bare.kill('SIGKILL');
  await bare.exit;
  const thread = textAt((await ground.logs())[0]?.[0], 'payload', 'id') ?? '';

  const terminal = ground.start(ground.under(['codex', 'resume', thread], '--until-done'));
  await terminal.waitFor(held, 60_000);
  const isWaiting = async () => (await ground.journal()).some(({event}) => event === 'waiting-for-person');
  await until('the lock on record', isWaiting);
  await new Promise((later) => setTimeout(later, 1500));
  expect(held.test(terminal.screen())).toBe(true);
  process.kill(terminal.pid, 'SIGTERM');
  expect(await ended(terminal)).toEqual({code: 143, signal: undefined});
  expect(await legsOf(ground)).toBe(1);
  expect(await ground.certificates()).toEqual([]);
});

test.runIf(isFull)('a supervised run starts no daemon', async () => {
  await using ground = await openCodex({scenario: amnesiac()});
  const terminal = ground.start(ground.under(['codex', '--', goal]));
  await terminal.waitFor(/All 3 steps are done\./);
  expect(await daemons(ground)).toBe(0);
  await ground.quit(terminal);
  expect(await ground.processes()).toEqual([]);
});
