import {captureNumber} from '../../../src/core/ids.ts';
import type {Outcome} from '../../../src/core/state.ts';
import {
  after,
  alert,
  attended,
  captureFailed,
  captures,
  capturing,
  crash,
  dead,
  death,
  done,
  exit,
  exited,
  failed,
  fifth,
  finishing,
  fired,
  handoff,
  hangup,
  kill,
  ledger,
  leg,
  newBaton,
  next,
  proof,
  quiet,
  quit,
  resting,
  set,
  spawned,
  spawnFailed,
  starting,
  stop,
  stopping,
  T,
  told,
  unattended,
  working,
  written,
} from '../samples.ts';
import {ends, type Row, stays} from './row.ts';

/** The newest checkpoint has not been reported on. */
const making = {ledger: fifth()};
const gone = (some: object = {}) => capturing({alive: false, death: death({exit: crash, ...some})});
const noCheckpoint = {is: 'parked', why: 'the checkpoint could not be written: disk full'} as const;

const reports: Row[] = [
  {
    name: 'the checkpoint is there: now the agent may be stopped',
    state: capturing(),
    event: written(),
    to: stopping({ledger: ledger({checkpoint: newBaton})}),
    does: [stop('handoff')],
  },
  {
    name: 'the checkpoint of a dead leg that moved the work: a fresh one at once',
    state: gone(),
    event: written(),
    to: starting({leg: next, ledger: ledger({checkpoint: newBaton, uptake: 'awaited', given: newBaton})}),
    does: [
      {do: 'certify', leg, death: death({exit: crash}), progress: true, decision: 'leg 3 in 0 ms'},
      told({is: 'leg-died', leg, death: death({exit: crash}), progress: true}),
      told({is: 'restarting', leg: next, inMs: 0, recent: 0, budget: 3, windowMs: 60_000}),
      {do: 'spawn-leg', leg: next, baton: newBaton},
    ],
  },
  {
    name: 'the checkpoint of a dead leg without progress: a pause first',
    state: gone(),
    event: written({progress: false}),
    to: resting({ledger: ledger({checkpoint: newBaton, failures: [T], streak: 1})}),
    does: [
      {do: 'certify', leg, death: death({exit: crash}), progress: false, decision: 'leg 3 in 1000 ms'},
      told({is: 'leg-died', leg, death: death({exit: crash}), progress: false}),
      told({is: 'restarting', leg: next, inMs: 1000, recent: 1, budget: 3, windowMs: 60_000}),
      set('rest-over', 1000),
    ],
  },
  {
    name: 'the checkpoint of the last leg that is allowed: parked',
    state: gone(),
    event: written(),
    policy: {...attended, maxLegs: 2},
    ...ends(
      {is: 'parked', why: 'leg 2 of at most 2 (--max-legs)'},
      {
        from: {ledger: ledger({checkpoint: newBaton})},
        first: [
          told({is: 'leg-died', leg, death: death({exit: crash}), progress: true}),
          {
            do: 'certify',
            leg,
            death: death({exit: crash}),
            progress: true,
            decision: 'parked: leg 2 of at most 2 (--max-legs)',
          },
        ],
      },
    ),
  },
  {
    name: 'a report on an earlier capture is no news: it knows nothing of the death',
    state: gone(),
    event: written({capture: captureNumber(3)}),
  },
  {
    name: 'a failure of an earlier capture is no news either',
    state: gone(),
    event: failed({capture: captureNumber(3)}),
  },
];

/** It has just died; and so long after the death that nobody waits for the disk any more. */
const fresh = death({at: T});
const late = failed({at: after(1200)});

const again: Row[] = [
  {
    name: 'no checkpoint of a living leg: tried again in a moment, and a held agent stays held',
    state: capturing({death: fresh}),
    event: failed({at: after(1199)}),
    does: [set('capture-again', 1499)],
  },
  {
    name: 'no checkpoint of a dead leg: tried again, nobody is parked for a moment’s full disk',
    state: gone({at: T}),
    event: failed(),
    policy: unattended,
    does: [set('capture-again', 300)],
  },
  {
    name: 'no checkpoint after the end of a leg whose handoff was asked for: tried again too',
    state: gone({cause: 'handoff', at: T}),
    event: failed(),
    does: [set('capture-again', 300)],
  },
  {
    name: 'a clock that was set back does not make it wait for ever',
    state: gone({at: after(50_000)}),
    event: failed(),
    ...ends(noCheckpoint, {
      first: [
        captureFailed,
        {
          do: 'certify',
          leg,
          death: death({exit: crash, at: after(50_000)}),
          progress: false,
          decision: 'parked: the checkpoint could not be written: disk full',
        },
      ],
    }),
  },
  {
    name: 'timer capture-again: asked for anew',
    state: gone(),
    event: fired('capture-again'),
    to: capturing({ledger: fifth(), alive: false, death: death({exit: crash})}),
    does: [captures('death', death({exit: crash}))],
  },
  {
    name: 'quit between two tries: the last checkpoint is asked for after the agent has ended',
    state: capturing(),
    event: quit,
    to: finishing({
      outcome: {is: 'quit', signal: 15, exit: undefined},
      capture: 'wanted',
      dead: dead(),
    }),
    does: [...quiet, stop('finish')],
  },
];

const failures: Row[] = [
  {
    name: 'no checkpoint, and a person is there: the living agent goes on bare',
    state: capturing(),
    event: late,
    to: working(),
    does: [captureFailed, {do: 'answer-hook', leg, answer: 'allow'}, set('leg-stable', 31_200), set('interval', 6200)],
  },
  ...(['compaction', 'handoff'] as const).map(
    (cause): Row => ({
      name: `no checkpoint before a ${cause}: the living agent goes on, unattended too`,
      state: capturing({death: death({cause})}),
      event: late,
      policy: unattended,
      to: working(),
      does: [
        captureFailed,
        {do: 'answer-hook', leg, answer: 'allow'},
        set('leg-stable', 31_200),
        set('interval', 6200),
      ],
    }),
  ),
  {
    name: 'no checkpoint of a session that cannot go on, unattended: parked',
    state: capturing(),
    event: late,
    policy: unattended,
    to: finishing({outcome: noCheckpoint, capture: 'done', dead: dead()}),
    does: [captureFailed, ...quiet, stop('finish')],
  },
  {
    name: 'no checkpoint of a dead leg: parked, an older baton would have its work done twice',
    state: gone(),
    event: late,
    ...ends(noCheckpoint, {
      first: [
        captureFailed,
        {
          do: 'certify',
          leg,
          death: death({exit: crash}),
          progress: false,
          decision: 'parked: the checkpoint could not be written: disk full',
        },
      ],
    }),
  },
];

const exits: Row[] = [
  {
    name: 'it crashes meanwhile: the first cause stays, the exit is noted',
    state: capturing(),
    event: exited('killed'),
    to: capturing({alive: false, death: death({exit: kill})}),
  },
  {
    name: 'it ends cleanly before we asked it to: the person quit, the run ends with its checkpoint',
    state: capturing(making),
    event: exited('clean'),
    to: finishing({...making, outcome: {is: 'ended', exit}, alive: false, capture: 'pending', dead: dead({exit})}),
    does: quiet,
  },
  {
    name: 'it ends cleanly after a handoff was asked for: a fresh leg all the same',
    state: capturing({death: death({cause: 'handoff'})}),
    event: exited('clean'),
    to: capturing({alive: false, death: death({cause: 'handoff', exit})}),
  },
];

const whileAlive = (outcome: Outcome): Pick<Row, 'to' | 'does'> => ({
  to: finishing({...making, outcome, capture: 'pending', dead: dead()}),
  does: [...quiet, stop('finish')],
});

const asked: Row[] = [
  {
    name: 'quit: the agent is stopped, the checkpoint in the making is the last',
    state: capturing(making),
    event: quit,
    ...whileAlive({is: 'quit', signal: 15, exit: undefined}),
  },
  {
    name: 'quit when the agent has died already: only the checkpoint is awaited',
    state: {...gone(), ...making},
    event: quit,
    to: finishing({
      ...making,
      outcome: {is: 'quit', signal: 15, exit: crash},
      alive: false,
      capture: 'pending',
      dead: dead({exit: crash}),
    }),
    does: quiet,
  },
  {
    name: 'the terminal goes away: parked',
    state: capturing(making),
    event: hangup,
    ...whileAlive({is: 'parked', why: 'the terminal went away'}),
  },
  {
    name: 'the work is done: no fresh leg',
    state: capturing(making),
    event: done,
    ...whileAlive({is: 'done', note: 'all of it'}),
  },
  ...stays(capturing(), 'a handoff is under way', handoff),
];

const signals: Row[] = [
  ...stays(
    capturing(),
    'the death is decided, the first cause stays',
    proof('ready'),
    proof('busy'),
    proof('idle'),
    proof('waiting-for-person'),
    proof('compaction-started'),
    proof('compaction-done'),
    proof('compaction-failed'),
    proof('context-full'),
    proof('limit'),
    proof('overload'),
    proof('auth'),
    proof('fatal'),
    alert('limit'),
  ),
  ...stays(capturing(), 'we know', spawned, spawnFailed),
];

const timers: Row[] = [
  {
    name: 'timer time-over: no fresh leg, the run parks',
    state: capturing(making),
    event: fired('time-over'),
    ...whileAlive({is: 'parked', why: 'the time of the run is over (--max-hours)'}),
  },
  ...stays(
    capturing(),
    'it was set for another state',
    fired('rest-over'),
    fired('wait-over'),
    fired('leg-stable'),
    fired('ready-by'),
    fired('done-by'),
  ),
];

export const capturingRows: Row[] = [...reports, ...again, ...failures, ...exits, ...asked, ...signals, ...timers];
