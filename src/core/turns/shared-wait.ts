// Several runs of one person wait for the same provider: one of them tries first, the others follow one after another.
//
// The rules, in full:
// 1. Whoever is due first tries, and has `probeMs` for it; who becomes due meanwhile waits for what comes of it.
// 2. It went well: the others go one by one, `staggerMs` apart, as they ask; also those who would have waited longer.
// 3. It did not: the others wait at least as long as the provider has told it, at most `longestMs` more than they meant to.
// 4. Whoever is not heard of for `staleMs` is forgotten. Nobody is kept for longer than rule 3 says: then it goes alone.

/** One run that waits. */
export interface Waiter {
  run: string;
  since: number;
  /** Until when it meant to wait by itself. */
  own: number;
  until: number;
  /** When it was last heard of. */
  seen: number;
}

export interface WaitingRoom {
  waiters: Waiter[];
  /** Who tries, since when. */
  probe: {run: string; at: number} | undefined;
  /** When the provider last answered one of them, and when the last one went after the first answer. */
  opened: {at: number; last: number} | undefined;
}

export const emptyRoom: WaitingRoom = {waiters: [], probe: undefined, opened: undefined};

export const roomNumbers = {
  probeMs: 90_000,
  staggerMs: 5000,
  longestMs: 6 * 3_600_000,
  staleMs: 10 * 60_000,
  /** More are no runs of one person; the oldest count. */
  most: 200,
} as const;

export type Turn = {is: 'go'} | {is: 'wait'; until: number};

interface Asking {
  run: string;
  /** Until when it means to wait. */
  until: number;
  now: number;
}

/** May this run try now? Asked when it begins to wait, now and then, and when it is due. */
export const askTurn = (before: WaitingRoom, {run, until: own, now}: Asking): {room: WaitingRoom; turn: Turn} => {
  const room = withWaiter(tidied(before, now), {run, own, now});
  const me = room.waiters.find((waiter) => waiter.run === run);
  const until = Math.min(me?.until ?? own, own + roomNumbers.longestMs);
  const slot = slotOf(room, me?.since ?? now);
  if (slot !== undefined) return slot > now ? {room, turn: {is: 'wait', until: slot}} : gone(room, run, now);
  if (until > now) return {room, turn: {is: 'wait', until}};
  const {probe} = room;
  const tried = probe !== undefined && probe.run !== run ? probe.at + roomNumbers.probeMs : now;
  if (tried > now && now < own + roomNumbers.longestMs) return {room, turn: {is: 'wait', until: tried}};
  return gone(room, run, now);
};

/** The provider has answered this run. */
export const tellOpened = (before: WaitingRoom, {run, now}: {run: string; now: number}): WaitingRoom => {
  const room = without(tidied(before, now), run);
  // One that only follows does not begin the row anew.
  return {...room, opened: {at: now, last: room.opened?.last ?? now}};
};

/** It has not: until then, if it has told. */
export const tellClosed = (before: WaitingRoom, {run, until, now}: Asking): WaitingRoom => {
  const room = without(tidied(before, now), run);
  const waiters = room.waiters.map((waiter) => ({...waiter, until: Math.max(waiter.until, until)}));
  return {...room, waiters, opened: undefined};
};

/** It waits no longer, for reasons of its own. */
export const tellLeft = (before: WaitingRoom, {run, now}: {run: string; now: number}): WaitingRoom =>
  without(tidied(before, now), run);

const gone = (room: WaitingRoom, run: string, now: number): {room: WaitingRoom; turn: Turn} => ({
  room: {
    waiters: room.waiters.filter((waiter) => waiter.run !== run),
    probe: {run, at: now},
    opened: room.opened && {...room.opened, last: now},
  },
  turn: {is: 'go'},
});

const without = (room: WaitingRoom, run: string): WaitingRoom => ({
  ...room,
  waiters: room.waiters.filter((waiter) => waiter.run !== run),
  probe: room.probe?.run === run ? undefined : room.probe,
});

const withWaiter = (room: WaitingRoom, {run, own, now}: {run: string; own: number; now: number}): WaitingRoom => {
  const before = room.waiters.find((waiter) => waiter.run === run);
  // Another end than before is another wait.
  const same = before?.own === own ? before : undefined;
  const waiter: Waiter = {run, own, since: same?.since ?? now, until: same?.until ?? own, seen: now};
  const others = room.waiters.filter((one) => one.run !== run);
  const waiters = [...others, waiter].sort((a, b) => a.since - b.since || (a.run < b.run ? -1 : 1));
  return {...room, waiters: waiters.slice(0, roomNumbers.most)};
};

/** When its turn is after the provider has answered; undefined when it has not since this run began to wait. */
const slotOf = ({opened}: WaitingRoom, since: number): number | undefined =>
  opened === undefined || opened.at < since ? undefined : opened.last + roomNumbers.staggerMs;

/** A clock that was set back would keep things for ever: what lies ahead is stale too. */
const isFresh = (at: number, now: number, ms: number): boolean => at <= now + ms && now - at < ms;

const tidied = ({waiters, probe, opened}: WaitingRoom, now: number): WaitingRoom => ({
  waiters: waiters.filter(({seen}) => isFresh(seen, now, roomNumbers.staleMs)),
  probe: probe !== undefined && isFresh(probe.at, now, roomNumbers.probeMs) ? probe : undefined,
  opened: opened !== undefined && isFresh(opened.at, now, roomNumbers.staleMs) ? opened : undefined,
});
