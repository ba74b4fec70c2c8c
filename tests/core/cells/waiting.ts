import {
  after,
  alert,
  cancel,
  captureFailed,
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
  ledger,
  leg,
  newBaton,
  proof,
  quiet,
  quit,
  set,
  spawned,
  spawnFailed,
  stop,
  T,
  told,
  unattended,
  waiting,
  working,
  written,
} from '../samples.ts';
import {died, dies, type Row, stays} from './row.ts';

const nudged = waiting({nudged: true, ledger: ledger({nudges: 1}), until: after(700)});
const overloaded = waiting({for: 'overload'});
const woke = (by: 'itself' | 'us') => [cancel('wait-over'), told({is: 'woke', leg, by})];
const asks = ledger({question: 'proved'});
const wakes = {...unattended, wakesMs: 3000};
const saidDone = ledger({done: 'all of it'});

const waking: Row[] = [
  {
    name: 'it goes on by itself: we stand aside',
    state: waiting(),
    event: proof('busy'),
    to: working(),
    does: woke('itself'),
  },
  {
    name: 'it goes on after a nudge; whether that helped, the end of the turn shows',
    state: nudged,
    event: proof('busy'),
    to: working({ledger: ledger({nudges: 1})}),
    does: woke('us'),
  },
  {
    name: 'a title that turns in the margin after the limit’s end: it goes on by itself',
    state: waiting({until: after(500)}),
    event: alert('busy'),
    to: working(),
    does: woke('itself'),
  },
  {
    name: 'a title that turns while it may wake by itself: it goes on',
    state: waiting({until: after(3500)}),
    event: alert('busy'),
    policy: wakes,
    to: working(),
    does: woke('itself'),
  },
  {name: 'a title that still turns after the failed turn wakes nobody', state: waiting(), event: alert('busy')},
  {
    name: 'an overload has no margin: a title wakes nobody',
    state: waiting({for: 'overload', until: after(500)}),
    event: alert('busy'),
  },
  {name: 'idle at the end of the failed turn: nobody woke', state: waiting(), event: proof('idle')},
  {
    name: 'idle after a nudge: a turn went well meanwhile',
    state: nudged,
    event: proof('idle'),
    to: working({turn: 'over', ledger: fifth()}),
    does: [...woke('us'), captures('phase'), set('idle-over', 600)],
  },
  {name: 'an idle screen after a nudge proves nothing', state: nudged, event: alert('idle')},
  {
    name: 'compaction is about to begin: it is at work again, and dies of that',
    state: waiting(),
    event: proof('compaction-started'),
    to: dies(died({cause: 'compaction'})).to,
    does: [...woke('itself'), compacting('auto', 'restart'), ...dies(died({cause: 'compaction'})).does],
  },
  {
    name: 'somebody’s own /compact: it is at work again',
    state: waiting(),
    event: proof('compaction-started', {trigger: 'manual'}),
    to: working({ledger: fifth(), held: 'reinject'}),
    does: [...woke('itself'), compacting('manual', 'reinject'), captures('pre-compaction')],
  },
  {
    name: 'the work is done: it is at work again, and its turn may end',
    state: waiting(),
    event: done,
    to: working({ledger: saidDone}),
    does: [...woke('itself'), set('done-by', 400)],
  },
];

const troubles: Row[] = [
  {
    name: 'the limit told again with its reset time: the wait is moved',
    state: waiting({until: after(9000)}),
    event: proof('limit', {resetsAt: after(4500)}),
    to: waiting(),
    does: [told({is: 'limit', leg, until: after(4500), waits: true}), set('wait-over', 5000)],
  },
  {name: 'the limit told again without a reset time: the known one stays', state: waiting(), event: proof('limit')},
  {
    name: 'the limit hit again after a nudge: waited out again, and the nudge counts',
    state: nudged,
    event: proof('limit'),
    to: waiting({ledger: ledger({nudges: 1}), until: after(9000)}),
    does: [told({is: 'limit', leg, until: undefined, waits: true}), set('wait-over', 9000)],
  },
  {
    name: 'an overload turns out to be a limit',
    state: overloaded,
    event: proof('limit'),
    to: waiting({until: after(9000)}),
    does: [told({is: 'limit', leg, until: undefined, waits: true}), set('wait-over', 9000)],
  },
  {
    name: 'the limit now ends too late: parked',
    state: waiting(),
    event: proof('limit', {resetsAt: after(90_000)}),
    to: finishing({
      outcome: {is: 'parked', why: 'the usage limit ends in 91 s, later than --max-wait allows (40 s)'},
    }),
    does: [...quiet, stop('finish')],
  },
  {name: 'overload told again by its own retries: one ladder is enough', state: overloaded, event: proof('overload')},
  {
    name: 'overload after a nudge: the next rung',
    state: waiting({for: 'overload', nudged: true, ledger: ledger({overloads: 1, nudges: 1})}),
    event: proof('overload'),
    to: waiting({for: 'overload', until: after(4000), ledger: ledger({overloads: 2, nudges: 1})}),
    does: [told({is: 'overload', leg, until: after(4000), waits: true}), set('wait-over', 4000)],
  },
  {
    name: 'a refused key parks the run',
    state: waiting(),
    event: proof('auth'),
    to: finishing({outcome: {is: 'parked', why: 'the agent is not logged in, or its key is refused'}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'a lasting failure parks the run',
    state: waiting(),
    event: proof('fatal'),
    to: finishing({outcome: {is: 'parked', why: 'no credits'}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'the context is full: a fresh leg',
    state: waiting(),
    event: proof('context-full'),
    ...dies(died({cause: 'context-full'})),
  },
  {
    name: 'compaction failed: a fresh leg',
    state: waiting(),
    event: proof('compaction-failed'),
    ...dies(died({cause: 'compaction-failed'})),
  },
  {
    name: 'compaction was done: a fresh leg',
    state: waiting(),
    event: proof('compaction-done'),
    ...dies(died({cause: 'compaction'})),
  },
  {
    name: 'the person’s own compaction, told late, wakes nobody',
    state: waiting(),
    event: proof('compaction-done', {trigger: 'manual'}),
  },
  {
    name: 'a permission prompt is the person’s',
    state: waiting(),
    event: alert('waiting-for-person'),
    to: waiting({ledger: ledger({question: 'seen'})}),
    does: [told({is: 'needs-person', leg, what: 'permission for Bash'})],
  },
  {
    name: 'a menu of its own: it does not wake by itself, so nobody stands aside for it',
    state: waiting({until: after(8000)}),
    event: proof('waiting-for-person'),
    policy: wakes,
    to: waiting({ledger: asks}),
    does: [told({is: 'needs-person', leg, what: 'permission for Bash'}), set('wait-over', 5000)],
  },
  {
    name: 'the menu told again moves nothing',
    state: waiting({ledger: asks}),
    event: proof('waiting-for-person'),
    policy: wakes,
    does: [told({is: 'needs-person', leg, what: 'permission for Bash'})],
  },
  ...stays(
    nudged,
    'a screen may alert, no more',
    alert('compaction-started'),
    alert('compaction-done'),
    alert('compaction-failed'),
    alert('context-full'),
    alert('limit', {resetsAt: after(4500)}),
    alert('overload'),
    alert('auth'),
    alert('fatal'),
  ),
  ...stays(waiting(), 'we know', proof('ready'), spawned, spawnFailed),
];

const byExit = [{channel: 'exit' as const, detail: 'exit 3'}];
const exits: Row[] = [
  {
    name: 'a headless agent ends with its limit: the next leg comes not before its end',
    state: waiting(),
    event: exited('crashed'),
    ...dies(died({cause: 'limit', evidence: byExit, exit: crash, notBefore: after(5000)})),
  },
  {
    name: 'a headless agent ends with its overload: the next leg comes by the ladder',
    state: overloaded,
    event: exited('crashed'),
    ...dies(died({cause: 'overload', evidence: byExit, exit: crash})),
  },
  {
    name: 'a clean exit is somebody’s quit',
    state: waiting(),
    event: exited('clean'),
    to: finishing({ledger: fifth(), outcome: {is: 'ended', exit}, alive: false, capture: 'pending'}),
    does: [...quiet, endTools, captures('end')],
  },
];

const reports: Row[] = [
  {
    name: 'the checkpoint is there: remembered, and who was held for it is let go',
    state: waiting({held: 'reinject'}),
    event: written(),
    to: waiting({ledger: ledger({checkpoint: newBaton})}),
    does: [{do: 'answer-hook', leg, answer: 'reinject'}],
  },
  {
    name: 'no checkpoint: told, and who was held for it is let go',
    state: waiting({held: 'reinject'}),
    event: failed(),
    to: waiting(),
    does: [captureFailed, {do: 'answer-hook', leg, answer: 'allow'}],
  },
];

const asked: Row[] = [
  {
    name: 'quit',
    state: waiting(),
    event: quit,
    to: finishing({outcome: {is: 'quit', signal: 15, exit: undefined}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'the terminal goes away: parked',
    state: waiting(),
    event: hangup,
    to: finishing({outcome: {is: 'parked', why: 'the terminal went away'}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'somebody does not want to wait: a fresh leg',
    state: waiting(),
    event: handoff,
    ...dies(died({cause: 'handoff', evidence: [{channel: 'process', detail: 'ckpt handoff'}]})),
  },
];

const inVain = died({
  cause: 'limit',
  evidence: [{channel: 'process', detail: '2 nudges in vain'}],
  notBefore: T,
});
const timers: Row[] = [
  {
    name: 'timer wait-over: nudged',
    state: waiting(),
    event: fired('wait-over'),
    to: nudged,
    does: [{do: 'nudge', leg, why: 'wait-over'}, set('wait-over', 700)],
  },
  {
    name: 'timer wait-over after a nudge in vain: nudged again',
    state: nudged,
    event: fired('wait-over'),
    to: waiting({nudged: true, ledger: ledger({nudges: 2}), until: after(700)}),
    does: [{do: 'nudge', leg, why: 'wait-over'}, set('wait-over', 700)],
  },
  {
    name: 'timer wait-over after the last nudge: a fresh leg',
    state: waiting({nudged: true, ledger: ledger({nudges: 2})}),
    event: fired('wait-over'),
    ...dies(inVain, {nudges: 2}),
  },
  {
    name: 'timer wait-over with its menu open: never typed into, a fresh leg',
    state: waiting({ledger: asks}),
    event: fired('wait-over'),
    ...dies(
      died({
        cause: 'limit',
        evidence: [{channel: 'process', detail: 'a question is open on its screen: not nudged'}],
        notBefore: T,
      }),
      {question: 'proved'},
    ),
  },
  {
    name: 'timer wait-over with what may be a question: no nudge, and no death by the screen alone',
    state: waiting({ledger: ledger({question: 'seen'})}),
    event: fired('wait-over'),
    to: waiting({ledger: ledger({question: 'seen', nudges: 1}), until: after(700)}),
    does: [set('wait-over', 700)],
  },
  {
    name: 'timer leg-stable: earlier deaths are forgiven, the wait goes on',
    state: waiting({ledger: ledger({streak: 4})}),
    event: fired('leg-stable'),
    to: waiting(),
  },
  {
    name: 'timer time-over: the run parks',
    state: waiting(),
    event: fired('time-over'),
    to: finishing({outcome: {is: 'parked', why: 'the time of the run is over (--max-hours)'}}),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'timer done-by: the turn that said done met a limit, and needs no end',
    state: waiting({ledger: saidDone}),
    event: fired('done-by'),
    to: finishing({ledger: saidDone, outcome: {is: 'done', note: 'all of it'}}),
    does: [...quiet, stop('finish')],
  },
  ...stays(waiting(), 'it was set for another state', fired('rest-over'), fired('ready-by'), fired('done-by')),
];

/** Only an unattended run waits. */
export const waitingRows: Row[] = [...waking, ...troubles, ...exits, ...reports, ...asked, ...timers].map((row) => ({
  policy: unattended,
  ...row,
}));
