import {captureNumber} from '../../../src/core/ids.ts';
import {
  after,
  captureFailed,
  captures,
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
  headless,
  kill,
  ledger,
  leg,
  newBaton,
  quiet,
  quit,
  set,
  stop,
  unattended,
  working,
  written,
} from '../samples.ts';
import {died, dies, type Row, stays} from './row.ts';

const saidDone = ledger({done: 'all of it'});
const refused = 'the agent is not logged in, or its key is refused';
const asDone = {
  to: finishing({ledger: saidDone, outcome: {is: 'done', note: 'all of it'}}),
  does: [...quiet, stop('finish')],
} as const satisfies Partial<Row>;

const byExit = (detail: string) => [{channel: 'exit' as const, detail}];

const ended = (outcome: object, some: object = {}): Required<Pick<Row, 'to' | 'does'>> => ({
  to: finishing({ledger: fifth(some), outcome: outcome as never, alive: false, capture: 'pending'}),
  does: [...quiet, endTools, captures('end')],
});

const exits: Row[] = [
  {name: 'a clean exit ends the run', state: working(), event: exited('clean'), ...ended({is: 'ended', exit})},
  {
    name: 'a clean exit after a limit ends the run all the same',
    state: working({trouble: {is: 'limit', resetsAt: undefined}}),
    event: exited('clean'),
    ...ended({is: 'ended', exit}),
  },
  {
    name: 'a crash is a death',
    state: working(),
    event: exited('crashed'),
    ...dies(died({cause: 'crashed', evidence: byExit('exit 3'), exit: crash})),
  },
  {
    name: 'a kill is a death, also while it is held in our hook',
    state: working({held: 'reinject'}),
    event: exited('killed'),
    ...dies(died({cause: 'killed', evidence: byExit('signal 9'), exit: kill})),
  },
  {
    name: 'an exit after done, with a person there: the agent’s own code',
    state: working({ledger: saidDone}),
    event: exited('crashed'),
    ...ended({is: 'ended', exit: crash}, {done: 'all of it'}),
  },
  {
    name: 'an exit after done, unattended: done',
    state: working({ledger: saidDone}),
    event: exited('crashed'),
    policy: unattended,
    ...ended({is: 'done', note: 'all of it'}, {done: 'all of it'}),
  },
  {
    name: 'an exit after a lasting failure is given up with its own code',
    state: working({trouble: {is: 'lasting', why: refused}}),
    event: exited('crashed'),
    ...ended({is: 'gave-up', exit: crash, why: refused}),
  },
  {
    name: 'an exit after a limit, with a person there: given up with its own code',
    state: working({trouble: {is: 'limit', resetsAt: after(4500)}}),
    event: exited('crashed'),
    ...ended({is: 'gave-up', exit: crash, why: 'limit'}),
  },
  {
    name: 'an exit of a headless agent after its limit: the next leg comes not before its end',
    state: working({trouble: {is: 'limit', resetsAt: after(4500)}}),
    event: exited('crashed'),
    policy: headless,
    ...dies(died({cause: 'limit', evidence: byExit('exit 3'), exit: crash, notBefore: after(4500)})),
  },
  {
    name: 'an exit of a headless agent after its overload: the next leg comes by the ladder',
    state: working({trouble: {is: 'overload'}, ledger: ledger({overloads: 1})}),
    event: exited('crashed'),
    policy: headless,
    ...dies(died({cause: 'overload', evidence: byExit('exit 3'), exit: crash}), {overloads: 1}),
  },
  {
    name: 'an exit after an overload, with a person there: given up with its own code',
    state: working({trouble: {is: 'overload'}}),
    event: exited('crashed'),
    ...ended({is: 'gave-up', exit: crash, why: 'overload'}),
  },
];

const reports: Row[] = [
  {
    name: 'a checkpoint nobody waits for is remembered',
    state: working(),
    event: written(),
    to: working({ledger: ledger({checkpoint: newBaton})}),
  },
  {
    name: 'the checkpoint is there: the agent compacts and gets the baton inside',
    state: working({held: 'reinject'}),
    event: written(),
    to: working({ledger: ledger({checkpoint: newBaton})}),
    does: [{do: 'answer-hook', leg, answer: 'reinject'}],
  },
  {
    name: 'the checkpoint is there: the agent is let go',
    state: working({held: 'allow'}),
    event: written(),
    to: working({ledger: ledger({checkpoint: newBaton})}),
    does: [{do: 'answer-hook', leg, answer: 'allow'}],
  },
  {
    name: 'a report on the capture before the newest is no news: the hook is held for the newest',
    state: working({held: 'reinject'}),
    event: written({capture: captureNumber(3)}),
  },
  {
    name: 'no checkpoint: the agent is let go, there is nothing to give it',
    state: working({held: 'reinject'}),
    event: failed(),
    to: working(),
    does: [captureFailed, {do: 'answer-hook', leg, answer: 'allow'}],
  },
  {name: 'no checkpoint, and nobody waits: told', state: working(), event: failed(), does: [captureFailed]},
];

const asked: Row[] = [
  {
    name: 'quit: the agent is stopped, then the last checkpoint is made',
    state: working({held: 'reinject'}),
    event: quit,
    to: finishing({outcome: {is: 'quit', signal: 15, exit: undefined}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'the terminal goes away: parked',
    state: working(),
    event: hangup,
    to: finishing({outcome: {is: 'parked', why: 'the terminal went away'}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'done, unattended: the turn may end, for a while',
    state: working(),
    event: done,
    policy: unattended,
    to: working({ledger: saidDone}),
    does: [set('done-by', 400)],
  },
  {name: 'done, with a person there: noted', state: working(), event: done, to: working({ledger: saidDone})},
  {
    name: 'a handoff is asked for: a fresh leg, whatever was said of done',
    state: working({ledger: saidDone}),
    event: handoff,
    ...dies(died({cause: 'handoff', evidence: [{channel: 'process', detail: 'ckpt handoff'}]})),
  },
];

const timers: Row[] = [
  {
    name: 'timer leg-stable: earlier deaths are forgiven',
    state: working({ledger: ledger({streak: 4})}),
    event: fired('leg-stable'),
    to: working(),
  },
  {
    name: 'timer time-over: the run parks',
    state: working(),
    event: fired('time-over'),
    to: finishing({outcome: {is: 'parked', why: 'the time of the run is over (--max-hours)'}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'timer done-by: the turn that said done had its time',
    state: working({ledger: saidDone}),
    event: fired('done-by'),
    policy: unattended,
    ...asDone,
  },
  ...stays(working(), 'a new prompt has come since', fired('done-by')),
  ...stays(working(), 'it was set for another state', fired('rest-over'), fired('wait-over'), fired('ready-by')),
];

export const workingRows: Row[] = [...exits, ...reports, ...asked, ...timers];
