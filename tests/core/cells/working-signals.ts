import {
  after,
  alert,
  attended,
  captures,
  compacting,
  fifth,
  finishing,
  headless,
  ledger,
  leg,
  proof,
  quiet,
  set,
  spawned,
  spawnFailed,
  stop,
  told,
  unattended,
  waiting,
  working,
} from '../samples.ts';
import {died, dies, type Row, stays} from './row.ts';

const saidDone = ledger({done: 'all of it'});
const observing = {...attended, onCompaction: 'observe'} as const;
const reinjecting = {...attended, onCompaction: 'reinject'} as const;
const refused = 'the agent is not logged in, or its key is refused';
const asDone = {
  to: finishing({ledger: saidDone, outcome: {is: 'done', note: 'all of it'}}),
  does: [...quiet, stop('finish')],
} as const satisfies Partial<Row>;

const turns: Row[] = [
  {
    name: 'a new prompt: trouble and done are past',
    state: working({turn: 'none', trouble: {is: 'overload'}, ledger: saidDone}),
    event: proof('busy'),
    to: working(),
  },
  {
    name: 'in an open turn it is old news of a slower channel: what was said in it still holds',
    state: working({trouble: {is: 'overload'}, ledger: saidDone}),
    event: proof('busy'),
    to: working({ledger: saidDone}),
  },
  ...stays(
    working({trouble: {is: 'overload'}, ledger: saidDone}),
    'what proof has told no screen takes back',
    alert('busy'),
    alert('idle'),
  ),
  {
    name: 'the turn ended well: trouble, overloads and nudges are past',
    state: working({trouble: {is: 'overload'}, ledger: ledger({overloads: 3, nudges: 2})}),
    event: proof('idle'),
    to: working({turn: 'over'}),
  },
  {
    name: 'the turn that said done has ended: an unattended run is over',
    state: working({ledger: saidDone}),
    event: proof('idle'),
    policy: unattended,
    ...asDone,
  },
  {
    name: 'the turn that said done has ended: with a person there the agent stays',
    state: working({ledger: saidDone}),
    event: proof('idle'),
    to: working({ledger: saidDone, turn: 'over'}),
  },
  {
    name: 'a permission prompt is the person’s',
    state: working(),
    event: proof('waiting-for-person'),
    policy: unattended,
    to: working({ledger: ledger({question: 'proved'})}),
    does: [told({is: 'needs-person', leg, what: 'permission for Bash'})],
  },
  {
    name: 'what the screen shows of a prompt does not take its proof back',
    state: working({ledger: ledger({question: 'proved'})}),
    event: alert('waiting-for-person'),
    policy: unattended,
    does: [told({is: 'needs-person', leg, what: 'permission for Bash'})],
  },
  {
    name: 'it is at work again: the question was answered',
    state: working({ledger: ledger({question: 'proved'})}),
    event: proof('busy'),
    policy: unattended,
    to: working(),
  },
  {
    name: 'a limit with its menu open: nobody wakes by itself there',
    state: working({ledger: ledger({question: 'proved'})}),
    event: proof('limit', {resetsAt: after(4500)}),
    policy: {...unattended, wakesMs: 3000},
    to: waiting({ledger: ledger({question: 'proved'})}),
    does: [told({is: 'limit', leg, until: after(4500), waits: true}), set('wait-over', 5000)],
  },
  {
    name: 'a limit whose end the agent waits for by itself: it has its time to wake',
    state: working(),
    event: proof('limit', {resetsAt: after(4500)}),
    policy: {...unattended, wakesMs: 3000},
    to: waiting({until: after(8000)}),
    does: [told({is: 'limit', leg, until: after(4500), waits: true}), set('wait-over', 8000)],
  },
  ...stays(working(), 'we know', proof('ready'), alert('ready'), spawned, spawnFailed),
];

const compactions: Row[] = [
  {
    name: 'compaction is about to begin: checkpoint, then a fresh leg',
    state: working(),
    event: proof('compaction-started'),
    to: dies(died({cause: 'compaction'})).to,
    does: [compacting('auto', 'restart'), ...dies(died({cause: 'compaction'})).does],
  },
  {
    name: 'the person’s own /compact is held for a checkpoint and given the baton back',
    state: working(),
    event: proof('compaction-started', {trigger: 'manual'}),
    to: working({ledger: fifth(), held: 'reinject'}),
    does: [compacting('manual', 'reinject'), captures('pre-compaction')],
  },
  {
    name: 'by --on-compaction=reinject it is held for a checkpoint and given the baton back',
    state: working(),
    event: proof('compaction-started'),
    policy: reinjecting,
    to: working({ledger: fifth(), held: 'reinject'}),
    does: [compacting('auto', 'reinject'), captures('pre-compaction')],
  },
  {
    name: 'by --on-compaction=observe it is held for a checkpoint and let go',
    state: working(),
    event: proof('compaction-started'),
    policy: observing,
    to: working({ledger: fifth(), held: 'allow'}),
    does: [compacting('auto', 'observe'), captures('pre-compaction')],
  },
  {
    name: 'compaction proved done although we wanted to be first: a fresh leg now',
    state: working(),
    event: proof('compaction-done'),
    ...dies(died({cause: 'compaction'})),
  },
  {
    name: 'the person’s own compaction done: as they wished',
    state: working(),
    event: proof('compaction-done', {trigger: 'manual'}),
  },
  {
    name: 'compaction done after we let it go: as the policy wished',
    state: working(),
    event: proof('compaction-done'),
    policy: reinjecting,
  },
  {
    name: 'compaction failed: a fresh leg',
    state: working(),
    event: proof('compaction-failed'),
    ...dies(died({cause: 'compaction-failed'})),
  },
  {
    name: 'the context is full: a fresh leg',
    state: working(),
    event: proof('context-full'),
    ...dies(died({cause: 'context-full'})),
  },
  ...stays(
    working(),
    'a screen may alert, never kill',
    alert('compaction-started'),
    alert('compaction-done'),
    alert('compaction-failed'),
    alert('context-full'),
    alert('limit'),
    alert('overload'),
    alert('auth'),
    alert('fatal'),
  ),
];

const troubles: Row[] = [
  {
    name: 'a limit with its reset time: waited out, and a margin',
    state: working(),
    event: proof('limit', {resetsAt: after(4500)}),
    policy: unattended,
    to: waiting(),
    does: [told({is: 'limit', leg, until: after(4500), waits: true}), set('wait-over', 5000)],
  },
  {
    name: 'a limit without a reset time: tried again after a while',
    state: working({held: 'allow'}),
    event: proof('limit'),
    policy: unattended,
    to: waiting({until: after(9000), held: 'allow'}),
    does: [told({is: 'limit', leg, until: undefined, waits: true}), set('wait-over', 9000)],
  },
  {
    name: 'a limit whose end has passed: only the margin',
    state: working(),
    event: proof('limit', {resetsAt: after(-4500)}),
    policy: unattended,
    to: waiting({until: after(500)}),
    does: [told({is: 'limit', leg, until: after(-4500), waits: true}), set('wait-over', 500)],
  },
  {
    name: 'a limit longer than --max-wait parks the run',
    state: working(),
    event: proof('limit', {resetsAt: after(49_500)}),
    policy: unattended,
    to: finishing({
      outcome: {is: 'parked', why: 'the usage limit ends in 50 s, later than --max-wait allows (40 s)'},
    }),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'a limit with a person there is only told',
    state: working(),
    event: proof('limit', {resetsAt: after(4500)}),
    to: working({trouble: {is: 'limit', resetsAt: after(4500)}}),
    does: [told({is: 'limit', leg, until: after(4500), waits: false})],
  },
  {
    name: 'a limit of a headless agent, which ends by itself now: kept in mind',
    state: working(),
    event: proof('limit', {resetsAt: after(4500)}),
    policy: headless,
    to: working({trouble: {is: 'limit', resetsAt: after(4500)}}),
    does: [told({is: 'limit', leg, until: after(4500), waits: true})],
  },
  {
    name: 'the first overload: the lowest rung of the ladder',
    state: working({held: 'reinject'}),
    event: proof('overload'),
    policy: unattended,
    to: waiting({for: 'overload', until: after(2000), ledger: ledger({overloads: 1}), held: 'reinject'}),
    does: [told({is: 'overload', leg, until: after(2000), waits: true}), set('wait-over', 2000)],
  },
  {
    name: 'the third overload in a row: the third rung',
    state: working({ledger: ledger({overloads: 2})}),
    event: proof('overload'),
    policy: unattended,
    to: waiting({for: 'overload', until: after(8000), ledger: ledger({overloads: 3})}),
    does: [told({is: 'overload', leg, until: after(8000), waits: true}), set('wait-over', 8000)],
  },
  {
    name: 'an overload of a headless agent, which ends by itself now: kept in mind, and one rung',
    state: working({ledger: ledger({overloads: 2})}),
    event: proof('overload'),
    policy: headless,
    to: working({trouble: {is: 'overload'}, ledger: ledger({overloads: 3})}),
    does: [told({is: 'overload', leg, until: after(8000), waits: true})],
  },
  {
    name: 'the same overload of a headless agent told again: the same rung',
    state: working({trouble: {is: 'overload'}, ledger: ledger({overloads: 3})}),
    event: proof('overload'),
    policy: headless,
    does: [told({is: 'overload', leg, until: after(16_000), waits: true})],
  },
  {
    name: 'an overload with a person there is only told',
    state: working(),
    event: proof('overload'),
    to: working({trouble: {is: 'overload'}}),
    does: [told({is: 'overload', leg, until: after(2000), waits: false})],
  },
  ...(
    [
      ['auth', refused],
      ['fatal', 'no credits'],
    ] as const
  ).flatMap(([type, why]): Row[] => [
    {
      name: `${type}: a person who is there is told`,
      state: working(),
      event: proof(type),
      to: working({trouble: {is: 'lasting', why}}),
      does: [told({is: 'trouble', leg, what: why})],
    },
    {
      name: `${type}: of a headless agent, which ends by itself now: kept in mind`,
      state: working(),
      event: proof(type),
      policy: headless,
      to: working({trouble: {is: 'lasting', why}}),
      does: [told({is: 'trouble', leg, what: why})],
    },
    {
      name: `${type}: an unattended run parks`,
      state: working(),
      event: proof(type),
      policy: unattended,
      to: finishing({outcome: {is: 'parked', why}}),
      does: [...quiet, stop('finish')],
    },
  ]),
  ...(
    [
      'compaction-started',
      'compaction-done',
      'compaction-failed',
      'context-full',
      'limit',
      'overload',
      'auth',
      'fatal',
    ] as const
  ).map(
    (type): Row => ({
      name: `${type} when the work is done: nobody takes it over, the run is over`,
      state: working({ledger: saidDone}),
      event: proof(type),
      policy: unattended,
      ...asDone,
    }),
  ),
];

export const workingSignalRows: Row[] = [...turns, ...compactions, ...troubles];
