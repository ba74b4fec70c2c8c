// The person's terminal, with the real Claude Code in it: Ctrl-Z and fg, the terminal that goes away, and an agent that
// dies without a word and that nobody follows, so that what it had turned on is ours to turn off.

import {describe, expect, test} from 'vitest';
import {type Cli, claudeNew, claudeOld} from './clis.ts';
import {keepResult} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {flawless, goalOf, judge} from './model/job.ts';
import {ended, openSupervised, type Supervised} from './supervised.ts';
import {stateOf} from './terminal-modes.ts';
import {until} from './until.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);
const config = 'policy: {backoff: {firstSeconds: 0.1}}';
const slow = {slow: {step: 3, seconds: 60, write: 'last'}} as const;
const left = {leftovers: [], terminal: 'as before'};

const versions: [string, Cli][] = [
  ['2.1.326', claudeNew()],
  ['2.1.197', claudeOld()],
];

describe.each(versions)('Claude Code %s', (version, cli) => {
  const keep = (table: string, row: string, [expected, observed]: [object, object], since: number): void =>
    keepResult('claude', {table, version, row, expected, observed, seconds: Math.round((Date.now() - since) / 1000)});

  // In this terminal it turns the kitty keyboard and modifyOtherKeys on as well.
  test.each([
    ['SIGKILL', 'killed', {code: 0, signal: 9}],
    ['SIGSEGV', 'crashed', {code: 0, signal: 11}],
    ['SIGABRT', 'crashed', {code: 0, signal: 6}],
  ] as const)('%s, and nobody follows: parked, the terminal as it was', async (signal, cause, exit) => {
    const since = Date.now();
    const env = {TERM_PROGRAM: 'ghostty'};
    await using ground = await openSupervised({cli, scenario: amnesiac(slow), config, env});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done', '--max-legs', '1'));
    await ground.untilAsleep(60);
    const {kitty} = terminal.modes();
    process.kill(await ground.agentPid(1), signal);
    const {code} = await ended(terminal);
    const expected = {deaths: [{cause, exit}], legs: 1, code: 75, exact: false, kittyWasOn: true, ...left};
    const observed = {
      ...(await observe(ground, code)),
      ...{kittyWasOn: kitty.length > 0, terminal: stateOf(terminal)},
    };
    keep('signals', `${signal}, nobody follows`, [expected, observed], since);
    expect(observed).toEqual(expected);
  });

  test.each([
    ['SIGTERM', 143, 1],
    ['SIGHUP', 75, 2],
  ] as const)('%s to ckpt-run: the agent ends, a checkpoint is there', async (signal, firstCode, legs) => {
    const since = Date.now();
    await using ground = await openSupervised({cli, scenario: amnesiac(slow), config});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    await ground.untilAsleep(60);
    process.kill(terminal.pid, signal);
    const {code} = await ended(terminal);
    const first = {...(await observe(ground, code)), terminal: stateOf(terminal)};
    const saved = (await ground.checkpoints()).length;
    // A hangup parks it: the same run goes on. A SIGTERM was its end.
    const again = ground.start(ground.under(['--continue-run']));
    const second = await ended(again);
    const expected = {
      first: {deaths: [], legs: 1, code: firstCode, exact: false, ...left},
      ...{saved: 1, legs, exact: legs === 2, terminal: 'as before'},
    };
    const observed = {
      ...{first, saved, legs: await legsOf(ground), exact: isExact(ground), terminal: stateOf(again)},
    };
    expect(second.code === 0).toBe(legs === 2);
    keep('signals', `${signal} to ckpt-run`, [expected, observed], since);
    expect(observed).toEqual(expected);
  });

  test.each([
    ['idle', /All 4 steps are done\./],
    ['in a turn', /step 2/],
  ] as const)('Ctrl-Z %s: the shell is back, and fg brings the agent back', async (when, seen) => {
    const since = Date.now();
    await using ground = await openSupervised({cli, scenario: amnesiac({delayMs: 1500}), config});
    const terminal = ground.start(['bash', '--norc', '--noprofile', '-i'], {env: {...ground.env, PS1: 'shell> '}});
    await terminal.waitFor(/shell>/);
    const line = ground.under(ground.tui(goal)).map((word) => `'${word}'`);
    terminal.type(`${line.join(' ')}\r`);
    await terminal.waitFor(seen);
    terminal.type('\x1a');
    await terminal.waitFor(/Stopped[\s\S]*\nshell>/);
    const suspended = stateOf(terminal);
    // Much longer than the pulse by which a frozen agent would show.
    await new Promise((later) => setTimeout(later, 4000));
    const before = ground.model.main().length;
    terminal.type('fg\r');
    await terminal.waitFor(/All 4 steps are done\./, 60_000);
    await until('the agent, at its prompt again', async () => (await ground.agents()).length === 1);
    await quit(ground, terminal);
    terminal.type('exit\r');
    const {code} = await ended(terminal);
    const expected = {
      deaths: [],
      legs: 1,
      code: 0,
      exact: true,
      suspended: bracketed,
      wentOn: when !== 'idle',
      ...left,
    };
    const observed = {
      ...(await observe(ground, code)),
      ...{suspended, wentOn: ground.model.main().length > before, terminal: stateOf(terminal)},
    };
    keep('keys', `^Z ${when}`, [expected, observed], since);
    expect(observed).toEqual(expected);
  });
});

/** The shell's own: it wants pastes told apart while it reads a line. */
const bracketed = {changed: [2004], alternate: false, kitty: [], otherKeys: false};

/** As a person does, back to the shell. */
const quit = async (ground: Supervised, terminal: {type(text: string): void}): Promise<void> => {
  let looks = 0;
  await until('the end of the agent', async () => {
    looks += 1;
    const isThere = (await ground.agents()).length > 0;
    if (isThere && looks % 8 === 1) terminal.type('\x03');
    return !isThere && !(await ground.processes()).some(({command}) => command.includes('ckpt-run.js'));
  });
};

const legsOf = async (ground: Supervised): Promise<number> =>
  (await ground.journal()).filter(({event}) => event === 'leg-spawned').length;

const isExact = (ground: Supervised): boolean =>
  JSON.stringify(judge(ground.path(job.file), job.steps)) === JSON.stringify(flawless);

const observe = async (ground: Supervised, code: number | undefined): Promise<object> => ({
  deaths: (await ground.certificates()).map(({cause, exit}) => ({cause, exit})),
  legs: await legsOf(ground),
  code,
  exact: isExact(ground),
  leftovers: (await ground.processes()).map(({command}) => command.slice(0, 60)),
});
