// Every act of a script, bare. The table is typed by the acts: a new one without a row does not compile.

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Act} from '../../src/practice/acts.ts';
import {buildPractice, type Ended, openRig, type Rig} from './rig.ts';

let built: ReturnType<typeof buildPractice>;
beforeAll(() => {
  built = buildPractice();
});
afterAll(() => built.remove());

type KeyOf<T> = T extends unknown ? Exclude<keyof T, 'early' | 'ms'> : never;
type Row = {acts: Act[]; stdin?: string; shows: (ended: Ended, rig: Rig) => void};

const calm = {stepMs: 1, compactAfter: null, crashIn: null, limitAfter: null} as never as object;
const atEnd = (rig: Rig): string | undefined => rig.hookNames().at(-1);

const rows: Record<KeyOf<Act>, Row> = {
  say: {
    acts: [{say: 'Hello there.'}],
    shows: ({code, stdout}) => {
      expect(code).toBe(0);
      expect(stdout).toContain('Hello there.');
    },
  },
  call: {
    acts: [{call: 'echo made > made.txt', ms: 1}],
    shows: ({code}, rig) => {
      expect(code).toBe(0);
      expect(rig.file('made.txt')).toBe('made');
    },
  },
  think: {
    acts: [{think: 1}, {say: 'Thought.'}],
    shows: ({stdout}) => expect(stdout).toContain('Thought.'),
  },
  compact: {
    acts: [{compact: true}],
    shows: (_, rig) => expect(rig.hookNames()).toContain('PostCompact(auto)'),
  },
  crash: {
    acts: [{say: 'x'}, {crash: 'SIGABRT'}],
    shows: ({code, signal}, rig) => {
      expect([code, signal]).toEqual([null, 'SIGABRT']);
      expect(atEnd(rig)).toBe('UserPromptSubmit');
    },
  },
  limit: {
    acts: [{limit: 3600}],
    shows: ({stdout}, rig) => {
      expect(stdout).toMatch(/You've hit your 5-hour limit · resets \d+:\d\d[ap]m \(UTC\)/);
      expect(rig.hookNames()).toContain('StopFailure(rate_limit)');
    },
  },
  overload: {
    acts: [{overload: true}],
    shows: ({stdout}) => expect(stdout).toContain('API Error: 529 Overloaded'),
  },
  fail: {
    acts: [{fail: {error: 'model_not_found', status: 404, text: 'There is no such model'}}],
    shows: ({stdout}, rig) => {
      expect(stdout).toContain('There is no such model');
      expect(rig.hookNames()).toContain('StopFailure(model_not_found)');
    },
  },
  hang: {
    // Its end is tested below: nothing but a signal ends it.
    acts: [{exit: 0}, {hang: true}],
    shows: ({code}) => expect(code).toBe(0),
  },
  print: {
    acts: [{print: '\x1b[31mraw\x1b[0m'}],
    shows: ({stdout}) => expect(stdout).toContain('\x1b[31mraw\x1b[0m'),
  },
  modes: {
    acts: [{modes: '\x1b[?1000h'}],
    shows: ({stdout}) => expect(stdout).toContain('\x1b[?1000h'),
  },
  exit: {
    acts: [{exit: 7}, {say: 'never said'}],
    shows: ({code, stdout}, rig) => {
      expect(code).toBe(7);
      expect(stdout).not.toContain('never said');
      expect(atEnd(rig)).toBe('SessionEnd(other)');
    },
  },
  wait: {
    acts: [{say: 'First.'}, {wait: true}, {say: 'Second.'}],
    stdin: 'and now the rest\n',
    shows: ({stdout}, rig) => {
      expect(stdout).toMatch(/First\.[\s\S]*Second\./);
      expect(rig.hookNames().filter((name) => name === 'UserPromptSubmit')).toHaveLength(2);
    },
  },
  job: {
    acts: [{job: {...calm, steps: 3}}],
    shows: ({code, stdout}, rig) => {
      expect(code).toBe(0);
      expect(stdout).toContain('relay.txt: 3 steps, every step exactly once.');
      expect(
        rig
          .file('relay.txt')
          .split('\n')
          .map((line) => line.slice(0, 6)),
      ).toEqual(['step 1', 'step 2', 'step 3']);
    },
  },
};

describe('each act', () => {
  test.each(Object.entries(rows))('%s', async (_, {acts, stdin = '', shows}) => {
    using rig = openRig(built.program);
    shows(await rig.piped({args: ['go'], acts, stdin}), rig);
  });
});

test('a hang is ended by a signal only, and cleanly', async () => {
  using rig = openRig(built.program);
  const {child, ended} = rig.start({args: ['go'], acts: [{say: 'x'}, {hang: true}], stdin: ''});
  await expect.poll(() => rig.hookNames(), {timeout: 20_000}).toContain('UserPromptSubmit');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({code: 143});
  expect(rig.hookNames()).toEqual(['SessionStart(startup)', 'UserPromptSubmit', 'SessionEnd(other)']);
});

describe('crashes', () => {
  test('a code is left with at once: no hook, nothing tidied up', async () => {
    using rig = openRig(built.program);
    expect(await rig.piped({args: ['go'], acts: [{crash: 101}]})).toMatchObject({code: 101});
    expect(rig.hookNames()).toEqual(['SessionStart(startup)', 'UserPromptSubmit']);
  });

  test('early: before the session begins, so there is not even a hook', async () => {
    using rig = openRig(built.program);
    expect(await rig.piped({args: ['go'], acts: [{early: true, crash: 3}]})).toMatchObject({code: 3});
    expect(rig.hookNames()).toEqual([]);
  });

  test('in a call, when its work is done: the work is there, its end is not told', async () => {
    using rig = openRig(built.program);
    const acts: Act[] = [{call: 'echo once >> made.txt', crash: 'SIGKILL'}];
    expect(await rig.piped({args: ['go'], acts})).toMatchObject({signal: 'SIGKILL'});
    expect(rig.file('made.txt')).toBe('once');
    expect(rig.hookNames().at(-1)).toBe('PreToolUse');
    expect(rig.transcript().at(-1)).toContain('"tool_use"');
  });

  test('in a call, before its work is done: that goes on without it', async () => {
    using rig = openRig(built.program);
    const acts: Act[] = [
      {call: 'mkfifo pipe'},
      {call: 'read line < pipe; echo late > made.txt', ms: 100, crash: 'SIGKILL'},
    ];
    expect(await rig.piped({args: ['go'], acts})).toMatchObject({signal: 'SIGKILL'});
    expect(rig.file('made.txt')).toBe('');
    writeFileSync(join(rig.dir, 'pipe'), 'x\n');
    await expect.poll(() => rig.file('made.txt'), {timeout: 20_000}).toBe('late');
  });
});

describe('where a script comes from', () => {
  test('PRACTICE_SCRIPT in the environment; --script wins', async () => {
    using rig = openRig(built.program);
    const file = join(rig.dir, 'env.json');
    writeFileSync(file, JSON.stringify([{say: 'From the environment.'}]));
    const env = {PRACTICE_SCRIPT: file};
    expect((await rig.piped({args: ['go'], env})).stdout).toContain('From the environment.');
    const both = await rig.piped({args: ['go'], env, acts: [{say: 'From the flag.'}]});
    expect(both.stdout).toContain('From the flag.');
    expect(both.stdout).not.toContain('From the environment.');
  });

  test.each([
    ['1', 'first'],
    ['2', 'second'],
    ['9', 'second'],
  ])('one list for each leg: leg %s does the %s', async (leg, words) => {
    using rig = openRig(built.program);
    const acts = {legs: [[{say: 'first'}], [{say: 'second'}]]};
    expect((await rig.piped({args: ['-p', 'go'], acts, env: {CKPT_LEG: leg}})).stdout).toBe(`${words}\n`);
  });
});

describe('the relay, bare', () => {
  const plan = {steps: 6, stepMs: 1, crashIn: null, limitAfter: null} as never as object;

  test('a compaction without a baton loses its place: a step is done twice, and it says so', async () => {
    using rig = openRig(built.program);
    const {stdout} = await rig.piped({args: ['go'], acts: [{job: {...plan, compactAfter: 2}}]});
    expect(stdout).toContain('done more than once: steps 1, 2');
  });

  test('with the baton given back inside, it goes on where it was', async () => {
    using rig = openRig(built.program);
    const baton = 'Already done (finished, do not repeat):\n- step 2';
    const SessionStart = `grep -q '"source":"compact"' && printf '${baton}'; true`;
    const {stdout} = await rig.piped({args: ['go'], acts: [{job: {...plan, compactAfter: 2}}], hooks: {SessionStart}});
    expect(stdout).toContain('relay.txt: 6 steps, every step exactly once.');
  });

  test('what nobody knows is looked up first', async () => {
    using rig = openRig(built.program);
    writeFileSync(join(rig.dir, 'relay.txt'), 'step 1: a\nstep 2: b\n');
    const prompt = 'Go on.\nIn flight: echo "step 2: b"\n  outcome: unknown';
    const {stdout} = await rig.piped({args: [prompt], acts: [{job: {...calm, steps: 3}}]});
    expect(stdout).toContain('It is there: I go on with step 3.');
    expect(rig.file('relay.txt').split('\n')).toHaveLength(3);
  });
});
