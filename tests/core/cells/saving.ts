// Checkpoints that nobody asked for.

import type {StateName} from '../../../src/core/state.ts';
import {
  attended,
  captures,
  capturing,
  fifth,
  finishing,
  fired,
  isOver,
  leg,
  moment,
  resting,
  restoring,
  set,
  starting,
  stopping,
  unattended,
  waiting,
  working,
} from '../samples.ts';
import {isReady} from './ready.ts';
import {type Row, stays} from './row.ts';

const off = {...attended, saves: {...attended.saves, triggers: []}};

const workingRows: Row[] = [
  {
    name: 'a commit: a checkpoint',
    state: working(),
    event: moment(),
    to: working({ledger: fifth()}),
    does: [captures('phase')],
  },
  {
    name: 'a test that fails: a checkpoint, with the person there or not',
    state: working(),
    event: moment('on_test_failure'),
    policy: unattended,
    to: working({ledger: fifth()}),
    does: [captures('on_test_failure')],
  },
  {
    name: 'a context that is nearly full: a checkpoint, and the agent is told to write its own',
    state: working(),
    event: moment('threshold'),
    to: working({ledger: fifth()}),
    does: [captures('threshold'), {do: 'hint', leg}],
  },
  {
    name: 'a context that is nearly full, automatic ones switched off: the agent is told all the same',
    state: working(),
    event: moment('threshold'),
    policy: off,
    does: [{do: 'hint', leg}],
  },
  {name: 'a commit, automatic ones switched off: nothing', state: working(), event: moment(), policy: off},
  {
    name: 'a commit while a checkpoint is in the making: that one is enough',
    state: working({ledger: fifth()}),
    event: moment(),
  },
  {
    name: 'a commit while the agent is held for a checkpoint: that one is enough',
    state: working({held: 'reinject'}),
    event: moment(),
  },
  {
    name: 'timer interval: a checkpoint, and the next one in its time',
    state: working(),
    event: fired('interval'),
    to: working({ledger: fifth()}),
    does: [captures('interval'), set('interval', 5000)],
  },
  {
    name: 'timer interval while a checkpoint is in the making: the next one in its time',
    state: working({ledger: fifth()}),
    event: fired('interval'),
    does: [set('interval', 5000)],
  },
];

const waitingRows: Row[] = [
  {
    name: 'a commit, told late: a checkpoint, and the wait goes on',
    state: waiting(),
    event: moment(),
    policy: unattended,
    to: waiting({ledger: fifth()}),
    does: [captures('phase')],
  },
  {
    name: 'timer interval: a checkpoint if anything moved, and the wait goes on',
    state: waiting(),
    event: fired('interval'),
    policy: unattended,
    to: waiting({ledger: fifth()}),
    does: [captures('interval'), set('interval', 5000)],
  },
];

export const savingRows: Record<StateName, Row[]> = {
  starting: [
    {
      name: 'a commit: whoever commits is ready',
      state: starting(),
      event: moment(),
      to: working({ledger: fifth()}),
      does: [...isReady, captures('phase')],
    },
    ...stays(starting(), 'nobody works yet', fired('interval'), fired('capture-again')),
  ],
  working: [...workingRows, ...stays(working(), 'nobody has died', fired('capture-again'))],
  waiting: [...waitingRows, ...stays(waiting(), 'nobody has died', fired('capture-again'))],
  capturing: stays(capturing(), 'one is being made', moment(), fired('interval')),
  stopping: stays(stopping(), 'one was just made', moment(), fired('interval'), fired('capture-again')),
  restoring: stays(restoring(), 'nobody works', moment(), fired('interval'), fired('capture-again')),
  resting: stays(resting(), 'nobody works', moment(), fired('interval'), fired('capture-again')),
  finishing: stays(finishing(), 'the last one comes', moment(), fired('interval'), fired('capture-again')),
  over: stays(isOver(), 'over and done', moment(), fired('interval'), fired('capture-again')),
};
