// Every row of the facts' table of signals and exits, with the real Codex under ckpt-run: what is a death, what is the
// person's, how the terminal is left (Codex itself leaves it dirty), and that nothing is left running.

import {writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {quoted} from '../../adapters/shared/shell.ts';
import {childState} from '../../src/io/agent/child-state.ts';
import {codex} from './clis.ts';
import {cleanTerminal, jobWord, keepRow, leftovers, legsOf, openCodex, playPath} from './codex-rig.ts';
import {isFull} from './full-results.ts';
import {amnesiac} from './model/amnesiac.ts';
import {goalOf} from './model/job.ts';
import {ended, type Supervised} from './supervised.ts';
import type {OuterTerminal} from './terminal.ts';
import {until} from './until.ts';

const job = {steps: 4, file: 'job.txt'};
const goal = goalOf(job);
const slow = {slow: {step: 3, seconds: 60, write: 'last'}} as const;

const handedOn = (cause: string, exit: object) => ({deaths: [{cause, exit}], legs: 2, code: 0, job: 'exact'});
const itsEnd = (code: number, word: 'exact' | 'unfinished') => ({deaths: [], legs: 1, code, job: word});

interface SignalRow {
  signal: NodeJS.Signals;
  ci?: true;
  tui: object;
  exec: object;
}

const killed = (signal: number) => handedOn('killed', {code: 0, signal});
const both = (expected: object) => ({tui: expected, exec: expected});

const signalRows: SignalRow[] = [
  {signal: 'SIGKILL', ci: true, ...both(killed(9))},
  {signal: 'SIGTERM', ...both(killed(15))},
  {signal: 'SIGHUP', ...both(killed(1))},
  {signal: 'SIGQUIT', ...both(killed(3))},
  // exec catches this one: the turn is aborted, exit 1. A person's Ctrl-C comes to ckpt-run too and ends the run.
  {signal: 'SIGINT', tui: killed(2), exec: handedOn('crashed', {code: 1})},
];

interface KeyRow {
  name: string;
  ci?: true;
  when: 'idle' | 'in a tool';
  press(terminal: OuterTerminal): void;
  /** The run ends with it, or the agent stays at its prompt. */
  leaves: boolean;
}

const keys =
  (...all: string[]) =>
  (terminal: OuterTerminal): void => {
    for (const [at, key] of all.entries()) setTimeout(() => terminal.type(key), at * 400);
  };

const keyRows: KeyRow[] = [
  {name: 'Ctrl-C idle', when: 'idle', press: keys('\x03'), leaves: true},
  {name: 'Ctrl-D idle', when: 'idle', press: keys('\x04'), leaves: true},
  {name: '/quit', when: 'idle', press: keys('/quit', '\r'), leaves: true},
  {name: 'Ctrl-C in a tool', ci: true, when: 'in a tool', press: keys('\x03'), leaves: false},
  {name: 'Esc in a tool', when: 'in a tool', press: keys('\x1b'), leaves: false},
  {name: 'Ctrl-C twice in a tool', when: 'in a tool', press: keys('\x03', '\x03'), leaves: true},
  {name: 'Ctrl-D in a tool', ci: true, when: 'in a tool', press: keys('\x04'), leaves: true},
];

describe('Codex 0.169.0', () => {
  const rows = signalRows.filter(({ci}) => isFull || ci);

  test.each(rows)('$signal in a tool call', async ({signal, tui}) => {
    const since = Date.now();
    await using ground = await openCodex({scenario: amnesiac(slow)});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    await ground.untilAsleep(60, 60_000);
    process.kill(await ground.agentPid(1), signal);
    const {code} = await ended(terminal);
    const observed = await observe(ground, code);
    keepRow('signals', signal, [tui, observed], since);
    expect(observed).toEqual({...tui, leftovers: []});
    expect(terminal.modes()).toMatchObject(cleanTerminal);
  });

  test.each(isFull ? signalRows : [])('$signal in a tool call, exec', async ({signal, exec}) => {
    const since = Date.now();
    await using ground = await openCodex({scenario: amnesiac(slow)});
    const program = ground.pipe(ground.under(ground.headless(goal), '--until-done'));
    await ground.untilAsleep(60, 60_000);
    process.kill(await ground.agentPid(1), signal);
    const {code} = await program.exit;
    const observed = await observe(ground, code ?? undefined);
    keepRow('signals, exec', signal, [exec, observed], since);
    expect(observed).toEqual({...exec, leftovers: []});
  });

  test.each(isFull ? (['SIGTERM'] as const) : [])('%s after the agent has said done: the end', async (signal) => {
    const since = Date.now();
    await using ground = await openCodex({scenario: amnesiac()});
    const terminal = ground.start(ground.under(ground.tui(goal)));
    await terminal.waitFor(/All 4 steps are done\./);
    process.kill(await ground.agentPid(1), signal);
    const {code} = await ended(terminal);
    const observed = await observe(ground, code);
    const expected = itsEnd(143, 'exact');
    keepRow('signals', `${signal} idle`, [expected, observed], since);
    expect(observed).toEqual({...expected, leftovers: []});
    expect(terminal.modes()).toMatchObject(cleanTerminal);
  });

  test('SIGSTOP: silent, not dead; it goes on where it stood', async () => {
    const since = Date.now();
    await using ground = await openCodex({scenario: amnesiac({delayMs: 700})});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    await terminal.waitFor(() => ground.model.main().length === 2);
    const pid = await ground.agentPid(1);
    process.kill(pid, 'SIGSTOP');
    await new Promise((later) => setTimeout(later, 2000));
    expect(await ground.certificates()).toEqual([]);
    process.kill(pid, 'SIGCONT');
    process.kill(terminal.pid, 'SIGCONT');
    const {code} = await ended(terminal);
    const observed = await observe(ground, code);
    const expected = itsEnd(0, 'exact');
    keepRow('signals', 'SIGSTOP', [expected, observed], since);
    expect(observed).toEqual({...expected, leftovers: []});
  });

  test('Ctrl-Z in a turn: back in the shell, not frozen, not a hang; fg goes on where it stood', async () => {
    const since = Date.now();
    await using ground = await openCodex({scenario: amnesiac({delayMs: 1500})});
    writeFileSync(ground.path('ckpt.yaml'), 'policy: {hang: {thinkingMinutes: 0.1}}\n');
    const shell = ground.start(['bash', '--norc', '--noprofile', '-i'], {env: {...ground.env, PS1: '$? SHELL> '}});
    shell.type(`${ground.under(ground.tui(goal), '--until-done').map(quoted).join(' ')}\r`);
    await shell.waitFor(() => ground.model.main().length === 2, 60_000);
    const pid = await ground.agentPid(1);
    shell.type('\x1a');
    await shell.waitFor(/Stopped[\s\S]*148 SHELL>$/);
    expect(childState(pid)).toBe('stopped');
    expect(shell.modes()).toMatchObject({alternate: false, kitty: [], otherKeys: false});
    // Longer than the bound of a hang.
    await new Promise((later) => setTimeout(later, 9000));
    expect(await legsOf(ground)).toBe(1);
    shell.type('fg\r');
    await shell.waitFor(/\b0 SHELL>$/, 60_000);
    const observed = await observe(ground, 0);
    const expected = itsEnd(0, 'exact');
    keepRow('keys', 'Ctrl-Z and fg', [expected, observed], since);
    expect(observed).toEqual({...expected, leftovers: ['bash --norc --noprofile -i']});
    expect(shell.modes()).toMatchObject({alternate: false, kitty: [], otherKeys: false});
  });

  test.each(keyRows.filter(({ci}) => isFull || ci))('$name: the person’s business', async (row) => {
    const since = Date.now();
    await using ground = await openCodex({scenario: amnesiac(row.when === 'in a tool' ? slow : {})});
    const terminal = ground.start(ground.under(ground.tui(goal)));
    // On the screen its last words come before the end of its turn, in which Ctrl-C would only interrupt.
    if (row.when === 'idle')
      await terminal.waitFor(() => terminal.modes().states.at(-1)?.startsWith('state=done') === true);
    else await ground.untilAsleep(60, 60_000);
    const asked = Date.now();
    row.press(terminal);
    if (!row.leaves) {
      const isIdle = async () =>
        (await ground.journal()).some(({event, at}) => event === 'idle' && Date.parse(String(at)) > asked);
      await until('the interrupted turn to be seen as idle', isIdle);
      expect(await ground.certificates()).toEqual([]);
      await ground.quit(terminal);
    }
    const {code} = await ended(terminal);
    const observed = await observe(ground, code);
    const expected = itsEnd(0, row.when === 'idle' ? 'exact' : 'unfinished');
    keepRow('keys', row.name, [expected, observed], since);
    expect(observed).toEqual({...expected, leftovers: []});
    expect(terminal.modes()).toMatchObject(cleanTerminal);
  });

  test('the terminal goes away: parked; the same run goes on afterwards, and the job is exact', async () => {
    const since = Date.now();
    await using ground = await openCodex({scenario: amnesiac(slow)});
    const terminal = ground.start(ground.under(ground.tui(goal), '--until-done'));
    await ground.untilAsleep(60, 60_000);
    process.kill(terminal.pid, 'SIGHUP');
    expect(await ended(terminal)).toEqual({code: 75, signal: undefined});
    expect(await leftovers(ground)).toEqual([]);
    const again = ground.start(ground.under(['--continue-run']));
    const {code} = await ended(again);
    const observed = await observe(ground, code);
    const expected = {...itsEnd(0, 'exact'), legs: 2};
    keepRow('signals', 'SIGHUP to ckpt-run, continued', [expected, observed], since);
    expect(observed).toEqual({...expected, leftovers: []});
  });

  test('a panic, exit 101: a crash, handed on', async () => {
    const since = Date.now();
    await using ground = await openCodex({scenario: amnesiac()});
    panicOnce(ground);
    const {code} = await ground.pipe(ground.under(ground.headless(goal, '--json'), '--until-done')).exit;
    const observed = await observe(ground, code ?? undefined);
    const expected = handedOn('crashed', {code: 101});
    keepRow('signals, exec', 'panic', [expected, observed], since);
    expect(observed).toEqual({...expected, leftovers: []});
  });

  test('a session id that is not there: Codex’s own words and code, not restarted', async () => {
    await using ground = await openCodex({scenario: amnesiac()});
    const none = '01a1ed86-0000-7000-8000-000000000000';
    const terminal = ground.start(ground.under(['codex', 'resume', none], '--until-done'));
    const {code} = await ended(terminal);
    expect(terminal.screen()).toContain('No saved session found');
    expect(await observe(ground, code)).toMatchObject({...itsEnd(1, 'unfinished'), leftovers: []});
  });
});

/** After three lines the reader of the first one's stdout is gone: the next word that Codex prints is a panic. */
const panicOnce = (ground: Supervised): void => {
  const real = `'${codex().native}' "$@"`;
  const panics = `mkdir '${ground.home}/panicked' 2>/dev/null && exec ${real} > >(head -n 3)`;
  playPath(ground, `case " $* " in *" exec "*) ${panics} ;; esac\nexec ${real}`);
};

const observe = async (ground: Supervised, code: number | undefined): Promise<object> => ({
  deaths: (await ground.certificates()).map(({cause, exit}) => ({cause, exit})),
  legs: await legsOf(ground),
  code,
  job: jobWord(ground, job),
  leftovers: await leftovers(ground),
});
