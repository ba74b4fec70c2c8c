import {describe, expect, test} from 'vitest';
import type {Sighting} from '../../src/adapter/adapter.ts';
import type {Channel} from '../../src/core/events.ts';
import {legNumber, type Millis, millis} from '../../src/core/ids.ts';
import {newQuorum} from '../../src/detect/quorum.ts';

const leg = legNumber(2);
const by = (channel: Channel, detail: string) => ({evidence: {channel, detail}});
const hook = (detail: string) => by('hook', detail);
const log = (detail: string) => by('log', detail);
const screen = by('screen', 'screen shows it');

const busy = (from: {evidence: Sighting['evidence']}): Sighting => ({type: 'busy', ...from});
const idle = (from: {evidence: Sighting['evidence']}): Sighting => ({type: 'idle', ...from});
const waiting: Sighting = {type: 'waiting-for-person', what: 'permission', ...hook('PermissionRequest')};
const started = (from: {evidence: Sighting['evidence']}, held: boolean): Sighting => ({
  type: 'compaction-started',
  trigger: 'auto',
  held,
  ...from,
});
const done = (from: {evidence: Sighting['evidence']}): Sighting => ({
  type: 'compaction-done',
  trigger: 'auto',
  ...from,
});
const limit = (from: {evidence: Sighting['evidence']}, resetsAt?: Millis): Sighting => ({
  type: 'limit',
  resetsAt,
  ...from,
});

/** `busy!` is proof, `busy?` an alert. */
const told = (sightings: Sighting[]): string[] => {
  const quorum = newQuorum(leg);
  return sightings.flatMap((sighting, n) => {
    const signal = quorum.take(sighting, millis(n));
    return signal ? [`${signal.type}${signal.proof ? '!' : '?'}`] : [];
  });
};

describe('which sightings are news', () => {
  const rows: [title: string, sightings: Sighting[], signals: string[]][] = [
    [
      'each structured channel is proof',
      [busy(hook('a')), idle(log('b')), busy(by('process', 'c')), idle(by('exit', 'd'))],
      ['busy!', 'idle!', 'busy!', 'idle!'],
    ],
    ['the screen alone is an alert', [busy(screen), limit(screen)], ['busy?', 'limit?']],
    ['a state is told once', [busy(hook('UserPromptSubmit')), busy(log('task_started')), busy(screen)], ['busy!']],
    ['an alert becomes proof', [idle(screen), idle(hook('Stop')), idle(log('task_complete'))], ['idle?', 'idle!']],
    [
      'ready is told once, and again as proof',
      [
        {type: 'ready', ...screen},
        {type: 'ready', ...screen},
        {type: 'ready', ...hook('SessionStart(startup)')},
        {type: 'ready', ...hook('SessionStart(clear)')},
      ],
      ['ready?', 'ready!'],
    ],
    [
      'hook and log tell one compaction',
      [started(hook('PreCompact(auto)'), true), done(hook('PostCompact(auto)')), done(log('compact_boundary(auto)'))],
      ['compaction-started!', 'compaction-done!'],
    ],
    [
      'two compactions are two',
      [
        done(hook('PostCompact(auto)')),
        done(log('compact_boundary(auto)')),
        done(hook('PostCompact(manual)')),
        done(log('compact_boundary(manual)')),
      ],
      ['compaction-done!', 'compaction-done!'],
    ],
    [
      'a lost hook costs nothing',
      [
        limit(log('api error(x)')),
        limit(log('api error(x)')),
        limit(hook('StopFailure(x)')),
        limit(log('api error(x)')),
      ],
      ['limit!', 'limit!', 'limit!'],
    ],
    [
      'every held hook is told',
      [started(hook('PreCompact(auto)'), true), started(hook('PreCompact(auto)'), true)],
      ['compaction-started!', 'compaction-started!'],
    ],
    [
      'a screen that shows what a hook told is no news',
      [started(hook('PreCompact(auto)'), true), started(screen, false), done(hook('PostCompact(auto)')), done(screen)],
      ['compaction-started!', 'compaction-done!'],
    ],
    [
      'the reset time is news',
      [limit(hook('StopFailure(x)')), limit(log('api error(x)'), millis(99)), limit(log('other'), millis(99))],
      ['limit!', 'limit!'],
    ],
    [
      'no idle behind a failure until the next turn',
      [
        busy(hook('p')),
        limit(hook('StopFailure(x)')),
        idle(screen),
        idle(log('turn_duration')),
        busy(hook('p')),
        idle(hook('Stop')),
      ],
      ['busy!', 'limit!', 'busy!', 'idle!'],
    ],
    [
      'a failure on the screen does not hide the idle',
      [busy(hook('p')), limit(screen), idle(hook('Stop'))],
      ['busy!', 'limit?', 'idle!'],
    ],
    [
      'a title that looks idle while permission is asked for',
      [waiting, idle(screen), busy(screen), idle(screen)],
      ['waiting-for-person!', 'busy?', 'idle?'],
    ],
    [
      'an alert is told once in a turn',
      [limit(screen), limit(screen), busy(hook('p')), limit(screen)],
      ['limit?', 'busy!', 'limit?'],
    ],
  ];
  test.each(rows)('%s', (_, sightings, signals) => {
    expect(told(sightings)).toEqual(signals);
  });
});

test('a signal carries leg, time and all the evidence behind it', () => {
  const quorum = newQuorum(leg);
  quorum.take(limit(screen), millis(1));
  expect(quorum.take(limit(log('api error(x)'), millis(99)), millis(2))).toEqual({
    type: 'limit',
    at: 2,
    leg: 2,
    resetsAt: 99,
    proof: true,
    evidence: [
      {channel: 'screen', detail: 'screen shows it'},
      {channel: 'log', detail: 'api error(x)'},
    ],
  });
});

test('a menu that a failed turn puts up, and its end, tell of no turn that went well', () => {
  const quorum = newQuorum(legNumber(1));
  const at = millis(1000);
  const hook = {channel: 'hook' as const, detail: 'StopFailure(error=rate_limit)'};
  const record = (status: string) => ({channel: 'process' as const, detail: `session state(${status})`});
  quorum.take({type: 'busy', evidence: {channel: 'hook', detail: 'UserPromptSubmit'}}, at);
  quorum.take({type: 'limit', resetsAt: undefined, evidence: hook}, at);
  expect(quorum.take({type: 'waiting-for-person', what: 'a menu', evidence: record('waiting')}, at)).toBeDefined();
  expect(quorum.take({type: 'idle', evidence: record('idle')}, at)).toBeUndefined();
  expect(quorum.take({type: 'busy', evidence: record('busy')}, at)).toMatchObject({type: 'busy', proof: true});
});
