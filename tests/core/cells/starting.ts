import {legNumber} from '../../../src/core/ids.ts';
import {
  after,
  alert,
  attended,
  captures,
  compacting,
  crash,
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
  kill,
  ledger,
  leg,
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
  T,
  told,
  unattended,
  waiting,
  working,
  written,
} from '../samples.ts';
import {isReady} from './ready.ts';
import {died, dies, ends, type Row, stays} from './row.ts';

const first = starting({leg: legNumber(1), ledger: ledger({checkpoint: undefined})});
const ofFirst = {leg: legNumber(1)};
const saidDone = ledger({done: 'all of it'});
const timeOver = {is: 'parked', why: 'the time of the run is over (--max-hours)'} as const;
const terminalGone = {is: 'parked', why: 'the terminal went away'} as const;

const notThere = died({evidence: [{channel: 'process', detail: 'no such file'}]});

const spawning: Row[] = [
  {name: 'its process is there: ready is what we wait for now', state: starting(), event: spawned},
  {
    name: 'an agent that cannot tell is taken for ready after a while',
    state: starting(),
    event: spawned,
    policy: {...attended, assumeReadyMs: 50},
    does: [set('ready-by', 50)],
  },
  {
    name: 'leg 1 that cannot be started ends the run',
    state: first,
    event: {...spawnFailed, ...ofFirst},
    ...ends({is: 'spawn-failed', what: 'no such file'}, {from: first}),
  },
  {
    name: 'a later leg that cannot be started is tried again, within the budget',
    state: starting(),
    event: spawnFailed,
    to: resting({
      ledger: ledger({failures: [T], streak: 1}),
      death: notThere,
    }),
    does: [
      {
        do: 'certify',
        leg,
        death: notThere,
        progress: false,
        decision: 'leg 3 in 1000 ms',
      },
      told({
        is: 'leg-died',
        leg,
        death: notThere,
        progress: false,
      }),
      told({is: 'restarting', leg: next, inMs: 1000, recent: 1, budget: 3, windowMs: 60_000}),
      set('rest-over', 1000),
    ],
  },
  {
    name: 'a later leg that cannot be started has no successor when the work is done',
    state: starting({ledger: saidDone}),
    event: spawnFailed,
    ...ends({is: 'done', note: 'all of it'}, {from: {ledger: saidDone}}),
  },
];

const exits: Row[] = [
  {
    name: 'leg 1 that fails before it is ready gives its own code, and no leg counts',
    state: first,
    event: exited('crashed', ofFirst),
    ...ends({is: 'start-failed', exit: crash}, {from: first}),
  },
  {
    name: 'leg 1 that continues a baton and fails before it is ready: the baton is written anew, it was spent',
    state: starting({leg: legNumber(1)}),
    event: exited('crashed', ofFirst),
    to: finishing({
      leg: legNumber(1),
      ledger: fifth(),
      outcome: {is: 'start-failed', exit: crash},
      alive: false,
      capture: 'pending',
    }),
    does: [...quiet, {...endTools, ...ofFirst}, {...captures('end'), ...ofFirst}],
  },
  {
    name: 'leg 1 that is killed before it is ready is a start failure too',
    state: first,
    event: exited('killed', ofFirst),
    ...ends({is: 'start-failed', exit: kill}, {from: first}),
  },
  {
    name: 'a later leg that fails before it is ready has died',
    state: starting(),
    event: exited('crashed'),
    ...dies(died({evidence: [{channel: 'exit', detail: 'exit 3 before it was ready'}], exit: crash})),
  },
  {
    name: 'a clean end before it was ready is the end of the run: somebody quit',
    state: starting(),
    event: exited('clean'),
    to: finishing({ledger: fifth(), outcome: {is: 'ended', exit}, alive: false, capture: 'pending'}),
    does: [...quiet, endTools, captures('end')],
  },
  {
    name: 'a crash of a later leg is the end of the run when the work is done',
    state: starting({ledger: saidDone}),
    event: exited('crashed'),
    to: finishing({
      ledger: fifth({done: 'all of it'}),
      outcome: {is: 'ended', exit: crash},
      alive: false,
      capture: 'pending',
    }),
    does: [...quiet, endTools, captures('end')],
  },
];

const signals: Row[] = [
  ...(['ready', 'busy', 'idle'] as const).flatMap((type): Row[] => [
    {
      name: `${type} by proof: it is at work`,
      state: starting(),
      event: proof(type),
      to: working({turn: type === 'idle' ? 'over' : 'open'}),
      does: isReady,
    },
    {name: `${type} by alert: good enough`, state: starting(), event: alert(type), to: working(), does: isReady},
  ]),
  {
    name: 'a consent screen is the person’s, and it is still not ready',
    state: starting(),
    event: alert('waiting-for-person'),
    does: [told({is: 'needs-person', leg, what: 'permission for Bash'})],
  },
  ...stays(
    starting(),
    'a screen may quote, and proves no start',
    alert('compaction-started'),
    alert('compaction-done'),
    alert('compaction-failed'),
    alert('context-full'),
    alert('limit'),
    alert('overload'),
    alert('auth'),
    alert('fatal'),
  ),
  {
    name: 'a proved compaction: past its start, and dead',
    state: starting(),
    event: proof('compaction-started'),
    to: dies(died({cause: 'compaction'})).to,
    does: [...isReady, compacting('auto', 'restart'), ...dies(died({cause: 'compaction'})).does],
  },
  ...(
    [
      ['compaction-done', 'compaction'],
      ['compaction-failed', 'compaction-failed'],
      ['context-full', 'context-full'],
    ] as const
  ).map(
    ([type, cause]): Row => ({
      name: `${type} by proof: past its start, and dead`,
      state: starting(),
      event: proof(type),
      to: dies(died({cause})).to,
      does: [...isReady, ...dies(died({cause})).does],
    }),
  ),
  {
    name: 'a proved limit: past its start, and it waits',
    state: starting(),
    event: proof('limit', {resetsAt: after(4500)}),
    policy: unattended,
    to: waiting(),
    does: [...isReady, told({is: 'limit', leg, until: after(4500), waits: true}), set('wait-over', 5000)],
  },
  {
    name: 'a proved overload: past its start, and it waits',
    state: starting(),
    event: proof('overload'),
    policy: unattended,
    to: waiting({for: 'overload', until: after(2000), ledger: ledger({overloads: 1})}),
    does: [...isReady, told({is: 'overload', leg, until: after(2000), waits: true}), set('wait-over', 2000)],
  },
  {
    name: 'a refused key is told to the person, who is there',
    state: starting(),
    event: proof('auth'),
    to: working({trouble: {is: 'lasting', why: 'the agent is not logged in, or its key is refused'}}),
    does: [...isReady, told({is: 'trouble', leg, what: 'the agent is not logged in, or its key is refused'})],
  },
  {
    name: 'a lasting failure parks an unattended run',
    state: starting(),
    event: proof('fatal'),
    policy: unattended,
    to: finishing({outcome: {is: 'parked', why: 'no credits'}}),
    does: [...isReady, ...quiet, stop('finish')],
  },
];

const asked: Row[] = [
  {
    name: 'quit: the process is stopped, and again when it comes only now',
    state: starting(),
    event: quit,
    to: finishing({outcome: {is: 'quit', signal: 15, exit: undefined}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'quit during the first start asks for a checkpoint like any other quit',
    state: starting({ledger: ledger({checkpoint: undefined})}),
    event: quit,
    to: finishing({ledger: ledger({checkpoint: undefined}), outcome: {is: 'quit', signal: 15, exit: undefined}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'the terminal goes away: parked',
    state: starting(),
    event: hangup,
    to: finishing({outcome: terminalGone}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'done, said late by the leg before: an unattended run ends',
    state: starting(),
    event: done,
    policy: unattended,
    to: finishing({outcome: {is: 'done', note: 'all of it'}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'done, with a person there: noted, the agent is theirs',
    state: starting(),
    event: done,
    to: starting({ledger: saidDone}),
  },
  ...stays(starting(), 'it is fresh already; the leg before was asked twice', handoff),
  ...stays(starting(), 'nothing was asked for', written(), failed()),
];

const timers: Row[] = [
  {
    name: 'timer ready-by: taken for ready',
    state: starting(),
    event: fired('ready-by'),
    to: working(),
    does: isReady,
  },
  {
    name: 'timer time-over: the run parks before the leg was ready',
    state: starting(),
    event: fired('time-over'),
    to: finishing({outcome: timeOver}),
    does: [...quiet, stop('finish')],
  },
  ...stays(
    starting(),
    'it was set for another state',
    fired('rest-over'),
    fired('wait-over'),
    fired('leg-stable'),
    fired('done-by'),
  ),
];

export const startingRows: Row[] = [...spawning, ...exits, ...signals, ...asked, ...timers];
