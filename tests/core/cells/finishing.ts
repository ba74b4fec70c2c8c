import {captureNumber} from '../../../src/core/ids.ts';
import {
  alert,
  captureFailed,
  captures,
  crash,
  dead,
  death,
  done,
  endTools,
  exit,
  exited,
  failed,
  fifth,
  finishing,
  fired,
  handoff,
  hangup,
  ledger,
  leg,
  newBaton,
  proof,
  quiet,
  quit,
  spawned,
  spawnFailed,
  stop,
  written,
} from '../samples.ts';
import {ends, type Row, stays} from './row.ts';

const quitting = {is: 'quit', signal: 15, exit: undefined} as const;
const isDone = {is: 'done', note: 'all of it'} as const;
const fresh = {ledger: ledger({checkpoint: newBaton})};

const exits: Row[] = [
  {
    name: 'the process is gone: now the last checkpoint, with nobody left who writes',
    state: finishing(),
    event: exited('killed'),
    to: finishing({ledger: fifth(), alive: false, capture: 'pending'}),
    does: [...quiet, endTools, captures('end')],
  },
  {
    name: 'who quit gets the agent’s own code',
    state: finishing({outcome: quitting}),
    event: exited('crashed'),
    to: finishing({ledger: fifth(), outcome: {...quitting, exit: crash}, alive: false, capture: 'pending'}),
    does: [...quiet, endTools, captures('end')],
  },
  {
    name: 'the process is gone while the checkpoint is in the making: no second one',
    state: finishing({capture: 'pending', dead: dead()}),
    event: exited('clean'),
    to: finishing({alive: false, capture: 'pending', dead: dead({exit})}),
    does: quiet,
  },
  {
    name: 'the process is gone and the checkpoint there: over, with the certificate of the death before',
    state: finishing({capture: 'done', outcome: quitting, dead: dead({}, true)}),
    event: exited('crashed'),
    ...ends(
      {...quitting, exit: crash},
      {
        first: [{do: 'certify', leg, death: death({exit: crash}), progress: true, decision: 'the run is over: quit'}],
      },
    ),
  },
];

const reports: Row[] = [
  {
    name: 'the last checkpoint is there: over',
    state: finishing({alive: false, capture: 'pending'}),
    event: written(),
    ...ends(isDone, {from: fresh}),
  },
  {
    name: 'the checkpoint of the death is there, and tells of its progress: over',
    state: finishing({alive: false, capture: 'pending', dead: dead({exit})}),
    event: written(),
    ...ends(isDone, {
      from: fresh,
      first: [{do: 'certify', leg, death: death({exit}), progress: true, decision: 'the run is over: done'}],
    }),
  },
  {
    name: 'the checkpoint is there before the process is gone',
    state: finishing({capture: 'pending', dead: dead()}),
    event: written(),
    to: finishing({...fresh, capture: 'done', dead: dead({}, true)}),
  },
  {
    name: 'a checkpoint begun for another reason is not the last one',
    state: finishing(),
    event: written(),
    to: finishing(fresh),
  },
  {
    name: 'a report on an earlier capture is no news',
    state: finishing({alive: false, capture: 'pending'}),
    event: written({capture: captureNumber(3)}),
  },
  {
    name: 'no last checkpoint: told, and over',
    state: finishing({alive: false, capture: 'pending'}),
    event: failed(),
    ...ends(isDone, {first: [captureFailed]}),
  },
  {
    name: 'no last checkpoint, and the process still there: told, and its end is awaited',
    state: finishing({capture: 'pending'}),
    event: failed(),
    to: finishing({capture: 'done'}),
    does: [captureFailed],
  },
  {
    name: 'no checkpoint for another reason: told; the last one is still to come',
    state: finishing(),
    event: failed(),
    does: [captureFailed],
  },
];

const spawning: Row[] = [
  {
    name: 'it was asked for before the end was known and comes only now: stopped',
    state: finishing(),
    event: spawned,
    does: [stop('finish')],
  },
  {
    name: 'it is told to have come after it was told to be gone: gone',
    state: finishing({alive: false, capture: 'pending'}),
    event: spawned,
  },
  {
    name: 'it never came: nobody to be stopped, the last checkpoint is made',
    state: finishing({outcome: quitting}),
    event: spawnFailed,
    to: finishing({ledger: fifth(), outcome: {...quitting, exit}, alive: false, capture: 'pending'}),
    does: [...quiet, endTools, captures('end')],
  },
];

export const finishingRows: Row[] = [
  ...exits,
  ...reports,
  ...spawning,
  ...stays(
    finishing(),
    'the outcome is known, the first one stays',
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
    quit,
    hangup,
    done,
    handoff,
  ),
  ...stays(
    finishing(),
    'the end has no use for it',
    fired('rest-over'),
    fired('wait-over'),
    fired('leg-stable'),
    fired('time-over'),
    fired('ready-by'),
    fired('done-by'),
  ),
];
