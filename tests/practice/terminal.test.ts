// The practice agent on a terminal: keys, titles, and how it leaves the terminal behind.

import {afterAll, beforeAll, expect, test} from 'vitest';
import {newLogReader} from '../../adapters/claude/session-log.ts';
import {modeLedger} from '../../src/detect/mode-ledger.ts';
import {seenIn} from '../adapter/read-log.ts';
import type {OuterTerminal} from '../real/terminal.ts';
import {buildPractice, livingOf, openRig} from './rig.ts';

let built: ReturnType<typeof buildPractice>;
beforeAll(() => {
  built = buildPractice();
});
afterAll(() => built.remove());

const IDLE = /^ {2}❯ ?$/m;
const owed = (terminal: OuterTerminal): string => {
  const ledger = modeLedger();
  ledger.feed(Buffer.from(terminal.raw()));
  return ledger.resets(true);
};
const titles = (terminal: OuterTerminal): string[] =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a title is made of them
  [...terminal.raw().matchAll(/\x1b\]0;([^\x07]*)\x07/g)].map(([, title = '']) => title);

test('a typed line is a prompt; titles tell idle and busy; the end gives the terminal back', async () => {
  using rig = openRig(built.program);
  await using terminal = rig.terminal({acts: [{wait: true}, {say: 'Hello.'}, {wait: true}, {say: 'Bye.'}]});
  await terminal.waitFor(IDLE);
  terminal.type('first');
  await terminal.waitFor(/❯ first/);
  terminal.type('\x7f!\r');
  await terminal.waitFor(/Hello\./);
  terminal.type('\x1b[200~two\nlines\x1b[201~\r');
  expect(await terminal.exit).toEqual({code: 0, signal: undefined});
  expect(rig.hookCalls().flatMap(({prompt}) => prompt ?? [])).toEqual(['firs!', 'two\nlines']);
  expect(titles(terminal).slice(0, 3)).toEqual(['✳ Practice', '◐ Practice', '✳ Practice']);
  expect(owed(terminal)).toBe('');
});

test('Ctrl-C at the prompt stays; the second one leaves, with code 0', async () => {
  using rig = openRig(built.program);
  await using terminal = rig.terminal({acts: [{wait: true}]});
  await terminal.waitFor(IDLE);
  terminal.type('\x03');
  await terminal.waitFor(/Press Ctrl-C again to exit/);
  terminal.type('\x03');
  expect(await terminal.exit).toEqual({code: 0, signal: undefined});
  expect(rig.hookNames()).toEqual(['SessionStart(startup)', 'SessionEnd(prompt_input_exit)']);
  expect(owed(terminal)).toBe('');
});

test('Ctrl-D at the prompt stays; the second one leaves, with code 0', async () => {
  using rig = openRig(built.program);
  await using terminal = rig.terminal({acts: [{wait: true}]});
  await terminal.waitFor(IDLE);
  terminal.type('\x04');
  await terminal.waitFor(/Press Ctrl-D again to exit/);
  terminal.type('\x04');
  expect(await terminal.exit).toEqual({code: 0, signal: undefined});
  expect(rig.hookNames()).toEqual(['SessionStart(startup)', 'SessionEnd(prompt_input_exit)']);
});

test('Ctrl-C and then Ctrl-D are two different first ones', async () => {
  using rig = openRig(built.program);
  await using terminal = rig.terminal({acts: [{wait: true}]});
  await terminal.waitFor(IDLE);
  terminal.type('\x03\x04');
  await terminal.waitFor(/Ctrl-C again to exit[\s\S]*Ctrl-D again to exit/);
  terminal.type('/exit\r');
  expect(await terminal.exit).toEqual({code: 0, signal: undefined});
  expect(rig.hookNames().at(-1)).toBe('SessionEnd(prompt_input_exit)');
});

test.each([
  ['Ctrl-C', '\x03'],
  ['Escape', '\x1b'],
])('%s in a tool call cancels the turn: no hook, the tool is ended, the agent stays', async (_, key) => {
  using rig = openRig(built.program);
  await using terminal = rig.terminal({args: ['go'], acts: [{call: 'echo $$ > pid; sleep 1000'}]});
  await expect.poll(() => rig.file('pid'), {timeout: 20_000}).toMatch(/^\d+$/);
  terminal.type(key);
  await terminal.waitFor(/Interrupted · What should I do instead\?/);
  await terminal.waitFor(IDLE);
  expect(rig.hookNames()).toEqual(['SessionStart(startup)', 'UserPromptSubmit', 'PreToolUse']);
  await expect.poll(() => livingOf(Number(rig.file('pid'))), {timeout: 20_000}).toEqual([]);
  expect(seenIn(newLogReader(), rig.transcript())).toEqual(['idle']);
  expect(titles(terminal).at(-1)).toBe('✳ Practice');
  terminal.kill('SIGTERM');
  expect(await terminal.exit).toEqual({code: 143, signal: undefined});
  expect(owed(terminal)).toBe('');
});

test('what is typed while it works waits for its turn', async () => {
  using rig = openRig(built.program);
  const acts = [{call: 'while [ ! -e go ]; do sleep 0.05; done'}, {wait: true as const}, {say: 'Second.'}];
  await using terminal = rig.terminal({args: ['one'], acts});
  await expect.poll(() => rig.hookNames(), {timeout: 20_000}).toContain('PreToolUse');
  terminal.type('two\r');
  await rig.piped({args: ['-p', 'x'], acts: [{call: 'touch go'}], env: {HOOKS: '/dev/null'}});
  expect(await terminal.exit).toMatchObject({code: 0});
  expect(rig.hookCalls().flatMap(({prompt}) => prompt ?? [])).toEqual(['one', 'two']);
});

test('a crash leaves the terminal dirty, as in life', async () => {
  using rig = openRig(built.program);
  const modes = '\x1b[?1049h\x1b[?1000h\x1b[>5u';
  await using terminal = rig.terminal({args: ['go'], acts: [{modes}, {crash: 'SIGSEGV'}]});
  expect(await terminal.exit).toEqual({code: undefined, signal: 11});
  for (const reset of ['\x1b[?1049l', '\x1b[?1000l', '\x1b[<1u', '\x1b[?2004l', '\x1b[?1004l', '\x1b[?25h']) {
    expect(owed(terminal)).toContain(reset);
  }
});

test('a terminal that goes away ends it as a hang-up', async () => {
  using rig = openRig(built.program);
  await using terminal = rig.terminal({args: ['go'], acts: [{hang: true}]});
  await expect.poll(() => rig.hookNames(), {timeout: 20_000}).toContain('UserPromptSubmit');
  terminal.kill('SIGHUP');
  expect(await terminal.exit).toEqual({code: 129, signal: undefined});
  expect(rig.hookNames().at(-1)).toBe('SessionEnd(other)');
});
