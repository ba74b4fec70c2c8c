// Going back to an earlier checkpoint: what every state does about the request, and the state in which it is done.

import type {Death, StateName} from '../../../src/core/state.ts';
import {
  alert,
  back,
  cancel,
  capturing,
  dead,
  death,
  done,
  exit,
  exited,
  failed,
  finishing,
  fired,
  handoff,
  hangup,
  isOver,
  ledger,
  leg,
  newBaton,
  next,
  oldBaton,
  proof,
  quit,
  resting,
  restoreAsked,
  restored,
  restoreFailed,
  restoring,
  sameAgain,
  spawned,
  spawnFailed,
  starting,
  stopped,
  stopping,
  told,
  unattended,
  waiting,
  working,
  written,
} from '../samples.ts';
import {isReady} from './ready.ts';
import {died, dies, ends, type Row, stays} from './row.ts';

const toGoBack: Death = died({cause: 'restore', evidence: [{channel: 'process', detail: `ckpt restore ${back.to}`}]});
const wanted = ledger({back});
const goesBack = {do: 'restore', leg, back} as const;
const notNow = (why: string, state: Row['state']): Row[] => stays(state, why, restored, restoreFailed);

/** The dead leg of `restoring()`, buried. */
const buried = (decision: string) => [
  {do: 'certify', leg, death: death({cause: 'restore', exit}), progress: true, decision} as const,
  told({is: 'leg-died', leg, death: death({cause: 'restore', exit}), progress: true}),
];
const begins = (baton: typeof newBaton) => [
  ...buried('leg 3 in 0 ms'),
  told({is: 'restarting', leg: next, inMs: 0, recent: 0, budget: 3, windowMs: 60_000}),
  {do: 'spawn-leg', leg: next, baton} as const,
];

const ways: Row[] = [
  {
    name: 'it is done: a fresh leg with the old baton, which nobody has refused yet',
    state: restoring({ledger: ledger({back, untaken: 2})}),
    event: restored,
    to: starting({leg: next, ledger: ledger({checkpoint: newBaton, given: newBaton, uptake: 'awaited'})}),
    does: [told({is: 'restored', leg, to: back.to}), ...begins(newBaton)],
  },
  {
    name: 'it failed: told, and the leg’s own checkpoint is handed on',
    state: restoring(),
    event: restoreFailed,
    to: starting({leg: next, ledger: ledger({uptake: 'awaited'})}),
    does: [told({is: 'restore-failed', leg, to: back.to, what: 'disk full'}), ...begins(oldBaton)],
  },
  {
    name: 'it is done, and the leg before was buried long ago: a fresh leg',
    state: restoring({dead: undefined}),
    event: restored,
    to: starting({leg: next, ledger: ledger({checkpoint: newBaton, given: newBaton, uptake: 'awaited'})}),
    does: [told({is: 'restored', leg, to: back.to}), {do: 'spawn-leg', leg: next, baton: newBaton}],
  },
  {
    name: 'it is done, and the run was ended meanwhile: over, with the old baton for whoever continues',
    state: restoring({outcome: {is: 'done', note: 'all of it'}, dead: undefined}),
    event: restored,
    ...ends(
      {is: 'done', note: 'all of it'},
      {from: {ledger: ledger({checkpoint: newBaton})}, first: [told({is: 'restored', leg, to: back.to})]},
    ),
  },
];

const ended: Row[] = [
  {
    name: 'quit: no fresh leg when it is done',
    state: restoring(),
    event: quit,
    to: restoring({outcome: {is: 'quit', signal: 15, exit}}),
  },
  {
    name: 'the terminal goes away: parked when it is done',
    state: restoring(),
    event: hangup,
    to: restoring({outcome: {is: 'parked', why: 'the terminal went away'}}),
  },
  {
    name: 'the work is done: no fresh leg when the files are back',
    state: restoring(),
    event: done,
    to: restoring({outcome: {is: 'done', note: 'all of it'}}),
  },
  {
    name: 'timer time-over: parked when it is done',
    state: restoring(),
    event: fired('time-over'),
    to: restoring({outcome: {is: 'parked', why: 'the time of the run is over (--max-hours)'}}),
  },
  {
    name: 'quit after it was parked: the first end stays',
    state: restoring({outcome: {is: 'parked', why: 'the terminal went away'}}),
    event: quit,
  },
];

export const restoringRows: Row[] = [
  ...ways,
  ...ended,
  ...stays(restoring(), 'one at a time', restoreAsked, handoff),
  ...stays(
    restoring(),
    'the leg is dead',
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
    spawned,
    spawnFailed,
    exited('crashed'),
    written(),
    failed(),
  ),
  ...stays(
    restoring(),
    'it was set for another state',
    fired('rest-over'),
    fired('wait-over'),
    fired('leg-stable'),
    fired('ready-by'),
    fired('done-by'),
  ),
];

export const restoreRows: Record<StateName, Row[]> = {
  starting: [
    {
      name: 'somebody wants to go back: when it is ready, or gone',
      state: starting(),
      event: restoreAsked,
      to: starting({ledger: wanted}),
    },
    {
      name: 'it is ready, and somebody wants to go back: its checkpoint, then the end of it',
      state: starting({ledger: wanted}),
      event: proof('ready'),
      to: dies(toGoBack, {back}).to,
      does: [...isReady, ...dies(toGoBack, {back}).does],
    },
    ...notNow('not ours', starting()),
  ],
  working: [
    {
      name: 'somebody wants to go back: its checkpoint first',
      state: working(),
      event: restoreAsked,
      ...dies(toGoBack, {back}),
    },
    ...notNow('not ours', working()),
  ],
  waiting: [
    {
      name: 'somebody wants to go back: nobody waits for the provider any more',
      state: waiting(),
      event: restoreAsked,
      policy: unattended,
      ...dies(toGoBack, {back}),
    },
    ...notNow('not ours', waiting()),
  ],
  capturing: [
    {
      name: 'somebody wants to go back: after this death, whose cause stays',
      state: capturing(),
      event: restoreAsked,
      to: capturing({ledger: wanted}),
    },
    {
      name: 'the leg had ended before the checkpoint was there: files and baton go back',
      state: capturing({alive: false, ledger: wanted, death: death({exit})}),
      event: written(),
      to: restoring({ledger: ledger({back, checkpoint: newBaton}), dead: dead({exit}, true)}),
      does: [goesBack],
    },
    {
      name: 'the agent ends by itself while somebody wants to go back: that is done all the same',
      state: capturing({ledger: wanted}),
      event: exited('clean'),
      to: capturing({ledger: wanted, alive: false, death: death({exit})}),
    },
    {
      name: 'it was stopped, all is told, and somebody wants to go back: files and baton first',
      state: stopped({ledger: wanted}),
      event: sameAgain(),
      to: restoring({dead: dead({exit}, true)}),
      does: [goesBack],
    },
    ...notNow('not ours', capturing()),
  ],
  stopping: [
    {
      name: 'somebody wants to go back: when it has stopped',
      state: stopping(),
      event: restoreAsked,
      to: stopping({ledger: wanted}),
    },
    ...notNow('not ours', stopping()),
  ],
  restoring: [],
  resting: [
    {
      name: 'somebody wants to go back: now, since nobody is alive',
      state: resting(),
      event: restoreAsked,
      to: restoring({dead: undefined}),
      does: [cancel('rest-over'), goesBack],
    },
    ...notNow('not ours', resting()),
  ],
  finishing: [...stays(finishing(), 'the run ends', restoreAsked), ...notNow('not ours', finishing())],
  over: [...stays(isOver(), 'over and done', restoreAsked), ...notNow('over and done', isOver())],
};
