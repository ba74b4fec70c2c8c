// One of each: states, events and a policy with small round numbers, for the tables and for the diagram.

import type {Effect} from '../../src/core/effects.ts';
import type {ExitMeaning, ExitStatus, RunEvent, SignalType, TimerName} from '../../src/core/events.ts';
import {type CheckpointId, captureNumber, legNumber, millis} from '../../src/core/ids.ts';
import type {CompactionPolicy, Policy} from '../../src/core/policy.ts';
import type {Dead, Death, Ledger, RunState, StateName} from '../../src/core/state.ts';
import {type AutomaticTrigger, automaticTriggers, type CaptureTrigger} from '../../src/core/triggers.ts';

/** A multiple of 997: the ladder's jitter is none here. */
export const T = millis(997_000);
export const after = (ms: number) => millis(997_000 + ms);
export const leg = legNumber(2);
export const next = legNumber(3);
export const oldBaton = '20261118T090000000Z_old' as CheckpointId;
export const newBaton = '20261118T091500000Z_new' as CheckpointId;

export const attended: Policy = {
  attended: true,
  headless: false,
  untilDone: false,
  onCompaction: 'restart',
  leftovers: 'keep',
  maxLegs: 10,
  maxMs: 100_000,
  maxTokens: undefined,
  maxDollars: undefined,
  takeovers: [],
  budget: {legs: 3, windowMs: 60_000},
  backoff: {firstMs: 1000, maxMs: 8000, stableMs: 30_000},
  limit: {marginMs: 500, unknownMs: 9000, maxWaitMs: 40_000, takeoverMs: 20_000},
  overload: {firstMs: 2000, maxMs: 16_000},
  nudge: {max: 2, waitMs: 700, idleMs: 600},
  hang: {thinkingMs: 3000, toolMs: 20_000},
  saves: {triggers: automaticTriggers, intervalMs: 5000, keep: 10},
  capture: {againMs: 300, giveUpMs: 1200},
  approval: {on: false, waitMs: 4000},
  uptakeMs: 2500,
  doneGraceMs: 400,
  assumeReadyMs: undefined,
  wakesMs: 0,
  context: {share: 0.85, windowTokens: undefined},
};
export const unattended: Policy = {...attended, attended: false};
export const headless: Policy = {...unattended, headless: true};
export const untilDone: Policy = {...headless, untilDone: true};

/** Four captures were asked for so far: 4 is the newest. */
export const ledger = (some: Partial<Ledger> = {}): Ledger => ({
  startedAt: millis(900_000),
  failures: [],
  streak: 0,
  overloads: 0,
  nudges: 0,
  question: 'none',
  idles: 0,
  uptake: 'none',
  untaken: 0,
  given: oldBaton,
  taken: oldBaton,
  used: {tokens: 0, dollars: 0},
  using: {tokens: 0, dollars: 0},
  captures: captureNumber(4),
  reported: captureNumber(4),
  checkpoint: oldBaton,
  takenOver: [],
  done: undefined,
  back: undefined,
  asks: [],
  ...some,
});
/** The same after one more capture was asked for. */
export const fifth = (some: Partial<Ledger> = {}): Ledger => ledger({captures: captureNumber(5), ...some});

/** Somebody wants everything back as it was then. */
export const back = {to: '20261118T080000000Z_then' as CheckpointId, files: true, baton: true, paths: []};

export const exit = {code: 0, signal: undefined};
export const crash = {code: 3, signal: undefined};
export const kill = {code: 0, signal: 9};

export const death = (some: Partial<Death> = {}): Death => ({
  cause: 'context-full',
  at: millis(990_000),
  evidence: [{channel: 'log', detail: 'first told'}],
  exit: undefined,
  notBefore: undefined,
  ...some,
});
export const dead = (some: Partial<Death> = {}, progress = false): Dead => ({death: death(some), progress});

type State<Name extends StateName> = Extract<RunState, {at: Name}>;
type Some<Name extends StateName> = Partial<State<Name>>;

export const starting = (some: Some<'starting'> = {}): State<'starting'> => ({
  at: 'starting',
  leg,
  ledger: ledger(),
  ...some,
});
export const working = (some: Some<'working'> = {}): State<'working'> => ({
  at: 'working',
  leg,
  ledger: ledger(),
  trouble: {is: 'none'},
  held: 'no',
  turn: 'open',
  ...some,
});
export const waiting = (some: Some<'waiting'> = {}): State<'waiting'> => ({
  at: 'waiting',
  leg,
  ledger: ledger(),
  held: 'no',
  for: 'limit',
  until: after(5000),
  nudged: false,
  ...some,
});
export const capturing = (some: Some<'capturing'> = {}): State<'capturing'> => ({
  at: 'capturing',
  leg,
  ledger: ledger(),
  death: death(),
  alive: true,
  ...some,
});
export const stopping = (some: Some<'stopping'> = {}): State<'stopping'> => ({
  at: 'stopping',
  leg,
  ledger: ledger(),
  death: death(),
  progress: true,
  ...some,
});
/** The agent has ended, and its last moments are being told. */
export const stopped = (
  {
    ledger: own = ledger(),
    death: how = death(),
  }: Pick<Some<'stopping'>, 'ledger' | 'death'> & {progress?: boolean} = {},
  ended: ExitStatus = exit,
): State<'capturing'> => capturing({ledger: own, alive: false, death: {...how, exit: ended}});
export const restoring = (some: Some<'restoring'> = {}): State<'restoring'> => ({
  at: 'restoring',
  leg,
  ledger: ledger({back}),
  dead: dead({cause: 'restore', exit}, true),
  outcome: undefined,
  ...some,
});
export const resting = (some: Some<'resting'> = {}): State<'resting'> => ({
  at: 'resting',
  leg,
  ledger: ledger(),
  death: death({exit: crash}),
  until: after(1000),
  ...some,
});
export const finishing = (some: Some<'finishing'> = {}): State<'finishing'> => ({
  at: 'finishing',
  leg,
  ledger: ledger(),
  outcome: {is: 'done', note: 'all of it'},
  alive: true,
  capture: 'wanted',
  dead: undefined,
  ...some,
});
export const isOver = (some: Some<'over'> = {}): State<'over'> => ({
  at: 'over',
  leg,
  ledger: ledger(),
  outcome: {is: 'done', note: 'all of it'},
  ...some,
});

export const evidence = [{channel: 'hook' as const, detail: 'told'}];
const byHook = {at: T, leg, evidence, proof: true};
const onScreen = {at: T, leg, evidence: [{channel: 'screen' as const, detail: 'seen'}], proof: false};

type Signal = Extract<RunEvent, {proof: boolean}>;
/** What a signal has besides type, time, leg and evidence. */
const more = {
  'waiting-for-person': {what: 'permission for Bash'},
  'compaction-started': {trigger: 'auto', held: true},
  'compaction-done': {trigger: 'auto'},
  limit: {resetsAt: undefined},
  fatal: {what: 'no credits'},
} as const;

export const proof = (type: SignalType, some: object = {}): Signal =>
  ({type, ...byHook, ...more[type as keyof typeof more], ...some}) as Signal;
export const alert = (type: SignalType, some: object = {}): Signal =>
  ({type, ...onScreen, ...more[type as keyof typeof more], ...some}) as Signal;

export const spawned: RunEvent = {type: 'leg-spawned', at: T, leg, pid: 4711, agent: 'claude'};
export const spawnFailed: RunEvent = {type: 'spawn-failed', at: T, leg, what: 'no such file'};
export const exited = (meaning: ExitMeaning, some: object = {}): RunEvent => {
  const how = {clean: exit, crashed: crash, killed: kill}[meaning];
  return {type: 'agent-exited', at: T, leg, exit: how, meaning, ...some};
};
export const written = (some: object = {}): Extract<RunEvent, {type: 'checkpoint-written'}> => ({
  type: 'checkpoint-written',
  at: T,
  leg,
  capture: captureNumber(4),
  id: newBaton,
  progress: true,
  moved: true,
  ...some,
});
/** Nothing had been left to tell: the checkpoint is the one that was there. */
export const sameAgain = (progress = true): RunEvent => written({id: oldBaton, progress});
export const skipped = (some: object = {}): RunEvent => ({
  type: 'checkpoint-skipped',
  at: T,
  leg,
  capture: captureNumber(4),
  ...some,
});
export const failed = (some: object = {}): RunEvent => ({
  type: 'checkpoint-failed',
  at: T,
  leg,
  capture: captureNumber(4),
  what: 'disk full',
  ...some,
});
export const fired = (name: TimerName): RunEvent => ({type: 'timer-fired', at: T, name});
export const hangSeen = (some: object = {}): RunEvent => ({
  type: 'hang-seen',
  at: T,
  leg,
  in: 'thinking',
  evidence: silence,
  ...some,
});
export const silence = [{channel: 'process' as const, detail: 'nothing heard for 3 s (bound 3 s)'}];
export const moment = (trigger: AutomaticTrigger = 'phase'): RunEvent => ({
  ...{type: 'moment-seen', at: T, leg, trigger},
  what: 'a commit',
});
export const uptake: RunEvent = {type: 'uptake-seen', at: T, leg, by: 'tool call', afterMs: 1500};
export const usage: RunEvent = {type: 'usage-seen', at: T, leg, tokens: 700, dollars: 0.5};
export const held = (some: object = {}): RunEvent => ({
  ...{type: 'call-held', at: T, leg, call: '7.HeldToolUse', what: 'Bash: rm -rf src', risky: true, outside: false},
  ...some,
});
export const said = (yes: boolean): RunEvent => ({type: 'approval-said', at: T, yes, note: ''});
export const quit: RunEvent = {type: 'quit-asked', at: T, signal: 15};
export const hangup: RunEvent = {type: 'hangup', at: T};
export const done: RunEvent = {type: 'done-asked', at: T, note: 'all of it'};
export const handoff: RunEvent = {type: 'handoff-asked', at: T};

export const restoreAsked: RunEvent = {type: 'restore-asked', at: T, back};
export const restored: RunEvent = {type: 'restored', at: T, leg, id: newBaton};
export const restoreFailed: RunEvent = {type: 'restore-failed', at: T, leg, what: 'disk full'};

export const set = (name: TimerName, ms: number): Effect => ({do: 'set-timer', name, until: after(ms)});
export const cancel = (name: TimerName): Effect => ({do: 'cancel-timer', name});
export const stop = (because: 'handoff' | 'finish'): Effect => ({do: 'stop-agent', leg, because});
export const endTools: Effect = {do: 'end-tools', leg};
/** The timers that a leg may have set. */
export const quiet: Effect[] = (
  [
    'wait-over',
    'leg-stable',
    'ready-by',
    'done-by',
    'idle-over',
    'interval',
    'uptake-by',
    'approval-by',
    'capture-again',
  ] as const
).map(cancel);
export const told = (notice: Extract<Effect, {do: 'tell'}>['notice']): Effect => ({do: 'tell', notice});
export const compacting = (trigger: 'auto' | 'manual', then: CompactionPolicy): Effect =>
  told({is: 'compacting', leg, trigger, then});
export const captureFailed: Effect = told({is: 'capture-failed', leg, what: 'disk full'});
/** The fifth capture of the run. */
export const captures = (trigger: CaptureTrigger, why?: Death): Effect => ({
  do: 'capture',
  leg,
  capture: captureNumber(5),
  trigger,
  death: why,
});
