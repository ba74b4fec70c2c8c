// What must hold whatever happens (watcher.ts): in worlds that answer in any order and with any delay, and in nonsense.

import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Effect} from '../../src/core/effects.ts';
import {type EventType, eventTypes, type RunEvent, timerNames} from '../../src/core/events.ts';
import {type CheckpointId, captureNumber, legNumber, millis} from '../../src/core/ids.ts';
import type {DeathCause, Outcome, RunState} from '../../src/core/state.ts';
import {beginRun, transition} from '../../src/core/transition.ts';
import {type Life, live, lives, policies} from './lives.ts';
import {back, hangup, quit, T} from './samples.ts';
import {newWatcher} from './watcher.ts';

/** Thousands of lives on a busy machine. */
const LONG = 60_000;

test(
  'in every world that answers, the rules hold and the run ends',
  () => {
    fc.assert(
      fc.property(lives, (life) => {
        live(life);
      }),
      {numRuns: 2000},
    );
  },
  LONG,
);

test(
  'after a quit or hangup the run ends when the process exits and the captures report: no timer is needed',
  () => {
    fc.assert(
      fc.property(lives, fc.constantFrom(quit, hangup), (life, last) => {
        live(life, last);
      }),
      {numRuns: 1000},
    );
  },
  LONG,
);

/** A process that never came is told only where its coming is awaited; a leg that is buried does not end again. */
const cannotBe = [
  'working × spawn-failed',
  'waiting × spawn-failed',
  'capturing × spawn-failed',
  'stopping × spawn-failed',
  'resting × spawn-failed',
  'resting × agent-exited',
  'over × spawn-failed',
  'over × agent-exited',
];

test(
  'these worlds go nearly everywhere: the cells that can be, every effect, every death, every outcome',
  () => {
    const cells = new Set<string>();
    const effects = new Set<Effect['do']>();
    const causes = new Set<DeathCause>();
    const outcomes = new Set<Outcome['is']>();
    for (const life of fc.sample(lives, {numRuns: 2000, seed: 7})) {
      const story = live(life);
      for (const cell of story.cells) cells.add(cell);
      for (const effect of story.effects) {
        effects.add(effect.do);
        if (effect.do === 'certify') causes.add(effect.death.cause);
        if (effect.do === 'finish') outcomes.add(effect.outcome.is);
      }
    }
    expect(cannotBe.filter((cell) => cells.has(cell))).toEqual([]);
    // 216 can be; the rarest of them come once in a thousand lives.
    expect(cells.size).toBeGreaterThan(195);
    expect([...effects].sort()).toEqual([
      'answer-call',
      'answer-hook',
      'cancel-timer',
      'capture',
      'certify',
      'change-agent',
      'end-tools',
      'finish',
      'hint',
      'nudge',
      'restore',
      'set-timer',
      'spawn-leg',
      'stop-agent',
      'tell',
    ]);
    expect([...causes].sort()).toEqual([
      'compaction',
      'compaction-failed',
      'context-full',
      'crashed',
      'handoff',
      'hang',
      'killed',
      'limit',
      'no-uptake',
      'overload',
      'refused',
      'restore',
      'unfinished',
    ]);
    expect([...outcomes].sort()).toEqual([
      'done',
      'ended',
      'gave-up',
      'parked',
      'quit',
      'spawn-failed',
      'start-failed',
    ]);
  },
  LONG,
);

/** An event of any type, for about this leg and about this capture, at any time. */
const nonsense = fc.record({
  type: fc.constantFrom(...eventTypes),
  at: fc.integer({min: 0, max: 4e12}),
  ofLeg: fc.constantFrom(0, 0, 0, 0, 1, -1),
  ofCapture: fc.constantFrom(0, 0, 0, 0, 1, -1),
  proof: fc.boolean(),
  yes: fc.boolean(),
  meaning: fc.constantFrom('clean' as const, 'crashed' as const, 'killed' as const),
  resetsAt: fc.option(fc.integer({min: 0, max: 4e12}), {nil: undefined}),
  name: fc.constantFrom(...timerNames),
});
type Nonsense = typeof nonsense extends fc.Arbitrary<infer T> ? T : never;

const bind = (wild: Nonsense, {leg, ledger}: RunState): RunEvent => {
  const {type, proof, yes, meaning, name, resetsAt} = wild;
  const fields: Record<string, unknown> = {
    evidence: [],
    tokens: 100,
    dollars: 0.5,
    proof,
    trigger: yes ? 'auto' : 'manual',
    held: yes,
    progress: yes,
    moved: yes,
    resetsAt,
    what: 'something',
    note: 'something',
    exit: {code: yes ? 1 : 0, signal: undefined},
    meaning,
    name,
    back,
    call: '1.HeldToolUse',
    risky: yes,
    outside: proof,
    yes,
    signal: 15,
    pid: 1,
    agent: 'claude',
    id: '20261118T091500000Z_x' as CheckpointId,
    capture: captureNumber(Math.max(0, ledger.captures + wild.ofCapture)),
    leg: legNumber(Math.max(1, leg + wild.ofLeg)),
  };
  const event: Record<string, unknown> = {type, at: millis(wild.at)};
  for (const key of keysOf(type)) event[key] = fields[key];
  return event as RunEvent;
};

const keysOf = (type: EventType): string[] => {
  const own: Partial<Record<EventType, string[]>> = {
    'leg-spawned': ['leg', 'pid', 'agent'],
    'spawn-failed': ['leg', 'what'],
    'agent-exited': ['leg', 'exit', 'meaning'],
    'checkpoint-written': ['leg', 'capture', 'id', 'progress', 'moved'],
    'checkpoint-skipped': ['leg', 'capture'],
    'checkpoint-failed': ['leg', 'capture', 'what'],
    'timer-fired': ['name'],
    'hang-seen': ['leg', 'evidence'],
    'moment-seen': ['leg', 'trigger', 'what'],
    'uptake-seen': ['leg', 'by', 'afterMs'],
    'usage-seen': ['leg', 'tokens', 'dollars'],
    'quit-asked': ['signal'],
    hangup: [],
    'done-asked': ['note'],
    'handoff-asked': [],
    'call-held': ['leg', 'call', 'what', 'risky', 'outside'],
    'approval-said': ['yes', 'note'],
    'restore-asked': ['back'],
    restored: ['leg', 'id'],
    'restore-failed': ['leg', 'what'],
  };
  return own[type] ?? ['leg', 'evidence', 'proof', 'trigger', 'held', 'resetsAt', 'what'];
};

test(
  'in sheer nonsense, with a clock that jumps anywhere, the rules hold',
  () => {
    fc.assert(
      fc.property(fc.array(nonsense, {maxLength: 150, size: 'max'}), policies, (events, policy) => {
        const watcher = newWatcher(policy, {steady: false});
        const begun = beginRun(T, undefined, policy);
        watcher.begin(begun.effects);
        let before = begun.state;
        for (const wild of events) {
          const event = bind(wild, before);
          const {state: after, effects} = transition(before, event, policy);
          watcher.see({before, event, after, effects});
          before = after;
        }
      }),
      {numRuns: 2000},
    );
  },
  LONG,
);

test(
  'the same life is lived the same way: chance comes from nowhere else',
  () => {
    const told = (life: Life) => JSON.stringify(live(life).effects);
    fc.assert(
      fc.property(lives, (life) => {
        expect(told(life)).toBe(told(life));
      }),
      {numRuns: 50},
    );
  },
  LONG,
);
