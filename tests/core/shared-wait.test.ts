// Who tries first when several runs wait for one provider, and how the others follow.

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  askTurn,
  emptyRoom,
  roomNumbers,
  type Turn,
  tellClosed,
  tellLeft,
  tellOpened,
  type WaitingRoom,
} from '../../src/core/turns/shared-wait.ts';

const {probeMs, staggerMs, longestMs, staleMs} = roomNumbers;

/** A room in which things happen one after another. */
const openRoom = (before: WaitingRoom = emptyRoom) => {
  let room = before;
  return {
    ask: (run: string, until: number, now: number): Turn => {
      const asked = askTurn(room, {run, until, now});
      room = asked.room;
      return asked.turn;
    },
    opened: (run: string, now: number): void => {
      room = tellOpened(room, {run, now});
    },
    closed: (run: string, until: number, now: number): void => {
      room = tellClosed(room, {run, until, now});
    },
    left: (run: string, now: number): void => {
      room = tellLeft(room, {run, now});
    },
    now: () => room,
  };
};

const go = {is: 'go'};
const wait = (until: number) => ({is: 'wait', until});
const DUE = 100_000;

describe('one run', () => {
  test('waits for itself, then tries', () => {
    const room = openRoom();
    expect(room.ask('a', DUE, 0)).toEqual(wait(DUE));
    expect(room.ask('a', DUE, DUE)).toEqual(go);
  });
});

describe('three runs, due at the same time', () => {
  const three = () => {
    const room = openRoom();
    for (const [at, run] of ['a', 'b', 'c'].entries()) room.ask(run, DUE, at);
    expect(room.ask('a', DUE, DUE)).toEqual(go);
    return room;
  };

  test('one tries; the others wait for what comes of it', () => {
    const room = three();
    expect(room.ask('b', DUE, DUE)).toEqual(wait(DUE + probeMs));
    expect(room.ask('c', DUE, DUE + 10)).toEqual(wait(DUE + probeMs));
  });

  test('it went well: they follow one by one, as they ask', () => {
    const room = three();
    room.opened('a', DUE + 3000);
    expect(room.ask('c', DUE, DUE + 3000)).toEqual(wait(DUE + 3000 + staggerMs));
    expect(room.ask('b', DUE, DUE + 3000)).toEqual(wait(DUE + 3000 + staggerMs));
    expect(room.ask('b', DUE, DUE + 3000 + staggerMs)).toEqual(go);
    // That the second is answered too does not begin the row anew.
    room.opened('b', DUE + 3000 + staggerMs + 1000);
    expect(room.ask('c', DUE, DUE + 3000 + staggerMs + 2000)).toEqual(wait(DUE + 3000 + 2 * staggerMs));
    expect(room.ask('c', DUE, DUE + 3000 + 2 * staggerMs)).toEqual(go);
  });

  test('it did not: the others wait as long as it was told, and one of them tries then', () => {
    const room = three();
    room.closed('a', DUE + 900_000, DUE + 3000);
    expect(room.ask('a', DUE + 900_000, DUE + 3000)).toEqual(wait(DUE + 900_000));
    for (let now = DUE + 4000; now < DUE + 900_000; now += 60_000)
      expect(room.ask('b', DUE, now)).toEqual(wait(DUE + 900_000));
    expect(room.ask('b', DUE, DUE + 900_000)).toEqual(go);
    expect(room.ask('a', DUE + 900_000, DUE + 900_000)).toEqual(wait(DUE + 900_000 + probeMs));
  });

  test('it dies at it: after a while another one tries', () => {
    const room = three();
    expect(room.ask('b', DUE, DUE + probeMs - 1)).toEqual(wait(DUE + probeMs));
    expect(room.ask('b', DUE, DUE + probeMs)).toEqual(go);
    expect(room.ask('c', DUE, DUE + probeMs)).toEqual(wait(DUE + 2 * probeMs));
  });

  test('it leaves for reasons of its own: another one tries at once', () => {
    const room = three();
    room.left('a', DUE + 1000);
    expect(room.ask('c', DUE, DUE + 1000)).toEqual(go);
  });
});

test('one that would have waited longer goes when the provider has answered another', () => {
  const room = openRoom();
  room.ask('late', 10 * DUE, 0);
  room.ask('a', DUE, 0);
  room.ask('late', 10 * DUE, DUE);
  expect(room.ask('a', DUE, DUE)).toEqual(go);
  room.opened('a', DUE + 100);
  expect(room.ask('late', 10 * DUE, DUE + 200)).toEqual(wait(DUE + 100 + staggerMs));
  expect(room.ask('late', 10 * DUE, DUE + 100 + staggerMs)).toEqual(go);
});

test('an answer from before a wait began says nothing about it', () => {
  const room = openRoom();
  room.opened('a', 1000);
  expect(room.ask('b', DUE, 2000)).toEqual(wait(DUE));
});

test('those who look late are apart too', () => {
  const room = openRoom();
  for (const run of ['b', 'c', 'd']) room.ask(run, DUE, 0);
  room.opened('a', 1000);
  expect(room.ask('b', DUE, 60_000)).toEqual(go);
  expect(room.ask('c', DUE, 60_000)).toEqual(wait(60_000 + staggerMs));
  expect(room.ask('d', DUE, 60_000)).toEqual(wait(60_000 + staggerMs));
  expect(room.ask('d', DUE, 60_000 + staggerMs)).toEqual(go);
  expect(room.ask('c', DUE, 60_000 + staggerMs)).toEqual(wait(60_000 + 2 * staggerMs));
});

test('nobody is kept for longer than the bound, whatever the others tell', () => {
  const room = openRoom();
  room.ask('b', DUE, 0);
  room.closed('a', DUE + 100 * longestMs, 1000);
  const polls = Array.from({length: 1000}, (_, at) => 1000 + at * 60_000);
  const first = polls.find((now) => room.ask('b', DUE, now).is === 'go');
  expect(first).toBeGreaterThanOrEqual(DUE + longestMs);
  expect(first).toBeLessThan(DUE + longestMs + 61_000);
});

test('who is not heard of is forgotten; so is what a clock that was set back has left ahead', () => {
  const room = openRoom();
  room.ask('gone', DUE, 0);
  room.ask('b', 2 * staleMs, staleMs + 1);
  expect(room.now().waiters.map(({run}) => run)).toEqual(['b']);
  const ahead = openRoom({...emptyRoom, probe: {run: 'x', at: 10 * staleMs}, opened: {at: 10 * staleMs, last: 0}});
  expect(ahead.ask('b', 5, 10)).toEqual(go);
});

test('in any story: never two that try within the time of one, unless they follow; everybody gets through', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({until: fc.nat(500_000), fails: fc.nat(2), answerMs: fc.nat(60_000)}), {
        minLength: 1,
        maxLength: 8,
      }),
      (runs) => {
        const room = openRoom();
        const left = new Map(runs.map((run, at) => [`r${at}`, {...run}]));
        const trying = new Map<string, number>();
        const crowds: string[] = [];
        let isOpen = false;
        for (let now = 0; left.size > 0 && now < 20_000_000; now += 5000) {
          for (const [name, run] of left) {
            const since = trying.get(name);
            if (since !== undefined) {
              if (now < since + run.answerMs) continue;
              trying.delete(name);
              if (isOpen || run.fails === 0) {
                isOpen = true;
                room.opened(name, now);
                left.delete(name);
              } else {
                run.fails -= 1;
                run.until = now + 300_000;
                room.closed(name, run.until, now);
              }
              continue;
            }
            if (room.ask(name, run.until, now).is !== 'go') continue;
            trying.set(name, now);
            // While nobody has been answered, whoever tries is alone, or the one before had its time.
            for (const [other, since] of trying)
              if (!isOpen && other !== name && now < since + probeMs) crowds.push(`${other} and ${name} at ${now}`);
          }
        }
        expect(left.size).toBe(0);
        expect(crowds).toEqual([]);
        expect(trying.size).toBe(0);
      },
    ),
    {numRuns: 200},
  );
});
