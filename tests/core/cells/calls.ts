// Calls that wait in our hook: behind a checkpoint, behind a person's word.

import type {Effect} from '../../../src/core/effects.ts';
import type {Ask, StateName} from '../../../src/core/state.ts';
import {
  after,
  attended,
  cancel,
  captures,
  capturing,
  fifth,
  finishing,
  fired,
  held,
  isOver,
  ledger,
  leg,
  resting,
  restoring,
  said,
  set,
  skipped,
  starting,
  stopping,
  T,
  told,
  unattended,
  waiting,
  working,
} from '../samples.ts';
import {isReady} from './ready.ts';
import {type Row, stays} from './row.ts';

const gate = {...attended, approval: {on: true, waitMs: 4000}};
const off = {...attended, saves: {...attended.saves, triggers: []}};
const call = '7.HeldToolUse';
const answers = (answer: 'go' | 'deny', why = '', which = call): Effect => ({
  ...{do: 'answer-call', leg, call: which, answer, why},
});
const goes = answers('go');
const push = {what: 'Bash: git push', risky: false, outside: true};
const ask: Ask = {call, what: 'Bash: git push', until: after(4000)};
const asks = told({is: 'approval', leg, what: 'Bash: git push', waitMs: 4000});
const late = 'this call is felt outside the folder and nobody has approved it in time; go on without it';

const workingRows: Row[] = [
  {
    name: 'a risky call: its checkpoint, then it goes on',
    state: working(),
    event: held(),
    to: working({ledger: fifth()}),
    does: [captures('before_risky_change'), goes],
  },
  {
    name: 'a risky call while a checkpoint is in the making: one of its own, since it must be before',
    state: working({ledger: fifth()}),
    event: held(),
    to: working({ledger: {...fifth(), captures: (fifth().captures + 1) as never}}),
    does: [{...captures('before_risky_change'), capture: (fifth().captures + 1) as never} as Effect, goes],
  },
  {
    name: 'a risky call, automatic ones switched off: it goes on',
    state: working(),
    event: held(),
    policy: off,
    does: [goes],
  },
  {name: 'a push, and nobody wants to be asked: it goes on', state: working(), event: held(push), does: [goes]},
  {
    name: 'a push, and the person wants to be asked: they are, for so long',
    state: working(),
    event: held(push),
    policy: gate,
    to: working({ledger: ledger({asks: [ask]})}),
    does: [asks, set('approval-by', 4000)],
  },
  {
    name: 'a migration, and the person wants to be asked: a checkpoint, then they are',
    state: working(),
    event: held({...push, risky: true}),
    policy: gate,
    to: working({ledger: fifth({asks: [ask]})}),
    does: [captures('before_risky_change'), asks, set('approval-by', 4000)],
  },
  {
    name: 'the person says yes: all that wait go on, as they would without us',
    state: working({ledger: ledger({asks: [ask, {...ask, call: '8'}]})}),
    event: said(true),
    to: working(),
    does: [goes, answers('go', '', '8'), cancel('approval-by')],
  },
  {
    name: 'the person says no: the agent is told',
    state: working({ledger: ledger({asks: [ask]})}),
    event: said(false),
    to: working(),
    does: [answers('deny', 'a person said no'), cancel('approval-by')],
  },
  {name: 'a yes to nothing', state: working(), event: said(true), does: [cancel('approval-by')]},
  {
    name: 'timer approval-by: what is late is denied, the rest has its time',
    state: working({
      ledger: ledger({
        asks: [
          {...ask, until: T},
          {...ask, call: '8'},
        ],
      }),
    }),
    event: fired('approval-by'),
    to: working({ledger: ledger({asks: [{...ask, call: '8'}]})}),
    does: [answers('deny', late), set('approval-by', 4000)],
  },
  {
    name: 'timer approval-by, and nobody waits',
    state: working(),
    event: fired('approval-by'),
    does: [cancel('approval-by')],
  },
  {
    name: 'nothing has moved, and the agent is held for a compaction: let go',
    state: working({held: 'allow'}),
    event: skipped(),
    to: working({ledger: ledger()}),
    does: [{do: 'answer-hook', leg, answer: 'allow'}],
  },
];

const all = [held(), said(true), fired('approval-by')];

export const callRows: Record<StateName, Row[]> = {
  starting: [
    {
      name: 'a risky call: whoever calls is ready',
      state: starting(),
      event: held(),
      to: working({ledger: fifth()}),
      does: [...isReady, captures('before_risky_change'), goes],
    },
    ...stays(starting(), 'nobody waits', said(true), fired('approval-by')),
  ],
  working: workingRows,
  waiting: [
    {
      name: 'a risky call, told late: its checkpoint, and the wait goes on',
      state: waiting(),
      event: held(),
      policy: unattended,
      to: waiting({ledger: fifth()}),
      does: [captures('before_risky_change'), goes],
    },
    {
      name: 'the person says yes: it goes on, and so does the wait',
      state: waiting({ledger: ledger({asks: [ask]})}),
      event: said(true),
      policy: unattended,
      to: waiting(),
      does: [goes, cancel('approval-by')],
    },
    {
      name: 'timer approval-by: denied, and the wait goes on',
      state: waiting({ledger: ledger({asks: [{...ask, until: T}]})}),
      event: fired('approval-by'),
      policy: unattended,
      to: waiting(),
      does: [answers('deny', late), cancel('approval-by')],
    },
  ],
  capturing: stays(capturing(), 'the leg dies: nothing is done behind its checkpoint', ...all),
  stopping: stays(stopping(), 'the leg dies: nothing is done behind its checkpoint', ...all),
  restoring: stays(restoring(), 'the leg is dead', ...all),
  resting: stays(resting(), 'the leg is dead', ...all),
  finishing: stays(finishing(), 'the run ends', ...all),
  over: stays(isOver(), 'over and done', ...all),
};
