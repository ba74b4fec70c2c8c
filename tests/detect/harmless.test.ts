// The false-kill corpus: megabytes of work that talks about deaths. CKPT_LONG=1 replays 280 MB, each time others.

import {describe, expect, test} from 'vitest';
import {newLogReader as claudeReader} from '../../adapters/claude/session-log.ts';
import {newLogReader as codexReader} from '../../adapters/codex/session-log.ts';
import type {LogReader} from '../../src/adapter/adapter.ts';
import type {RunEvent, Signal} from '../../src/core/events.ts';
import {legNumber, millis} from '../../src/core/ids.ts';
import type {RunState} from '../../src/core/state.ts';
import {transition} from '../../src/core/transition.ts';
import {newQuorum} from '../../src/detect/quorum.ts';
import {builtin} from '../adapter/builtin.ts';
import {lethal} from '../adapter/read-log.ts';
import {ledger, unattended} from '../core/samples.ts';
import {type Dice, newDice} from '../soak/dice.ts';
import {keepFigures, longSeed} from '../support/keep-figures.ts';
import {byteByByte, cutAt, seededCuts} from './chunks.ts';
import {harmlessClaude, harmlessCodex, harmlessOutput} from './harmless.ts';
import {type Recording, replay} from './recording.ts';

const isLong = process.env.CKPT_LONG === '1';
const seed = longSeed();
const MB = 1e6;
const bound = isLong ? 3_600_000 : 120_000;

/** Looked at often enough that no byte goes by unseen. */
const recordingOf = (bytes: Uint8Array): Recording => {
  const every = 16 * 1024;
  const looks = Array.from({length: Math.ceil(bytes.length / every)}, (_, at) => ({
    after: Math.min(bytes.length, (at + 1) * every),
    at: at * 250,
  }));
  return {name: 'harmless', cols: 100, rows: 40, bytes, looks};
};

/** What the run would do: an agent at work, nobody there, every signal in its turn. Undefined: nothing that ends a leg. */
const deathBy = (signals: Signal[]): RunEvent | undefined => {
  const leg = legNumber(1);
  let state: RunState = {at: 'working', leg, ledger: ledger(), trouble: {is: 'none'}, held: 'no', turn: 'open'};
  for (const signal of signals) {
    const next = transition(state, signal, unattended);
    if (next.state.at !== 'working' || next.effects.some(({do: what}) => what === 'stop-agent')) return signal;
    state = next.state;
  }
  return undefined;
};

test('this judge sees a death when there is one', () => {
  const evidence = {channel: 'log' as const, detail: 'told'};
  const signal = newQuorum(legNumber(1)).take({type: 'context-full', evidence}, millis(0));
  expect(deathBy(signal === undefined ? [] : [signal])).toBe(signal);
});

describe.each(['claude', 'codex'])('output, watched with the rules of %s', (agent) => {
  const rules = builtin(agent).screen;
  const megabytes = isLong ? 70 : 2;

  const byBytes = isLong ? megabytes : 0.25;

  test(`${megabytes} MB of quotations: no death, and the same signals at random cuts and byte by byte (seed ${seed})`, {
    timeout: bound,
  }, async () => {
    const block = 2 * MB;
    let signalled = 0;
    for (let part = 0; part * block < megabytes * MB; part += 1) {
      const recording = recordingOf(harmlessOutput(seed + part, block));
      const whole = await replay(recording, rules, (bytes) => [bytes]);
      expect(deathBy(whole), `seed ${seed + part}`).toBeUndefined();
      expect(whole.filter(({proof}) => proof)).toEqual([]);
      const cut = (bytes: Uint8Array) => cutAt(bytes, seededCuts(bytes.length, {seed: part + 1, every: 700}));
      expect(await replay(recording, rules, cut), `seed ${seed + part}`).toEqual(whole);
      signalled += whole.length;
      if (part * block >= byBytes * MB) continue;
      const short = isLong ? recording : recordingOf(recording.bytes.subarray(0, byBytes * MB));
      const same = isLong ? whole : await replay(short, rules, (bytes) => [bytes]);
      expect(await replay(short, rules, byteByByte), `seed ${seed + part}`).toEqual(same);
    }
    if (isLong) keepFigures('harmless', `output-${agent}`, {megabytes, byBytes, deaths: 0, alerts: signalled, seed});
  });
});

const logs: [string, () => LogReader, (dice: Dice, n: number) => string][] = [
  ['claude', () => claudeReader(), harmlessClaude],
  ['codex', () => codexReader(), harmlessCodex],
];

test.each(logs)(
  'a session log of %s that quotes everything: no death',
  {timeout: bound},
  (agent, newReader, lineOf) => {
    const megabytes = isLong ? 70 : 3;
    const dice = newDice(seed);
    const reader = newReader();
    const quorum = newQuorum(legNumber(1));
    const signals: Signal[] = [];
    for (let bytes = 0, n = 1; bytes < megabytes * MB; n += 1) {
      const line = lineOf(dice, n);
      bytes += line.length;
      const sightings = reader.feed(line);
      expect(lethal(sightings.map(({type}) => type)), line.slice(0, 300)).toEqual([]);
      for (const sighting of sightings) {
        const signal = quorum.take(sighting, millis(n * 1000));
        if (signal) signals.push(signal);
      }
    }
    expect(deathBy(signals)).toBeUndefined();
    if (isLong) keepFigures('harmless', `log-${agent}`, {megabytes, deaths: 0, signals: signals.length, seed});
  },
);
