// Nothing is heard of the agent.

import type {StateName} from '../../../src/core/state.ts';
import {
  capturing,
  finishing,
  hangSeen,
  headless,
  isOver,
  ledger,
  leg,
  quiet,
  resting,
  restoring,
  silence,
  starting,
  stop,
  stopping,
  told,
  unattended,
  waiting,
  working,
} from '../samples.ts';
import {died, dies, type Row, stays} from './row.ts';

const what = 'nothing heard for 3 s (bound 3 s)';
const hung = dies(died({cause: 'hang', evidence: silence}));
const ends = {to: hung.to, does: [told({is: 'hang', leg, what, ends: true}), ...hung.does]};
const saidDone = ledger({done: 'all of it'});

const workingRows: Row[] = [
  {
    name: 'a hang, with a person there: they are told, and nothing else',
    state: working(),
    event: hangSeen(),
    does: [told({is: 'hang', leg, what, ends: false})],
  },
  {name: 'a hang, nobody there: a death', state: working(), event: hangSeen(), policy: unattended, ...ends},
  {
    name: 'a tool that hangs, headless: a death',
    state: working({trouble: {is: 'overload'}}),
    event: hangSeen({in: 'tool'}),
    policy: headless,
    ...ends,
  },
  {
    name: 'a hang after done, nobody there: done',
    state: working({ledger: saidDone}),
    event: hangSeen(),
    policy: unattended,
    to: finishing({ledger: saidDone, outcome: {is: 'done', note: 'all of it'}}),
    does: [...quiet, stop('finish')],
  },
];

const startingRows: Row[] = [
  {
    name: 'an agent that does not get ready may stand at a consent screen: the person is told, nobody is ended',
    state: starting(),
    event: hangSeen({in: 'start'}),
    policy: unattended,
    does: [told({is: 'needs-person', leg, what})],
  },
];

export const hangRows: Record<StateName, Row[]> = {
  starting: startingRows,
  working: workingRows,
  waiting: stays(waiting(), 'it waits at its prompt, as we do', hangSeen()),
  capturing: stays(capturing(), 'the first cause stays', hangSeen()),
  stopping: stays(stopping(), 'the first cause stays', hangSeen()),
  restoring: stays(restoring(), 'the leg is dead', hangSeen()),
  resting: stays(resting(), 'the leg is dead and buried', hangSeen()),
  finishing: stays(finishing(), 'the end is decided', hangSeen()),
  over: stays(isOver(), 'it is over', hangSeen()),
};
