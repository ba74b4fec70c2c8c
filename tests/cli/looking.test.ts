import {describe, expect, it} from 'vitest';
import {eventLine} from '../../src/cli/commands/event-words.ts';
import {makeConfig} from '../../src/config/config.ts';
import {parseConfig} from '../../src/config/parse.ts';
import {eventTypes} from '../../src/core/events.ts';
import {fail, ok} from '../../src/core/failure.ts';
import type {CheckpointId} from '../../src/core/ids.ts';
import {run, sample} from '../baton/samples.ts';
import {rig} from './world-rig.ts';

const history = [
  sample({number: 1, label: 'one'}),
  sample({id: '20261118T091700000Z_two' as CheckpointId, number: 2, label: 'two', step: 'second'}),
];

describe('ckpt diff', () => {
  it.each([
    ['1', '2'],
    ['one', 'two'],
    ['1', '20261118T091700000Z_two'],
  ])('of %s and %s', async (one, other) => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt('diff', one, other)).toBe(0);
    expect(seen.out).toContain('step\n  - the parser is written\n  + second\n');
  });

  it('of a checkpoint and itself finds nothing; as JSON too', async () => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt('diff', '1', '1')).toBe(0);
    expect(seen.out).toContain('no field differs');
    const {seen: machine, ckpt: again} = rig({history});
    expect(await again('diff', '1', '2', '--json')).toBe(0);
    expect(JSON.parse(machine.out)).toMatchObject({
      from: {number: 1},
      to: {number: 2},
      changes: expect.arrayContaining([{field: 'step', before: sample().step, after: 'second'}]),
    });
  });

  it.each([
    [['1', '7'], 66, '"7"'],
    [['7', '1'], 66, '"7"'],
    [['1'], 64, 'other'],
  ])('%j ends with %i', async (args, code, said) => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt('diff', ...args)).toBe(code);
    expect(seen.err).toContain(said);
  });
});

describe('ckpt list', () => {
  it('can be cut to the newest', async () => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt('list', '--last', '1', '--json')).toBe(0);
    expect(JSON.parse(seen.out)).toHaveLength(1);
    expect(await ckpt('list', '--last', '0')).toBe(64);
  });
});

describe('ckpt current', () => {
  it('is the whole page of the newest checkpoint', async () => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt('current')).toBe(0);
    expect(seen.out).toMatch(/^# second\n/);
    expect(seen.out).toContain('## Tasks');
  });

  it('of nothing is 66', async () => {
    expect(await rig().ckpt('current')).toBe(66);
    expect(await rig({history}).ckpt('current', '--track', 'nowhere')).toBe(66);
  });
});

describe('ckpt events', () => {
  const at = Date.parse('2026-11-18T09:15:00.000Z');
  const entries = [
    {type: 'leg-spawned', at, run, leg: 1, pid: 7},
    {type: 'agent-exited', at, run, leg: 1, exit: {code: 1}, meaning: 'crashed'},
    {type: 'later-thing', at: '2026-11-18T09:16:00.000Z', run: 'r-other', mood: 'good\n\u001b[2J'},
  ];

  it('tells each in words', async () => {
    const {seen, ckpt} = rig({journal: {entries, broken: 0}});
    expect(await ckpt('events')).toBe(0);
    expect(seen.out.split('\n')).toEqual([
      `2026-11-18 09:15:00  ${run} leg 1  the agent was started, pid 7`,
      `2026-11-18 09:15:00  ${run} leg 1  the agent has ended (crashed)  exit={"code":1}`,
      '2026-11-18 09:16:00  r-other  later-thing  mood=good',
      '',
    ]);
    expect(seen.journalAsked).toEqual([30]);
  });

  it('counts torn lines and goes on', async () => {
    const {seen, ckpt} = rig({journal: {entries, broken: 2}});
    expect(await ckpt('events', '--json')).toBe(0);
    expect(seen.err).toContain('2 torn line(s)');
    expect(JSON.parse(seen.out)).toHaveLength(3);
  });

  it('of one run, of all, of the last few', async () => {
    const {seen, ckpt} = rig({journal: {entries, broken: 0}});
    expect(await ckpt('events', '--run', 'r-other')).toBe(0);
    expect(seen.out.trim().split('\n')).toHaveLength(1);
    expect(await ckpt('events', '--all')).toBe(0);
    expect(await ckpt('events', '--last', '2')).toBe(0);
    expect(seen.journalAsked).toEqual([undefined, undefined, 2]);
    expect(seen.out.trim().split('\n')).toHaveLength(1 + 3 + 2);
    expect(await ckpt('events', '--last', 'x')).toBe(64);
  });

  it('has words of its own for every event of the core, and survives anything', () => {
    for (const type of eventTypes) expect(eventLine({type, at}).split('  ')[1]).not.toBe(type);
    for (const entry of [{}, {at: Number.NaN}, {at: 'never', type: 3}, {type: '__proto__', x: null, y: [1]}]) {
      expect(eventLine(entry)).toMatch(/^- {2}/);
    }
  });
});

describe('ckpt rehydrate', () => {
  it('gives baton, drift, tasks, artifacts and the last five events', async () => {
    const journal = {entries: [{type: 'hangup', at: 0, run}], broken: 0};
    const {seen, ckpt} = rig({history, journal, env: {CKPT_RUN: run, CKPT_LEG: '3'}});
    expect(await ckpt('rehydrate')).toBe(0);
    expect(seen.journalAsked).toEqual([5]);
    for (const part of ['Next: npm test', 'leg 3', 'drift: none', '1 completed, 1 pending', 'the terminal went away']) {
      expect(seen.out).toContain(part);
    }
    expect(seen.drafts).toEqual([]);
  });

  it('as JSON, and of nothing', async () => {
    const {seen, ckpt} = rig({history});
    expect(await ckpt('rehydrate', '--json')).toBe(0);
    expect(JSON.parse(seen.out)).toMatchObject({track: 'main', text: expect.stringContaining('npm test')});
    expect(await rig().ckpt('rehydrate')).toBe(66);
  });
});

describe('ckpt config', () => {
  it('shows every value and where it came from, as a file that could be kept', async () => {
    const settings = parseConfig('policy:\n  maxLegs: 4\ntriggers: [interval]', '/repo/ckpt.yaml', 'repository');
    if (!settings.ok) throw new Error('not parsed');
    const {seen, ckpt} = rig({config: ok(makeConfig(settings.value))});
    expect(await ckpt('config')).toBe(0);
    expect(seen.out).toMatch(/maxLegs: 4 +# \/repo\/ckpt\.yaml:2 · /);
    expect(seen.out).toMatch(/intervalMinutes: 30 +# default · /);
    expect(seen.out).toContain('/home/me/.config/ckpt-run/config.yaml');
    const again = parseConfig(seen.out, 'again', 'repository');
    expect(again.ok && makeConfig(again.value).policy.maxLegs).toBe(4);
  });

  it('as JSON, and with a mistake: 78', async () => {
    const {seen, ckpt} = rig();
    expect(await ckpt('config', '--json')).toBe(0);
    expect(JSON.parse(seen.out).values['policy.maxHours']).toEqual({value: 72, from: 'default'});
    const config = fail({is: 'bad-config' as const, file: 'ckpt.yaml', line: 3, what: 'wrong', fix: 'mend it'});
    expect(await rig({config}).ckpt('config')).toBe(78);
  });
});

describe('ckpt schema, protocol and version', () => {
  it('print what others need', async () => {
    const {seen, ckpt} = rig();
    expect(await ckpt('schema')).toBe(0);
    expect(JSON.parse(seen.out)).toMatchObject({title: expect.any(String), required: expect.arrayContaining(['step'])});
    const version = rig();
    expect(await version.ckpt('--version')).toBe(0);
    expect(version.seen.out).toBe('1.2.3\n');
  });

  it('the protocol says outside a run that the track must be named', async () => {
    const outside = rig();
    await outside.ckpt('protocol', '--track', 'x');
    expect(outside.seen.out).toContain('--track "x"');
    const inside = rig({env: {CKPT_RUN: run, CKPT_TRACK: 'x'}});
    await inside.ckpt('protocol');
    expect(inside.seen.out).not.toContain('--track');
  });

  it('every command has a help text that says what it does', async () => {
    const {seen, ckpt} = rig();
    await ckpt('--help');
    const commands = [...seen.out.matchAll(/^ {2}([a-z]+) (?:\[options\] |<\w+> )*\s*(\S.*)$/gm)];
    expect(commands.length).toBeGreaterThan(15);
    for (const [, name = ''] of commands) {
      const help = rig();
      expect(await help.ckpt(name, '--help'), name).toBe(0);
      expect(help.seen.out).toContain('Usage: ckpt');
    }
    expect(seen.out).toContain('Exit codes');
  });
});
