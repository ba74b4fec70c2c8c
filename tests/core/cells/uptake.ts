// Has the new agent taken the baton up?

import type {StateName} from '../../../src/core/state.ts';
import {
  cancel,
  capturing,
  finishing,
  fired,
  headless,
  isOver,
  ledger,
  leg,
  newBaton,
  oldBaton,
  proof,
  resting,
  restoring,
  set,
  starting,
  stopping,
  told,
  unattended,
  uptake,
  waiting,
  working,
} from '../samples.ts';
import {isReady} from './ready.ts';
import {died, dies, type Row, stays} from './row.ts';

const awaited = ledger({uptake: 'awaited', untaken: 1, given: newBaton});
const asked = ledger({uptake: 'asked', untaken: 1, given: newBaton});
const taken = ledger({given: newBaton, taken: newBaton});
const missed = told({is: 'no-uptake', leg, afterMs: 2500});
const silence = 'no tool call and no checkpoint within 3 s';
const noUptake = (detail: string, some: typeof awaited) =>
  dies(died({cause: 'no-uptake', evidence: [{channel: 'process', detail}]}), {
    ...{uptake: some.uptake, untaken: 1, given: newBaton},
  });

const workingRows: Row[] = [
  {
    name: 'the baton is taken up: it is the one to go back to, and nobody counts any more',
    state: working({ledger: awaited}),
    event: uptake,
    to: working({ledger: taken}),
    does: [cancel('uptake-by')],
  },
  {name: 'a call of a leg that had no baton: nothing was awaited', state: working(), event: uptake},
  {
    name: 'timer uptake-by, nobody there: it is asked again',
    state: working({ledger: awaited}),
    event: fired('uptake-by'),
    policy: unattended,
    to: working({ledger: asked}),
    does: [missed, {do: 'nudge', leg, why: 'uptake'}, set('uptake-by', 2500)],
  },
  {
    name: 'timer uptake-by after it was asked again: a fresh one',
    state: working({ledger: asked}),
    event: fired('uptake-by'),
    policy: unattended,
    ...noUptake(`${silence}, and again after it was asked`, asked),
  },
  {
    name: 'timer uptake-by, headless: nobody can be asked, a fresh one',
    state: working({ledger: awaited}),
    event: fired('uptake-by'),
    policy: headless,
    ...noUptake(silence, awaited),
  },
  {
    name: 'timer uptake-by, with a person there: they are told once',
    state: working({ledger: awaited}),
    event: fired('uptake-by'),
    to: working({ledger: ledger({uptake: 'none', untaken: 1, given: newBaton})}),
    does: [missed],
  },
  {
    name: 'timer uptake-by after the person has cut the turn short: theirs',
    state: working({ledger: awaited, turn: 'none'}),
    event: fired('uptake-by'),
    policy: unattended,
  },
  {
    name: 'timer uptake-by after done was said: it has read it',
    state: working({ledger: {...awaited, done: 'all of it'}}),
    event: fired('uptake-by'),
    policy: unattended,
  },
  {
    name: 'timer uptake-by with a question open: the person’s, and nothing is typed into it',
    state: working({ledger: {...awaited, question: 'seen'}}),
    event: fired('uptake-by'),
    policy: unattended,
  },
  ...stays(working(), 'it was taken up', fired('uptake-by')),
];

export const uptakeRows: Record<StateName, Row[]> = {
  starting: [
    {
      name: 'ready with a baton: it is expected to take it up',
      state: starting({ledger: awaited}),
      event: proof('ready'),
      to: working({ledger: awaited}),
      does: [...isReady, set('uptake-by', 2500)],
    },
    {
      name: 'a call before it told that it is ready: ready, and taken up',
      state: starting({ledger: awaited}),
      event: uptake,
      to: working({ledger: taken}),
      does: [...isReady, set('uptake-by', 2500), cancel('uptake-by')],
    },
    ...stays(starting(), 'it is not ready', fired('uptake-by')),
  ],
  working: workingRows,
  waiting: [
    {
      name: 'a call, told late: taken up, and the wait goes on',
      state: waiting({ledger: awaited}),
      event: uptake,
      policy: unattended,
      to: waiting({ledger: taken}),
      does: [cancel('uptake-by')],
    },
    {
      name: 'timer uptake-by: nobody can show anything while the provider does not answer',
      state: waiting({ledger: awaited}),
      event: fired('uptake-by'),
      policy: unattended,
      does: [set('uptake-by', 7500)],
    },
  ],
  capturing: stays(capturing(), 'the first cause stays, whoever moved', uptake, fired('uptake-by')),
  stopping: stays(stopping(), 'too late', uptake, fired('uptake-by')),
  restoring: stays(restoring(), 'nobody has a baton', uptake, fired('uptake-by')),
  resting: [
    ...stays(resting(), 'nobody has a baton', uptake, fired('uptake-by')),
    {
      name: 'a second leg that did not take it up: the next one gets the last baton that helped',
      state: resting({ledger: ledger({untaken: 2, checkpoint: newBaton, taken: oldBaton})}),
      event: fired('rest-over'),
      to: starting({
        leg: (leg + 1) as typeof leg,
        ledger: ledger({untaken: 2, checkpoint: newBaton, taken: oldBaton, given: oldBaton, uptake: 'awaited'}),
      }),
      does: [{do: 'spawn-leg', leg: (leg + 1) as typeof leg, baton: oldBaton}],
    },
  ],
  finishing: stays(finishing(), 'the outcome was decided', uptake, fired('uptake-by')),
  over: stays(isOver(), 'it is past', uptake, fired('uptake-by')),
};
