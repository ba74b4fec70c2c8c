// Everything that one leg lets us see, fused into signals: hooks (spool), session log (tail), screen. The byte path to
// the person does not pass here; an observer that throws is dropped and noted, and the agent lives on.

import type {Adapter, AgentCode, HookReading, LogReader, Sighting} from '../../adapter/adapter.ts';
import type {LegFacts} from '../../baton/facts.ts';
import type {Signal} from '../../core/events.ts';
import type {LegNumber, Millis} from '../../core/ids.ts';
import {newQuorum} from '../../detect/quorum.ts';
import type {Screen, ScreenOptions} from '../../detect/screen.ts';
import {newScreenWatch} from '../../detect/screen-rules.ts';
import type {Clock, LogTail, SpoolItem} from '../../ports.ts';

export interface WatchPlan {
  leg: LegNumber;
  adapter: Adapter;
  code: AgentCode;
  clock: Clock;
  tail: LogTail;
  /** Loaded when the first byte comes: the terminal library is the largest thing we have. */
  openScreen(options: ScreenOptions): Promise<Screen>;
  post(signal: Signal): void;
  /** A sign of life from a structured channel: a hook, or a line of the log that tells something. */
  onLife(): void;
  /** A fault of ours while watching: told once per kind, never fatal. */
  onFault(what: string): void;
  /** The agent is there, and none of our hooks has come: they are switched off. Told once. */
  onNoHooks(): void;
}

export interface LegWatch {
  onOutput(chunk: Buffer): void;
  onResize(cols: number, rows: number): void;
  onHook(item: SpoolItem): void;
  /** What the agent's own record of its state says. */
  onState(sighting: Sighting): void;
  /** The agent's own record of its state is there. */
  onAlive(): void;
  follow(session: {id: string; logPath: string}): void;
  facts(): LegFacts;
  /** A question of the agent's stands on its screen, as far as anything has told. */
  asks(): boolean;
  /** The session log that is followed now. */
  log(): {path: string; offset: number; sessionId: string} | undefined;
  /** All that the agent has written is read. */
  settle(): Promise<void>;
  close(): void;
}

/** Any of these says whether it waits for an answer. */
const turnWords = new Set<Sighting['type']>(['ready', 'busy', 'idle', 'waiting-for-person']);

export const watchLeg = (plan: WatchPlan): LegWatch => {
  const quorum = newQuorum(plan.leg);
  const born = plan.clock.now();
  let asks = false;
  const take = (sighting: Sighting): void => {
    if (turnWords.has(sighting.type)) asks = sighting.type === 'waiting-for-person';
    const signal = quorum.take(sighting, plan.clock.now());
    if (signal !== undefined) plan.post(signal);
  };
  const guarded = <A extends unknown[]>(what: string, act: (...args: A) => void): ((...args: A) => void) => {
    let broken = false;
    return (...args) => {
      if (broken) return;
      try {
        act(...args);
      } catch (error) {
        broken = true;
        plan.onFault(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
  };
  const log = followLog(plan, born, guarded('reading the session log', take));
  const hooks = missHooks(plan);
  const screen = watchScreen(plan, (sighting) => {
    if (sighting.type === 'ready' && plan.code.state !== undefined) hooks.due();
    take(sighting);
  });
  return {
    onOutput: guarded('watching the screen', screen.feed),
    onResize: guarded('resizing the screen', screen.resize),
    onHook: guarded('reading a hook', (item: SpoolItem) => {
      hooks.came();
      const {session, sightings, news} = plan.code.readHook(item.name, item.payload);
      if (session !== undefined) log.follow(session);
      if (news !== undefined) log.note(item.at ?? plan.clock.now(), news);
      for (const sighting of sightings) take(log.judge(sighting, item.payload));
      plan.onLife();
    }),
    onState: guarded("reading the agent's state", take),
    onAlive: hooks.due,
    follow: guarded('following the session log', log.follow),
    facts: log.facts,
    asks: () => asks,
    log: log.now,
    settle: log.settle,
    close: () => {
      hooks.close();
      screen.close();
      log.close();
    },
  };
};

/** An agent that keeps a record of its state calls our first hook within a second of it, if it calls any. */
const HOOKS_BY_MS = 5000;

const missHooks = ({clock, onNoHooks}: WatchPlan) => {
  let state: 'quiet' | 'due' | 'settled' = 'quiet';
  let off: () => void = () => {};
  const settle = (): void => {
    state = 'settled';
    off();
  };
  return {
    due: (): void => {
      if (state !== 'quiet') return;
      state = 'due';
      off = clock.after(HOOKS_BY_MS, () => {
        if (state === 'due') onNoHooks();
        settle();
      });
    },
    came: settle,
    close: settle,
  };
};

/** The run follows the conversation: `/clear` and `/resume` give it another id and another file. */
const followLog = ({code, tail, onLife}: WatchPlan, born: Millis, take: (sighting: Sighting) => void) => {
  let reader: LogReader = code.newLogReader(born);
  let followed: {id: string; path: string; tail: ReturnType<LogTail['follow']>} | undefined;
  return {
    follow: ({id, logPath}: {id: string; logPath: string}): void => {
      if (followed?.path === logPath) return;
      followed?.tail.close();
      // A resumed conversation's past gives facts but no signals.
      const fresh = code.newLogReader(born);
      reader = fresh;
      const onLine = (line: string): void => {
        for (const sighting of fresh.feed(line)) take(sighting);
        if (code.isHeartbeat?.(line) !== true) onLife();
      };
      followed = {id, path: logPath, tail: tail.follow(logPath, onLine)};
    },
    note: (at: number, news: NonNullable<HookReading['news']>): void => reader.note(at, news),
    judge: (sighting: Sighting, payload: unknown): Sighting => reader.judge?.(sighting, payload) ?? sighting,
    facts: (): LegFacts => reader.facts(),
    now: () =>
      followed === undefined
        ? undefined
        : {path: followed.path, offset: followed.tail.offset(), sessionId: followed.id},
    settle: async (): Promise<void> => followed?.tail.flush(),
    close: (): void => followed?.tail.close(),
  };
};

/** Looks at most four times a second, and only when something was printed. */
const LOOK_MS = 250;

const watchScreen = ({adapter, clock, openScreen, onFault}: WatchPlan, take: (sighting: Sighting) => void) => {
  const watch = newScreenWatch(adapter.screen);
  let size = {cols: 80, rows: 24};
  let opening: Promise<Screen> | undefined;
  let pending: Uint8Array[] = [];
  let screen: Screen | undefined;
  let closed = false;
  let off: (() => void) | undefined;

  const look = async (): Promise<void> => {
    opening ??= openScreen(size);
    screen ??= await opening;
    if (closed) return;
    for (const chunk of pending) screen.feed(chunk);
    pending = [];
    for (const sighting of watch.look(await screen.look())) take(sighting);
  };
  const soon = (): void => {
    if (off !== undefined || closed) return;
    off = clock.after(LOOK_MS, () => {
      off = undefined;
      look().catch((error: unknown) => {
        closed = true;
        onFault(`watching the screen: ${error instanceof Error ? error.message : String(error)}`);
      });
    });
  };
  return {
    feed: (chunk: Buffer): void => {
      // An agent without rules, such as the generic one, costs nothing.
      if (closed || adapter.screen.length === 0) return;
      if (screen === undefined) pending.push(chunk);
      else screen.feed(chunk);
      soon();
    },
    resize: (cols: number, rows: number): void => {
      size = {cols, rows};
      screen?.resize(cols, rows);
    },
    close: (): void => {
      closed = true;
      off?.();
      opening?.then(
        (opened) => opened.close(),
        () => {},
      );
    },
  };
};
