// What would have been seen and decided, had we watched: a recording goes through the same detection and the same
// transition as a live leg. Nothing is started; what a run would do to the world is only told.

import type {Adapter, AgentCode} from '../../adapter/adapter.ts';
import {openCall} from '../../baton/facts.ts';
import type {Effect} from '../../core/effects.ts';
import type {RunEvent} from '../../core/events.ts';
import type {CheckpointId, RunId} from '../../core/ids.ts';
import {legNumber} from '../../core/ids.ts';
import type {Policy} from '../../core/policy.ts';
import type {RunState} from '../../core/state.ts';
import {beginRun, transition} from '../../core/transition.ts';
import type {Screen, ScreenOptions} from '../../detect/screen.ts';
import type {LogTail} from '../../ports.ts';
import {journalEntry} from '../../report/journal.ts';
import {watchLeg} from '../leg/leg-watch.ts';
import {watchStalls} from '../lookout/stall-watch.ts';
import {type RecordedClock, recordedClock} from './recorded-clock.ts';

/** One thing of a recording, at its time. */
export type Recorded =
  | {at: number; is: 'output'; bytes: Uint8Array}
  | {at: number; is: 'size'; cols: number; rows: number}
  | {at: number; is: 'line'; line: string};

export interface ReplayPlan {
  adapter: Adapter;
  code: AgentCode;
  policy: Policy;
  recorded: AsyncIterable<Recorded>;
  openScreen(options: ScreenOptions): Promise<Screen>;
  /** A line of the journal as the run would have written it, or what it would have done. */
  tell(entry: object): void;
}

/** The name of the run that never was. */
const RUN = 'replay' as RunId;
const CHECKPOINT = 'replay' as CheckpointId;
const leg = legNumber(1);

export const replay = async (plan: ReplayPlan): Promise<void> => {
  let world: ReturnType<typeof openReplay> | undefined;
  for await (const one of plan.recorded) {
    world ??= openReplay(plan, one.at);
    await world.take(one);
  }
  await world?.end();
};

/** After its last line a recording tells nothing more; what was printed last is still looked at. */
const AFTER_MS = 1000;

const openReplay = ({adapter, code, policy, openScreen, tell}: ReplayPlan, start: number) => {
  const clock = recordedClock(start);
  const work = outstanding();
  const judge = openJudge({agent: adapter.name, clock, policy, tell});
  const lines = fedTail();
  const stalls = watchStalls({
    ...{leg, clock, bounds: policy.hang, post: judge.post},
    tellsReady: adapter.ready.afterMs === undefined,
    openCall: () => openCall(watch.facts()),
    callCount: () => watch.facts().callCount,
    // A recording does not tell what its processes did: an open call counts as one that works.
    toolWork: () => Promise.resolve(clock.now()),
    settle: () => Promise.resolve(),
  });
  const watch = watchLeg({
    ...{leg, adapter, code, clock, tail: lines.tail},
    openScreen: (options) => work.screen(openScreen(options)),
    post: (signal) => {
      stalls.see(signal);
      judge.post(signal);
    },
    onLife: stalls.heard,
    onFault: (what) => tell({...stamp(clock.now()), event: 'fault', what}),
    onNoHooks: () => {},
  });
  judge.begin();
  return {
    take: async (one: Recorded): Promise<void> => {
      await clock.advance(one.at, work.settled);
      if (one.is === 'output') watch.onOutput(Buffer.from(one.bytes));
      else if (one.is === 'size') watch.onResize(one.cols, one.rows);
      else {
        lines.begin(() => watch.follow({id: 'replay', logPath: 'replay'}));
        lines.feed(one.line);
      }
      await work.settled();
    },
    end: async (): Promise<void> => {
      await clock.advance(clock.now() + AFTER_MS, work.settled);
      stalls.close();
      watch.close();
      clock.close();
      tell({...stamp(clock.now()), event: 'recording-over', state: judge.state().at});
    },
  };
};

const stamp = (at: number): {at: string; run: RunId; leg: number} => ({at: new Date(at).toISOString(), run: RUN, leg});

/** The looks that are under way: a recording is not in time with the clock of the machine. */
const outstanding = () => {
  const open = new Set<Promise<unknown>>();
  const track = <T>(one: Promise<T>): Promise<T> => {
    open.add(one);
    const done = (): void => void open.delete(one);
    one.then(done, done);
    return one;
  };
  return {
    screen: async (opening: Promise<Screen>): Promise<Screen> => {
      const screen = await track(opening);
      return {...screen, look: () => track(screen.look())};
    },
    settled: async (): Promise<void> => {
      // Between two of these there may be a few steps that nobody keeps a record of.
      for (let step = 0; step < 10; step += 1) {
        if (open.size > 0) step = 0;
        await Promise.allSettled([...open]);
      }
    },
  };
};

/** The log comes line by line from the recording. */
const fedTail = () => {
  let take: ((line: string) => void) | undefined;
  const tail: LogTail = {
    follow: (_path, onLine) => {
      take = onLine;
      return {flush: () => Promise.resolve(), offset: () => 0, close: () => {}};
    },
  };
  return {
    tail,
    begin: (follow: () => void): void => {
      if (take === undefined) follow();
    },
    feed: (line: string): void => take?.(line),
  };
};

interface JudgeWorld {
  agent: string;
  clock: RecordedClock;
  policy: Policy;
  tell(entry: object): void;
}

/** The one caller of transition here. What it asks for is told, and answered as the world would, at once. */
const openJudge = ({agent, clock, policy, tell}: JudgeWorld) => {
  const first = beginRun(clock.now(), undefined, policy);
  let state: RunState = first.state;
  let inbox: RunEvent[] = [];
  let busy = false;
  const perform = (effect: Effect): void => {
    const at = clock.now();
    const shown = shownEffect(effect);
    if (shown !== undefined) tell({...stamp(at), leg: state.leg, event: 'would', ...shown});
    switch (effect.do) {
      case 'set-timer':
        clock.wakeAt(effect.name, effect.until, () => post({type: 'timer-fired', at: clock.now(), name: effect.name}));
        return;
      case 'cancel-timer':
        clock.cancel(effect.name);
        return;
      case 'capture': {
        const {leg: of, capture} = effect;
        post({type: 'checkpoint-written', at, leg: of, capture, id: CHECKPOINT, progress: true, moved: true});
        return;
      }
      case 'stop-agent':
        post({type: 'agent-exited', at, leg: effect.leg, exit: {code: 0, signal: 15}, meaning: 'killed'});
        return;
      case 'spawn-leg':
        if (effect.leg === leg) post({type: 'leg-spawned', at, leg, pid: 0, agent});
    }
  };
  const take = (event: RunEvent): void => {
    const from = state;
    const next = transition(state, event, policy);
    state = next.state;
    tell(journalEntry({run: RUN, at: event.at, event, from, to: state}));
    for (const effect of next.effects) perform(effect);
  };
  const post = (event: RunEvent): void => {
    inbox.push(event);
    if (busy) return;
    busy = true;
    for (let one = inbox.shift(); one !== undefined; one = inbox.shift()) take(one);
    busy = false;
  };
  return {
    post,
    state: () => state,
    begin: (): void => {
      tell(journalEntry({run: RUN, at: clock.now(), event: undefined, from: undefined, to: state}));
      busy = true;
      for (const effect of first.effects) perform(effect);
      busy = false;
      const waiting = inbox;
      inbox = [];
      for (const event of waiting) post(event);
    },
  };
};

/** What matters of what it would do. Timers are only means. */
const shownEffect = (effect: Effect): object | undefined => {
  switch (effect.do) {
    case 'set-timer':
    case 'cancel-timer':
    case 'end-tools':
      return undefined;
    case 'certify':
      return {do: 'certify', cause: effect.death.cause, decision: effect.decision};
    case 'capture':
      return {do: 'capture', trigger: effect.trigger};
    default: {
      const {leg: _leg, ...rest} = {leg: undefined, ...effect};
      return rest;
    }
  }
};
