// The turn is over, and nobody has said that the work is done.

import {captureNumber} from '../../../src/core/ids.ts';
import type {StateName} from '../../../src/core/state.ts';
import {
  cancel,
  captures,
  capturing,
  exit,
  exited,
  fifth,
  finishing,
  fired,
  headless,
  isOver,
  ledger,
  leg,
  proof,
  quiet,
  resting,
  restoring,
  set,
  skipped,
  starting,
  stop,
  stopping,
  T,
  told,
  unattended,
  untilDone,
  waiting,
  working,
  written,
} from '../samples.ts';
import {died, dies, type Row, stays} from './row.ts';

const atPrompt = working({turn: 'over'});
const cutShort = {evidence: [{channel: 'log', detail: 'interrupted'}]};
const saidDone = ledger({done: 'all of it'});

const turns: Row[] = [
  {
    name: 'the turn is over, nobody there: a checkpoint, and soon a nudge',
    state: working(),
    event: proof('idle'),
    policy: unattended,
    to: working({turn: 'over', ledger: fifth()}),
    does: [captures('phase'), set('idle-over', 600)],
  },
  {
    name: 'the turn is over while another checkpoint is in the making: only the nudge',
    state: working({ledger: fifth()}),
    event: proof('idle'),
    policy: unattended,
    to: working({turn: 'over', ledger: fifth()}),
    does: [set('idle-over', 600)],
  },
  {
    name: 'idle, and there was no turn yet: the person has not begun',
    state: working({turn: 'none'}),
    event: proof('idle'),
    policy: unattended,
  },
  {
    name: 'the person has cut the turn short: no nudge',
    state: working(),
    event: proof('idle', cutShort),
    policy: unattended,
    to: working({turn: 'none'}),
  },
  {
    name: 'told as cut short only after the end of the turn: the nudge is called off',
    state: atPrompt,
    event: proof('idle', cutShort),
    policy: unattended,
    to: working({turn: 'none'}),
    does: [cancel('idle-over')],
  },
  {
    name: 'the turn of a headless agent is over: its exit decides',
    state: working(),
    event: proof('idle'),
    policy: headless,
    to: atPrompt,
  },
  {
    name: 'a new turn: the nudge is called off',
    state: atPrompt,
    event: proof('busy'),
    policy: unattended,
    to: working(),
    does: [cancel('idle-over')],
  },
  {
    name: 'a consent screen at the prompt: told, and nothing is typed into it',
    state: atPrompt,
    event: proof('waiting-for-person'),
    policy: unattended,
    to: {...atPrompt, ledger: {...atPrompt.ledger, question: 'proved'}},
    does: [cancel('idle-over'), told({is: 'needs-person', leg, what: 'permission for Bash'})],
  },
];

const nudges: Row[] = [
  {
    name: 'timer idle-over: the agent is told the next step',
    state: atPrompt,
    event: fired('idle-over'),
    policy: unattended,
    to: working({turn: 'over', ledger: ledger({idles: 1})}),
    does: [told({is: 'nudged', leg, nudge: 1, max: 2}), {do: 'nudge', leg, why: 'next-step'}, set('idle-over', 700)],
  },
  {
    name: 'timer idle-over after all nudges in vain: parked, with the reason',
    state: working({turn: 'over', ledger: ledger({idles: 2})}),
    event: fired('idle-over'),
    policy: unattended,
    to: finishing({
      ledger: ledger({idles: 2}),
      outcome: {
        is: 'parked',
        why: 'the agent waits at its prompt and has not said ckpt done; 2 nudges brought no progress',
      },
    }),
    does: [...quiet, stop('finish')],
  },
  {
    name: 'timer idle-over while the checkpoint is in the making: it tells whether the work has moved, so later',
    state: working({turn: 'over', ledger: fifth()}),
    event: fired('idle-over'),
    policy: unattended,
    does: [set('idle-over', 600)],
  },
  {
    name: 'timer idle-over when the work is done: no nudge',
    state: working({turn: 'over', ledger: saidDone}),
    event: fired('idle-over'),
    policy: unattended,
  },
  {
    name: 'timer idle-over in an open turn: no nudge',
    state: working(),
    event: fired('idle-over'),
    policy: unattended,
  },
  {
    name: 'the work has moved: the nudges before are forgotten',
    state: working({ledger: ledger({idles: 2, nudges: 2})}),
    event: written(),
    to: working({ledger: ledger({checkpoint: written().id})}),
  },
  {
    name: 'a checkpoint, and nothing has moved since the last: the nudges count on',
    state: working({ledger: ledger({idles: 2})}),
    event: written({moved: false}),
    to: working({ledger: ledger({idles: 2, checkpoint: written().id})}),
  },
  {
    name: 'nothing has moved, so no checkpoint: the next one may be asked for',
    state: working({ledger: ledger({idles: 1, reported: captureNumber(3)})}),
    event: skipped(),
    to: working({ledger: ledger({idles: 1})}),
  },
];

const early = (idles: number) =>
  dies(
    died({
      ...{cause: 'unfinished', exit, at: T},
      evidence: [{channel: 'exit', detail: 'exit 0, ckpt done was not said'}],
    }),
    {idles},
  );

const exits: Row[] = [
  {
    name: 'a headless agent ends well and the work is not done: another one, until it is',
    state: working({ledger: ledger({idles: 1})}),
    event: exited('clean'),
    policy: untilDone,
    ...early(1),
  },
  {
    name: 'a headless agent ends well after a lasting failure: the end',
    state: working({trouble: {is: 'lasting', why: 'no credits'}}),
    event: exited('clean'),
    policy: untilDone,
    to: finishing({ledger: fifth(), outcome: {is: 'ended', exit}, alive: false, capture: 'pending'}),
    does: [...quiet, {do: 'end-tools', leg}, captures('end')],
  },
  {
    name: 'a headless agent ends well, and nobody asked for more: the end',
    state: working(),
    event: exited('clean'),
    policy: headless,
    to: finishing({ledger: fifth(), outcome: {is: 'ended', exit}, alive: false, capture: 'pending'}),
    does: [...quiet, {do: 'end-tools', leg}, captures('end')],
  },
];

export const idleRows: Record<StateName, Row[]> = {
  starting: stays(starting(), 'nothing was asked for', skipped(), fired('idle-over')),
  working: [...turns, ...nudges, ...exits],
  waiting: stays(waiting(), 'the turn has failed, it did not end', skipped(), fired('idle-over')),
  capturing: stays(capturing(), 'the checkpoint of a death is never skipped', skipped(), fired('idle-over')),
  stopping: stays(stopping(), 'it is being stopped', skipped(), fired('idle-over')),
  restoring: stays(restoring(), 'nobody is at the prompt', skipped(), fired('idle-over')),
  resting: stays(resting(), 'nobody is at the prompt', skipped(), fired('idle-over')),
  finishing: stays(finishing(), 'the outcome is known', skipped(), fired('idle-over')),
  over: stays(isOver(), 'over is over', skipped(), fired('idle-over')),
};
