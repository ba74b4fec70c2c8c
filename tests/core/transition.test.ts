// Every cell of the table: one row per state, event and context that matters (tests/core/cells/*.ts).

import {describe, expect, test} from 'vitest';
import {eventTypes, timerNames} from '../../src/core/events.ts';
import {captureNumber, legNumber} from '../../src/core/ids.ts';
import {stateNames} from '../../src/core/state.ts';
import {beginRun, transition} from '../../src/core/transition.ts';
import type {Row} from './cells/row.ts';
import {table} from './cells/table.ts';
import {attended, ledger, newBaton, T} from './samples.ts';

const rows = Object.values(table).flat();

describe.each(stateNames)('%s', (name) => {
  test.each(table[name])('$name', ({state, event, policy = attended, to = state, does = []}) => {
    expect(transition(state, event, policy)).toStrictEqual({state: to, effects: does});
  });
});

describe('the table is whole', () => {
  const cell = ({state, event}: Row) => `${state.at} × ${event.type}`;

  test('every state × event has a row: a new one cannot be added silently', () => {
    const wanted = stateNames.flatMap((state) => eventTypes.map((event) => `${state} × ${event}`));
    const written = new Set(rows.map(cell));
    expect(wanted.filter((pair) => !written.has(pair))).toEqual([]);
    expect(written.size).toBe(wanted.length);
  });

  test('every state × timer has a row', () => {
    const wanted = stateNames.flatMap((state) => timerNames.map((timer) => `${state} × ${timer}`));
    const written = new Set(
      rows.flatMap(({state, event}) => (event.type === 'timer-fired' ? [`${state.at} × ${event.name}`] : [])),
    );
    expect(wanted.filter((pair) => !written.has(pair))).toEqual([]);
  });

  test('every row stands in the table of its state, under a name of its own', () => {
    for (const name of stateNames) {
      expect(table[name].filter(({state}) => state.at !== name)).toEqual([]);
      const names = table[name].map((row) => row.name);
      expect(names.filter((one, n) => names.indexOf(one) !== n)).toEqual([]);
    }
  });

  test('no cell answers news of another leg', () => {
    for (const {state, event, policy = attended} of rows) {
      if (!('leg' in event)) continue;
      const stale = {...event, leg: legNumber(9)};
      expect(transition(state, stale, policy)).toStrictEqual({state, effects: []});
    }
  });
});

test('a run begins with leg 1, its time limit, and the baton that it continues', () => {
  const empty = ledger({
    startedAt: T,
    checkpoint: newBaton,
    captures: captureNumber(0),
    reported: captureNumber(0),
    uptake: 'awaited',
    given: newBaton,
    taken: undefined,
  });
  expect(beginRun(T, newBaton, attended)).toStrictEqual({
    state: {at: 'starting', leg: 1, ledger: empty},
    effects: [
      {do: 'set-timer', name: 'time-over', until: 1_097_000},
      {do: 'spawn-leg', leg: 1, baton: newBaton},
    ],
  });
});
