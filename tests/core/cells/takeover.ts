// `--takeover codex`: what an agent that cannot go on leads to, when another one may.

import type {Effect} from '../../../src/core/effects.ts';
import {millis} from '../../../src/core/ids.ts';
import type {Policy} from '../../../src/core/policy.ts';
import type {Death, Ledger, StateName} from '../../../src/core/state.ts';
import {
  after,
  attended,
  capturing,
  crash,
  death,
  exit,
  exited,
  fifth,
  finishing,
  fired,
  handoff,
  headless,
  isOver,
  ledger,
  leg,
  newBaton,
  next,
  oldBaton,
  proof,
  quiet,
  quit,
  resting,
  sameAgain,
  set,
  spawnFailed,
  starting,
  stop,
  stopped,
  T,
  told,
  unattended,
  untilDone,
  waiting,
  working,
  written,
} from '../samples.ts';
import {isReady} from './ready.ts';
import {died, dies, ends, type Row, stays} from './row.ts';

const takeovers = ['codex'];
const alone: Policy = {...unattended, takeovers};
const withPerson: Policy = {...attended, takeovers};
const piped: Policy = {...headless, takeovers};
/** Codex is at work: nobody is left to take over. */
const last = {takenOver: [leg]};
const tooLong = 'the usage limit ends in 30 s, later than is waited for with another agent at hand (20 s)';
const lastingWhy = 'the agent is not logged in, or its key is refused';
const byExit = (detail: string) => [{channel: 'exit' as const, detail}];
const asked = [{channel: 'process' as const, detail: 'ckpt handoff'}];

interface Taken {
  dead: Death;
  why: string;
  progress?: boolean;
  some?: Partial<Ledger>;
}

/** The next leg is the other agent's, with the newest baton and nothing held against it. */
const takesOver = ({dead, why, progress = false, some = {}}: Taken): Required<Pick<Row, 'to' | 'does'>> => {
  const baton = some.checkpoint ?? oldBaton;
  const does: Effect[] = [
    {do: 'certify', leg, death: dead, progress, decision: `codex takes over with leg 3: ${why}`},
    told({is: 'leg-died', leg, death: dead, progress}),
    told({is: 'taking-over', leg: next, agent: 'codex', why}),
    {do: 'change-agent', to: 1},
    {do: 'spawn-leg', leg: next, baton},
  ];
  return {
    to: starting({leg: next, ledger: ledger({...some, takenOver: [next], given: baton, uptake: 'awaited'})}),
    does,
  };
};

const workingRows: Row[] = [
  ...(['auth', 'fatal'] as const).map(
    (type): Row => ({
      name: `${type}, and another agent may go on: this leg is dead`,
      state: working(),
      event: proof(type),
      policy: alone,
      ...dies(died({cause: 'refused'})),
    }),
  ),
  {
    name: 'auth, and nobody is left to take over: parked',
    state: working({ledger: ledger(last)}),
    event: proof('auth'),
    policy: alone,
    to: finishing({ledger: ledger(last), outcome: {is: 'parked', why: lastingWhy}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'auth, and a person is there: they are told how the other agent takes over',
    state: working(),
    event: proof('auth'),
    policy: withPerson,
    to: working({trouble: {is: 'lasting', why: lastingWhy}}),
    does: [told({is: 'trouble', leg, what: lastingWhy, other: 'codex'})],
  },
  {
    name: 'a limit that ends soon is waited for, other agent or not',
    state: working(),
    event: proof('limit', {resetsAt: after(19_500)}),
    policy: alone,
    to: waiting({until: after(20_000)}),
    does: [told({is: 'limit', leg, until: after(19_500), waits: true}), set('wait-over', 20_000)],
  },
  {
    name: 'a limit that ends late, and another agent may go on: this leg is dead',
    state: working(),
    event: proof('limit', {resetsAt: after(29_500)}),
    policy: alone,
    ...dies(died({cause: 'limit', notBefore: after(29_500)})),
  },
  {
    name: 'the same with nobody left to take over: waited for',
    state: working({ledger: ledger(last)}),
    event: proof('limit', {resetsAt: after(29_500)}),
    policy: alone,
    to: waiting({ledger: ledger(last), until: after(30_000)}),
    does: [told({is: 'limit', leg, until: after(29_500), waits: true}), set('wait-over', 30_000)],
  },
  {
    name: 'a limit with a person there: they are told how the other agent takes over',
    state: working(),
    event: proof('limit', {resetsAt: after(29_500)}),
    policy: withPerson,
    to: working({trouble: {is: 'limit', resetsAt: after(29_500)}}),
    does: [told({is: 'limit', leg, until: after(29_500), waits: false, other: 'codex'})],
  },
  {
    name: 'a handoff that the person asks for while the agent is refused: for another agent',
    state: working({trouble: {is: 'lasting', why: lastingWhy}}),
    event: handoff,
    policy: withPerson,
    ...dies(died({cause: 'refused', evidence: asked})),
  },
  {
    name: 'a handoff asked for in a long limit: for another agent',
    state: working({trouble: {is: 'limit', resetsAt: after(29_500)}}),
    event: handoff,
    policy: withPerson,
    ...dies(died({cause: 'limit', evidence: asked, notBefore: after(29_500)})),
  },
  {
    name: 'a handoff asked for in a short limit: a fresh leg, as ever',
    state: working({trouble: {is: 'limit', resetsAt: after(500)}}),
    event: handoff,
    policy: withPerson,
    ...dies(died({cause: 'handoff', evidence: asked})),
  },
  {
    name: 'a handoff asked for while all is well: a fresh leg, as ever',
    state: working(),
    event: handoff,
    policy: withPerson,
    ...dies(died({cause: 'handoff', evidence: asked})),
  },
  {
    name: 'a headless agent ends with its refusal: dead, for another agent',
    state: working({trouble: {is: 'lasting', why: 'no credits'}}),
    event: exited('crashed'),
    policy: piped,
    ...dies(died({cause: 'refused', evidence: byExit('exit 3, no credits'), exit: crash})),
  },
  {
    name: 'the same with a person there: its own words and code',
    state: working({trouble: {is: 'lasting', why: 'no credits'}}),
    event: exited('crashed'),
    policy: {...piped, attended: true},
    to: finishing({
      ...{ledger: fifth(), outcome: {is: 'gave-up', exit: crash, why: 'no credits'}},
      ...{alive: false, capture: 'pending'},
    }),
    does: [
      ...quiet,
      {do: 'end-tools', leg},
      {do: 'capture', leg, capture: fifth().captures, trigger: 'end', death: undefined},
    ],
  },
  {
    name: 'a headless agent that ends well with its refusal: the end, unless only ckpt done ends the work',
    state: working({trouble: {is: 'lasting', why: 'no credits'}}),
    event: exited('clean'),
    policy: {...untilDone, takeovers},
    ...dies(died({cause: 'refused', evidence: byExit('exit 0, no credits'), exit})),
  },
];

const refused = death({cause: 'refused'});
const limit = death({cause: 'limit', notBefore: after(29_500)});
const untaken = {untaken: 1, taken: undefined, failures: []};

const buriedRows: Row[] = [
  {
    name: 'refused, and gone: the other agent’s first leg, at once',
    state: stopped({death: refused}),
    event: sameAgain(),
    policy: alone,
    ...takesOver({dead: {...refused, exit}, why: 'its provider refuses it', progress: true}),
  },
  {
    name: 'a late limit, and gone: the other agent’s first leg, with the numbers',
    state: stopped({death: limit, progress: false}),
    event: sameAgain(false),
    policy: alone,
    ...takesOver({dead: {...limit, exit}, why: tooLong}),
  },
  {
    name: 'the budget is spent: the other agent has one of its own',
    state: stopped({progress: false, ledger: ledger({failures: [millis(970_000), millis(980_000)], streak: 2})}),
    event: sameAgain(false),
    policy: alone,
    ...takesOver({dead: death({exit}), why: '3 legs without progress in 60 s (last: context-full)'}),
  },
  {
    name: 'with a person there too: they have said so on the command line',
    state: stopped({progress: false, ledger: ledger({failures: [millis(970_000), millis(980_000)], streak: 2})}),
    event: sameAgain(false),
    policy: withPerson,
    ...takesOver({dead: death({exit}), why: '3 legs without progress in 60 s (last: context-full)'}),
  },
  {
    name: 'no agent takes the baton up: the newest one, for the other agent',
    state: stopped({death: death({cause: 'no-uptake'}), progress: false, ledger: ledger(untaken)}),
    event: sameAgain(false),
    policy: alone,
    ...takesOver({
      dead: death({cause: 'no-uptake', exit}),
      why: '2 agents in a row have not taken the baton up',
      some: {taken: undefined},
    }),
  },
  {
    name: 'the last leg that --max-legs allows: parked, whoever could go on',
    state: stopped({death: refused}),
    event: sameAgain(),
    policy: {...alone, maxLegs: 2},
    ...ends(
      {is: 'parked', why: 'leg 2 of at most 2 (--max-legs)'},
      {
        first: [
          told({is: 'leg-died', leg, death: {...refused, exit}, progress: true}),
          {
            ...{do: 'certify', leg, death: {...refused, exit}, progress: true},
            decision: 'parked: leg 2 of at most 2 (--max-legs)',
          },
        ],
      },
    ),
  },
];

const silent: Death = {
  ...{cause: 'crashed', at: T, evidence: [{channel: 'process', detail: 'no such file'}]},
  ...{exit: undefined, notBefore: undefined},
};

export const takeoverRows: Record<StateName, Row[]> = {
  starting: [
    {
      name: 'refused before it was ready, and another agent may go on: this leg is dead',
      state: starting(),
      event: proof('auth'),
      policy: alone,
      ...dies(died({cause: 'refused'})),
      does: [...isReady, ...dies(died({cause: 'refused'})).does],
    },
    {
      name: 'it cannot be started any more, the budget is spent: the other agent’s first leg',
      state: starting({ledger: ledger({failures: [millis(970_000), millis(980_000)], streak: 2})}),
      event: spawnFailed,
      policy: alone,
      ...takesOver({dead: silent, why: '3 legs without progress in 60 s (last: crashed)'}),
    },
  ],
  working: workingRows,
  waiting: [
    {
      name: 'refused while it waits, and another agent may go on: this leg is dead',
      state: waiting(),
      event: proof('auth'),
      policy: alone,
      ...dies(died({cause: 'refused'})),
    },
  ],
  capturing: [
    ...buriedRows,
    {
      name: 'refused and gone, its checkpoint is there: the other agent’s first leg gets it',
      state: capturing({death: death({cause: 'refused', exit: crash}), alive: false}),
      event: written(),
      policy: piped,
      ...takesOver({
        dead: death({cause: 'refused', exit: crash}),
        why: 'its provider refuses it',
        progress: true,
        some: {checkpoint: newBaton},
      }),
    },
  ],
  stopping: [],
  resting: [
    {
      name: 'timer rest-over of an agent that has taken over: its own next leg',
      state: resting({ledger: ledger(last)}),
      event: fired('rest-over'),
      policy: alone,
      to: starting({leg: next, ledger: ledger({...last, uptake: 'awaited'})}),
      does: [{do: 'spawn-leg', leg: next, baton: oldBaton}],
    },
  ],
  restoring: [],
  finishing: stays(
    finishing({dead: {death: refused, progress: true}}),
    'the person’s word came before a takeover',
    quit,
  ),
  over: stays(isOver({outcome: {is: 'parked', why: lastingWhy}}), 'a parked run is taken up by a person', handoff),
};
