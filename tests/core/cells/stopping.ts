import {millis} from '../../../src/core/ids.ts';
import type {Outcome} from '../../../src/core/state.ts';
import {
  after,
  alert,
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
  next,
  oldBaton,
  proof,
  quit,
  resting,
  sameAgain,
  set,
  spawned,
  spawnFailed,
  starting,
  stopped,
  stopping,
  T,
  told,
  written,
} from '../samples.ts';
import {ends, type Row, stays} from './row.ts';

const legDied = (progress: boolean, how = exit) => told({is: 'leg-died', leg, death: death({exit: how}), progress});
const certified = (progress: boolean, decision: string, how = exit) =>
  ({do: 'certify', leg, death: death({exit: how}), progress, decision}) as const;

/** What comes when all of it is told. */
export const buriedRows: Row[] = [
  {
    name: 'it was stopped, all is told, and the work had moved: a fresh leg at once, with the newest baton',
    state: stopped(),
    event: sameAgain(),
    to: starting({leg: next, ledger: ledger({uptake: 'awaited'})}),
    does: [
      certified(true, 'leg 3 in 0 ms'),
      legDied(true),
      told({is: 'restarting', leg: next, inMs: 0, recent: 0, budget: 3, windowMs: 60_000}),
      {do: 'spawn-leg', leg: next, baton: oldBaton},
    ],
  },
  {
    name: 'it was stopped and had done nothing, the second time: a longer pause',
    state: stopped({progress: false, ledger: ledger({failures: [millis(980_000)], streak: 1})}, crash),
    event: sameAgain(false),
    to: resting({ledger: ledger({failures: [millis(980_000), T], streak: 2}), until: after(2000)}),
    does: [
      certified(false, 'leg 3 in 2000 ms', crash),
      legDied(false, crash),
      told({is: 'restarting', leg: next, inMs: 2000, recent: 2, budget: 3, windowMs: 60_000}),
      set('rest-over', 2000),
    ],
  },
  {
    name: 'the budget is spent: parked, with the numbers',
    state: stopped({progress: false, ledger: ledger({failures: [millis(970_000), millis(980_000)], streak: 2})}),
    event: sameAgain(false),
    ...ends(
      {is: 'parked', why: '3 legs without progress in 60 s (last: context-full)'},
      {
        from: {ledger: ledger({failures: [millis(970_000), millis(980_000), T], streak: 3})},
        first: [legDied(false), certified(false, 'parked: 3 legs without progress in 60 s (last: context-full)')],
      },
    ),
  },
];

const exits: Row[] = [
  {
    name: 'the agent is gone: what it did while its checkpoint was made is told too',
    state: stopping(),
    event: exited('clean'),
    to: stopped({ledger: fifth()}),
    does: [
      {do: 'end-tools', leg},
      {do: 'capture', leg, capture: fifth().captures, trigger: 'death', death: death({exit})},
    ],
  },
  {
    name: 'the same behind a compaction that was held',
    state: stopping({death: death({cause: 'compaction'})}),
    event: exited('killed'),
    to: stopped({ledger: fifth(), death: death({cause: 'compaction'})}, kill),
    does: [
      {do: 'end-tools', leg},
      {
        ...{do: 'capture', leg, capture: fifth().captures, trigger: 'pre-compaction'},
        death: death({cause: 'compaction', exit: kill}),
      },
    ],
  },
];

/** It is being stopped already. */
const only = (outcome: Outcome): Pick<Row, 'to'> => ({
  to: finishing({outcome, capture: 'done', dead: dead({}, true)}),
});

const asked: Row[] = [
  {
    name: 'quit: no fresh leg when it has stopped',
    state: stopping(),
    event: quit,
    ...only({is: 'quit', signal: 15, exit: undefined}),
  },
  {
    name: 'the terminal goes away: parked when it has stopped',
    state: stopping(),
    event: hangup,
    ...only({is: 'parked', why: 'the terminal went away'}),
  },
  {
    name: 'the work is done: no fresh leg when it has stopped',
    state: stopping(),
    event: done,
    ...only({is: 'done', note: 'all of it'}),
  },
  ...stays(stopping(), 'a handoff is under way', handoff),
];

const others: Row[] = [
  ...stays(
    stopping(),
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
  ...stays(stopping(), 'we know', spawned, spawnFailed),
  ...stays(stopping(), 'the checkpoint of this death is there already', written(), failed()),
  {
    name: 'timer time-over: no fresh leg when it has stopped',
    state: stopping(),
    event: fired('time-over'),
    ...only({is: 'parked', why: 'the time of the run is over (--max-hours)'}),
  },
  ...stays(
    stopping(),
    'it was set for another state',
    fired('rest-over'),
    fired('wait-over'),
    fired('leg-stable'),
    fired('ready-by'),
    fired('done-by'),
  ),
];

export const stoppingRows: Row[] = [...exits, ...asked, ...others];
