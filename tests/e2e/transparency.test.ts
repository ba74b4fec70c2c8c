// Bare and wrapped must look the same: every cell, its colours and attributes, the cursor and the modes.
//
//     outer pty + headless screen ── vim                            (bare)
//     outer pty + headless screen ── stage ── inner pty ── vim      (wrapped)

import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {buildDriver, type Driver} from '../support/driver.ts';
import {type Outer, openOuter} from '../support/outer-terminal.ts';

let wrapper: Driver;
let colours: Driver;
beforeAll(async () => {
  for (const [program, debian] of [
    ['vim', 'vim'],
    ['less', 'less'],
    ['perl', 'perl-base'],
    ['stty', 'coreutils'],
  ]) {
    try {
      execFileSync('sh', ['-c', `command -v ${program}`]);
    } catch {
      throw new Error(`This test needs ${program}. On Debian: apt-get install ${debian}`);
    }
  }
  wrapper = await buildDriver('stage-driver');
  colours = await buildDriver('colour-test');
  const folder = join(wrapper.folder, 'files');
  mkdirSync(folder);
  const code = Array.from(
    {length: 200},
    (_, i) => `int f${i}(char *s) { return ${i} + strlen("é日本 ${i}"); } // line ${i}`,
  );
  writeFileSync(join(folder, 'code.c'), `${code.join('\n')}\n`);
  const page = Array.from(
    {length: 300},
    (_, i) => `\x1b[${30 + (i % 8)};${i % 2}mline ${i}\x1b[0m \x1b[4mlink\x1b[24m ⠋ ${'long '.repeat(i % 30)}`,
  );
  writeFileSync(join(folder, 'page'), `${page.join('\n')}\n`);
});
afterAll(async () => {
  await wrapper.remove();
  await colours.remove();
});

interface Act {
  name: string;
  words: () => string[];
  /** What to type, and what then shows that it was understood. */
  steps: [type: string, shows: RegExp][];
  quit: string;
}

const acts: Act[] = [
  {
    name: 'vim',
    words: () => ['vim', '-u', 'NONE', '-i', 'NONE', '-n', '-N', '--cmd', 'syntax on', 'code.c'],
    steps: [
      ['', /f3/],
      [':set number hlsearch ruler\r', / 1 int/],
      ['/strlen\r', /1,\d+/],
      ['Go\x1b[200~pasted é\x1b[201~\x1b', /pasted é/],
      [':vsplit\r', /code\.c/],
    ],
    quit: ':qa!\r',
  },
  {
    name: 'less',
    words: () => ['less', '-R', 'page'],
    steps: [
      ['', /line 3/],
      [' ', /^(?!line 0 )/],
      ['/line 77\r', /line 77/],
      ['G', /line 299/],
    ],
    quit: 'q',
  },
  {
    name: 'a full-screen colour test',
    words: () => [process.execPath, colours.path],
    steps: [['', /ready/]],
    quit: 'q',
  },
];
const sizes: [cols: number, rows: number][] = [
  [80, 24],
  [132, 43],
  [51, 17],
];

const open = (words: string[], [cols, rows]: [number, number]): Outer =>
  openOuter(words, {cwd: join(wrapper.folder, 'files'), cols, rows});

/** The same until it has stopped changing: programs draw in several steps. */
const settled = async (outer: Outer, shows: RegExp): Promise<string[]> => {
  let before: string[] = [];
  let same = 0;
  await expect
    .poll(
      () => {
        const now = outer.cells();
        same = now.join('\n') === before.join('\n') ? same + 1 : 0;
        before = now;
        return same > 3 && shows.test(outer.text());
      },
      {timeout: 20_000, interval: 40, message: `${shows} on\n${outer.text()}`},
    )
    .toBe(true);
  return before;
};

describe.each(acts)('$name looks the same bare and wrapped', ({words, steps, quit}) => {
  test.each(sizes)('at %i×%i, and after a resize', async (...size) => {
    await using bare = open(words(), size);
    await using wrapped = open([process.execPath, wrapper.path, ...words()], size);
    const compare = async (shows: RegExp): Promise<void> => {
      const [want, got] = await Promise.all([settled(bare, shows), settled(wrapped, shows)]);
      expect(got).toEqual(want);
      expect(wrapped.modes()).toEqual(bare.modes());
    };
    for (const [type, shows] of steps) {
      bare.type(type);
      wrapped.type(type);
      await compare(shows);
    }
    for (const outer of [bare, wrapped]) outer.resize(100, 30);
    await compare(/\S/);
    for (const outer of [bare, wrapped]) outer.type(quit);
    expect(await wrapped.exit).toEqual(await bare.exit);
    expect(wrapped.cells()).toEqual(bare.cells());
    expect(wrapped.modes()).toEqual(bare.modes());
  });
});
