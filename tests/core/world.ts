// A world in miniature: it does what the effects ask, reports in any order, and an agent lives its life in it.

import type {Effect} from '../../src/core/effects.ts';
import {type ExitMeaning, type RunEvent, signalTypes, type TimerName} from '../../src/core/events.ts';
import {type CaptureNumber, type CheckpointId, type LegNumber, type Millis, millis} from '../../src/core/ids.ts';
import {automaticTriggers} from '../../src/core/triggers.ts';
import {back} from './samples.ts';

/** Where chance comes from. When the tape is over it says 0 for ever, and the world is calm and helpful. */
export interface Tape {
  (below: number): number;
  isOver(): boolean;
}

export const playTape = (numbers: number[]): Tape => {
  let at = 0;
  const next = (below: number) => (numbers[at++] ?? 0) % below;
  return Object.assign(next, {isOver: () => at >= numbers.length});
};

export interface World {
  perform(effect: Effect): void;
  /** What happens next; undefined when nothing ever will. */
  next(): RunEvent | undefined;
  readonly facts: Facts;
}

export interface Facts {
  now: Millis;
  agent: Agent | undefined;
  timers: Map<TimerName, Millis>;
  pending: Pending[];
  /** What was posted and not yet taken, in order. */
  inbox: RunEvent[];
}

interface Agent {
  leg: LegNumber;
  alive: boolean;
  /** Has it said anything yet? */
  silent: boolean;
  askedToStop: boolean;
  /** Waits in a hook of ours: it does nothing until it is let go. */
  held: boolean;
}

/** What was asked for and has not been reported yet. */
export type Pending =
  | {is: 'spawn'; leg: LegNumber}
  | {is: 'capture'; leg: LegNumber; capture: CaptureNumber; automatic: boolean}
  | {is: 'exit'; leg: LegNumber; meaning: ExitMeaning}
  | {is: 'spawned'; leg: LegNumber}
  | {is: 'restore'; leg: LegNumber}
  /** A hook or a log line on its way: it comes even if the agent is gone. */
  | {is: 'signal'; event: RunEvent};

export interface Weather {
  /** Does the clock only ever go on, or is it set back and ahead at times? */
  steady: boolean;
  /** Nobody quits and nothing lasting goes wrong: the relay is long. */
  mild: boolean;
}

export const newWorld = (tape: Tape, weather: Weather, begin: Millis): World => {
  const facts: Facts = {now: begin, agent: undefined, timers: new Map(), pending: [], inbox: []};
  const inside: Inside = {tape, weather, facts};
  return {
    facts,
    perform: (effect) => perform(effect, facts),
    next: () => {
      // Several things may be posted before the first of them is taken.
      if (facts.inbox.length === 0 || tape(4) === 3) post(inside);
      if (tape(4) === 3) post(inside);
      return facts.inbox.shift();
    },
  };
};

/** Some things happen without anybody hearing of them at once: then the next one. */
const post = (inside: Inside): void => {
  for (let quiet = 0; quiet < 100; quiet++) {
    const happens = choose(inside);
    const event = happens?.();
    if (event) inside.facts.inbox.push(event);
    if (event || !happens) return;
  }
};

const choose = (inside: Inside): Option | undefined => {
  const {facts, tape, weather} = inside;
  const dice = tape(32);
  const reports = facts.pending.flatMap((pending) => reportsOn(pending, inside));
  const helpful = [
    ...reports,
    ...obeys(inside),
    ...timer(inside, (name) => name !== 'time-over' && name !== 'interval'),
  ];
  // The calm world: first whatever was asked for, then time passes.
  if (tape.isOver()) return helpful[0] ?? timer(inside, (name) => name !== 'interval')[0];
  if (dice === 0 && tape(60) === 0) return timer(inside, () => true)[0] ?? (() => undefined);
  if (dice === 1 && !weather.mild && tape(2) === 0) return () => person(inside);
  if (dice === 3 && facts.agent?.alive && !facts.agent.held) return () => perhapsLate(silence(inside), inside);
  if (dice === 4 && facts.agent?.alive && !facts.agent.held) return () => perhapsLate(atWork(inside), inside);
  if (dice === 2) return () => ({type: 'handoff-asked', at: tick(inside)});
  if (dice === 5 && tape(3) === 0) return () => ({type: 'restore-asked', at: tick(inside), back});
  const wild = dice < 20 || helpful.length === 0 ? doings(inside) : [];
  const options = wild.length > 0 ? wild : helpful;
  return options[tape(options.length)] ?? (() => undefined);
};

interface Inside {
  tape: Tape;
  weather: Weather;
  facts: Facts;
}

type Option = () => RunEvent | undefined;

const perform = (effect: Effect, facts: Facts): void => {
  const {agent} = facts;
  const isIts = agent?.alive === true && 'leg' in effect && effect.leg === agent.leg;
  if (effect.do === 'spawn-leg') {
    if (agent?.alive) throw new Error(`leg ${effect.leg} is started while leg ${agent.leg} is alive`);
    facts.pending.push({is: 'spawn', leg: effect.leg});
  }
  if (effect.do === 'capture') {
    const automatic = automaticTriggers.some((one) => one === effect.trigger);
    facts.pending.push({is: 'capture', leg: effect.leg, capture: effect.capture, automatic});
  }
  if (effect.do === 'restore') {
    if (agent?.alive) throw new Error(`files go back while leg ${agent.leg} is alive`);
    facts.pending.push({is: 'restore', leg: effect.leg});
  }
  if (effect.do === 'set-timer') facts.timers.set(effect.name, effect.until);
  if (effect.do === 'cancel-timer') facts.timers.delete(effect.name);
  if (effect.do === 'stop-agent' && isIts) agent.askedToStop = true;
  if (effect.do === 'answer-hook' && isIts) agent.held = false;
  // It may have died just now; but it must have been there.
  if (effect.do === 'nudge' && effect.leg !== agent?.leg) throw new Error(`leg ${effect.leg} is nudged and never came`);
};

const obeys = (inside: Inside): Option[] => {
  const {agent} = inside.facts;
  const meanings = ['clean', 'killed', 'crashed'] as const;
  return agent?.alive && agent.askedToStop ? [() => exits(inside, meanings[inside.tape(3)] ?? 'clean')] : [];
};

/** The next timer to fire. */
const timer = (inside: Inside, fits: (name: TimerName) => boolean): Option[] => {
  const [first] = [...inside.facts.timers].filter(([name]) => fits(name)).sort(([, a], [, b]) => a - b);
  return first ? [() => fires(inside, first)] : [];
};

const reportsOn = (pending: Pending, inside: Inside): Option[] => {
  const {facts, tape} = inside;
  const take = () => facts.pending.splice(facts.pending.indexOf(pending), 1);
  const report =
    (make: (at: Millis) => RunEvent): Option =>
    () => {
      take();
      return make(tick(inside));
    };
  if (pending.is === 'signal') return [report((at) => ({...pending.event, at}))];
  const {leg} = pending;
  switch (pending.is) {
    case 'spawn': {
      const comes: Option = () => {
        take();
        facts.agent = {leg, alive: true, silent: true, askedToStop: false, held: false};
        facts.pending.push({is: 'spawned', leg});
        return undefined;
      };
      const fails = report((at) => ({type: 'spawn-failed', at, leg, what: 'busy text file'}));
      return [comes, comes, comes, () => (leg === 1 && tape(4) < 3 ? comes() : fails())];
    }
    case 'restore': {
      const id = `20261118T080000000Z_back-${leg}` as CheckpointId;
      const done = report((at) => ({type: 'restored', at, leg, id}));
      const failed = report((at) => ({type: 'restore-failed', at, leg, what: 'disk full'}));
      return [done, () => (tape(3) < 2 ? done() : failed())];
    }
    case 'spawned':
      return [report((at) => ({type: 'leg-spawned', at, leg, pid: 1, agent: 'claude'}))];
    case 'exit': {
      const exit =
        pending.meaning === 'killed' ? {code: 0, signal: 9} : {code: exitCode[pending.meaning], signal: undefined};
      return [report((at) => ({type: 'agent-exited', at, leg, exit, meaning: pending.meaning}))];
    }
    case 'capture': {
      const {capture} = pending;
      const id = `20261118T091500000Z_${capture}` as CheckpointId;
      const written = report((at) => {
        const moved = tape(2) === 1;
        return {type: 'checkpoint-written', at, leg, capture, id, progress: moved || tape(2) === 1, moved};
      });
      const skipped = report((at) => ({type: 'checkpoint-skipped', at, leg, capture}));
      if (pending.automatic && tape(2) === 1) return [skipped];
      const failed = report((at) => ({type: 'checkpoint-failed', at, leg, capture, what: 'disk full'}));
      return [written, () => (tape(3) < 2 ? written() : failed())];
    }
  }
};

const exitCode = {clean: 0, crashed: 3} as const;

const exits = ({facts: {agent, pending}}: Inside, meaning: ExitMeaning): undefined => {
  if (!agent) return;
  agent.alive = false;
  agent.held = false;
  pending.push({is: 'exit', leg: agent.leg, meaning});
};

const fires = (inside: Inside, [name, until]: [TimerName, Millis]): RunEvent => {
  const {facts} = inside;
  facts.timers.delete(name);
  if (facts.now < until) facts.now = until;
  return {type: 'timer-fired', at: facts.now, name};
};

/** What nobody asked for. */
const doings = (inside: Inside): Option[] => {
  const {facts, tape, weather} = inside;
  if (!facts.agent?.alive) return [];
  const tells: Option = () => perhapsLate(tell(inside), inside);
  const ends: Option = () => {
    const meanings = ['crashed', 'killed', 'crashed', 'killed', 'crashed', 'clean'] as const;
    return exits(inside, meanings[tape(weather.mild ? 5 : 6)] ?? 'crashed');
  };
  if (facts.agent.held) return [ends];
  return facts.agent.silent ? [tells] : [...new Array<Option>(8).fill(tells), ends];
};

/** On its way for a while: it comes even if the agent is gone by then. */
const perhapsLate = (event: RunEvent | undefined, {facts, tape}: Inside): RunEvent | undefined => {
  if (!event || tape(4) < 3) return event;
  facts.pending.push({is: 'signal', event});
  return undefined;
};

const person = (inside: Inside): RunEvent => {
  const what = inside.tape(4);
  const at = tick(inside);
  if (what === 0) return {type: 'quit-asked', at, signal: 2};
  return what === 1 ? {type: 'hangup', at} : {type: 'done-asked', at, note: 'all of it'};
};

const atWork = (inside: Inside): RunEvent | undefined => {
  const {agent} = inside.facts;
  if (!agent) return undefined;
  const [at, leg] = [tick(inside), agent.leg];
  if (inside.tape(3) === 0) return {type: 'uptake-seen', at, leg, by: 'tool call', afterMs: 10};
  if (inside.tape(4) === 0) {
    const call = `${inside.tape(9)}.HeldToolUse`;
    return {
      type: 'call-held',
      at,
      leg,
      call,
      what: 'rm -rf x',
      risky: inside.tape(2) === 0,
      outside: inside.tape(2) === 0,
    };
  }
  if (inside.tape(4) === 0) return {type: 'approval-said', at, yes: inside.tape(2) === 0, note: ''};
  if (inside.tape(3) === 0) return {type: 'usage-seen', at, leg, tokens: inside.tape(400), dollars: inside.tape(3)};
  const trigger = automaticTriggers[inside.tape(automaticTriggers.length)] ?? 'phase';
  return {type: 'moment-seen', at, leg, trigger, what: 'a moment'};
};

const silence = (inside: Inside): RunEvent | undefined => {
  const {agent} = inside.facts;
  if (!agent) return undefined;
  const evidence = [{channel: 'process' as const, detail: 'nothing heard'}];
  return {type: 'hang-seen', at: tick(inside), leg: agent.leg, in: agent.silent ? 'start' : 'thinking', evidence};
};

const tell = (inside: Inside): RunEvent | undefined => {
  const {facts, tape} = inside;
  const {agent} = facts;
  if (!agent) return undefined;
  const type = agent.silent && tape(8) > 0 ? 'ready' : (signalTypes[tape(signalTypes.length)] ?? 'ready');
  if ((type === 'auth' || type === 'fatal') && (inside.weather.mild || tape(3) > 0)) return undefined;
  agent.silent = false;
  const proof = tape(4) > 0;
  const evidence = [{channel: proof ? ('log' as const) : ('screen' as const), detail: type}];
  const at = tick(inside);
  const seen = {at, leg: agent.leg, evidence, proof};
  const trigger = tape(3) === 0 ? 'manual' : 'auto';
  switch (type) {
    case 'waiting-for-person':
    case 'fatal':
      return {type, what: 'something', ...seen};
    case 'compaction-started':
      agent.held = proof && tape(4) > 0;
      return {type, trigger, held: agent.held, ...seen};
    case 'compaction-done':
      return {type, trigger, ...seen};
    case 'limit':
      return {type, resetsAt: tape(2) === 0 ? undefined : millis(at + tape(200) * 1000 - 5000), ...seen};
    default:
      return {type, ...seen};
  }
};

/** Time passes; somebody may set the clock. */
const tick = ({tape, weather, facts}: Inside): Millis => {
  const jumps = weather.steady || tape(5) > 0 ? 0 : (tape(9) - 4) * 400_000;
  facts.now = millis(facts.now + tape(40) * 100 + jumps);
  return facts.now;
};
