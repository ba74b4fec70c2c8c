// Ctrl-Z and fg, as a person does it:
//
//     outer pty ── bash -i (job control) ── stage ── inner pty ── vim, less, …

import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {childState} from '../../../src/io/agent/child-state.ts';
import {buildDriver, type Driver} from '../../support/driver.ts';
import {type Outer, openOuter} from '../../support/outer-terminal.ts';

let driver: Driver;
let note: string;
beforeAll(async () => {
  driver = await buildDriver('stage-driver');
  note = join(driver.folder, 'note');
  const lines = Array.from({length: 100}, (_, i) => `line ${i} é`);
  writeFileSync(join(driver.folder, 'page'), `${lines.join('\n')}\n`);
  writeFileSync(join(driver.folder, 'w'), `#!/bin/sh\nexec ${process.execPath} ${driver.path} "$@"\n`, {mode: 0o755});
});
afterAll(() => driver.remove());
beforeEach(() => rmSync(note, {force: true}));

/** An interactive shell without the person's own settings. */
const openShell = (): Outer =>
  openOuter(['bash', '--norc', '--noprofile', '-i'], {
    cwd: driver.folder,
    env: {PS1: '$? SHELL> ', STAGE_NOTE: note},
  });

const shows = (outer: Outer, what: RegExp): Promise<void> =>
  expect.poll(() => outer.text(), {timeout: 20_000, interval: 30}).toMatch(what);
const agentPid = (): number => Number(/"started","pid":(\d+)/.exec(readFileSync(note, 'utf8'))?.[1]);
const started = (): Promise<void> =>
  expect.poll(() => existsSync(note) && readFileSync(note, 'utf8').includes('started'), {timeout: 20_000}).toBe(true);

interface Act {
  name: string;
  line: string;
  up: RegExp;
  suspend: string | undefined;
  /** After fg: type this, see that. */
  alive: [type: string, shows: RegExp];
  quit: string;
}

const acts: Act[] = [
  {
    name: 'vim at Ctrl-Z',
    line: './w vim -u NONE -i NONE -n -N page',
    up: /line 5 é/,
    suspend: '\x1a',
    alive: ['GAmore\x1b', /line 99 émore/],
    quit: ':q!\r',
  },
  {
    name: 'less at Ctrl-Z',
    line: './w less page',
    up: /line 5 é/,
    suspend: '\x1a',
    alive: ['G', /line 99 é/],
    quit: 'q',
  },
  {
    name: 'a plain program at Ctrl-Z',
    line: './w sh -c "echo up; exec cat"',
    up: /^up/m,
    suspend: '\x1a',
    alive: ['hello\r', /hello\s+hello/],
    quit: '\x04',
  },
  {
    name: 'a program that stops itself with SIGSTOP',
    line: "./w sh -c 'echo up; kill -STOP $$; echo on; exec cat'",
    up: /^up/m,
    suspend: undefined,
    alive: ['hello\r', /on\s+hello\s+hello/],
    quit: '\x04',
  },
  {
    name: 'a program that stops its group with SIGTSTP',
    line: "./w sh -c 'echo up; kill -TSTP 0; echo on; exec cat'",
    up: /^up/m,
    suspend: undefined,
    alive: ['hello\r', /on\s+hello\s+hello/],
    quit: '\x04',
  },
];

describe('the person is back in the shell, and fg brings the agent back', () => {
  test.each(acts)(
    '$name',
    async ({line, up, suspend, alive, quit}) => {
      await using outer = openShell();
      await shows(outer, /SHELL>/);
      outer.type('stty -g > before\r');
      outer.type(`${line}\r`);
      await shows(outer, up);
      const before = outer.modes();
      if (suspend !== undefined) outer.type(suspend);
      await shows(outer, /Stopped[\s\S]*148 SHELL>$/);
      expect(childState(agentPid())).toBe('stopped');
      outer.type('stty -g > during; cmp before during && echo settings-are-$((40 + 2)); jobs\r');
      await shows(outer, /settings-are-42\s+\[1\]\+ +Stopped/);
      expect(outer.modes().alternate).toBe(false);
      outer.type('fg\r');
      await expect.poll(() => childState(agentPid())).toBe('running');
      const [type, seen] = alive;
      outer.type(type);
      await shows(outer, seen);
      if (suspend !== undefined) expect(outer.modes()).toEqual({...before, title: outer.modes().title});
      outer.type(quit);
      await expect.poll(() => childState(agentPid())).toBe('gone');
      await shows(outer, /0 SHELL>$/);
      outer.type('stty -g > after; cmp before after && echo settings-are-$((40 + 3))\r');
      await shows(outer, /settings-are-43\s+0 SHELL>/);
    },
    60_000,
  );
});

describe('an agent that did not expect the stop', () => {
  test('gives the shell a clean terminal, and finds its modes and a reason to draw anew when it goes on', async () => {
    await using outer = openShell();
    await shows(outer, /SHELL>/);
    const dirty = '\\033[?1049h\\033[?1000h\\033[?1006h\\033[>7u\\033[?25l\\033]0;its title\\007drawn';
    const script = `trap "printf redrawn-\\$(stty size | tr \\" \\" x); " WINCH; printf "${dirty}"; while :; do sleep 0.02; done`;
    writeFileSync(join(driver.folder, 'dirty'), script);
    outer.type('./w sh dirty\r');
    await shows(outer, /drawn/);
    const before = outer.modes();
    expect(before).toMatchObject({changed: [25, 1000, 1006], alternate: true, kitty: [7], title: 'its title'});
    process.kill(agentPid(), 'SIGSTOP');
    await shows(outer, /Stopped/);
    // bash turns bracketed paste on at its own prompt.
    expect(outer.modes()).toMatchObject({changed: [2004], alternate: false, kitty: [], title: ''});
    outer.type('fg\r');
    await shows(outer, /redrawn-23x80[\s\S]*redrawn-24x80/);
    expect(outer.modes()).toEqual(before);
    process.kill(agentPid(), 'SIGKILL');
    await shows(outer, /137 SHELL>/);
    expect(outer.modes()).toMatchObject({changed: [2004], alternate: false, kitty: []});
  });
});

describe('a stop that comes from elsewhere', () => {
  test('SIGTSTP to us stops the agent and us; fg brings both back', async () => {
    await using outer = openShell();
    await shows(outer, /SHELL>/);
    outer.type("./w sh -c 'echo up; exec cat'\r");
    await shows(outer, /^up/m);
    await started();
    const wrapper = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${agentPid()}/status`, 'utf8'))?.[1]);
    process.kill(wrapper, 'SIGTSTP');
    await shows(outer, /Stopped/);
    expect(childState(agentPid())).toBe('stopped');
    outer.type('fg\r');
    await expect.poll(() => childState(agentPid())).toBe('running');
    outer.type('hello\r');
    await shows(outer, /hello\s+hello/);
    outer.type('\x04');
    await shows(outer, /hello\s+0 SHELL>$/);
  });
});

describe('where no shell could bring us back', () => {
  test('Ctrl-Z does not freeze the agent', async () => {
    // setsid: we are alone in our session, as in `xterm -e` or a container.
    const words = ['setsid', '-c', '-w', join(driver.folder, 'w'), 'sh', '-c', 'echo up; exec cat'];
    await using outer = openOuter(words, {cwd: driver.folder, env: {STAGE_NOTE: note}});
    await shows(outer, /^up/m);
    await started();
    outer.type('\x1a');
    await shows(outer, /\^Z/);
    await expect.poll(() => childState(agentPid())).toBe('running');
    outer.type('hello\r');
    await shows(outer, /hello\s+hello/);
  });
});
