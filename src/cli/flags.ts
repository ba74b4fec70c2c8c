// The options of the two calls that agents make all day, as data: commander's definitions are made from it, and
// plain-words.ts reads by it. One table, so that the two cannot differ.

import {triggers, validations} from '../baton/checkpoint.ts';

export interface Flag {
  /** Without the dashes. */
  name: string;
  /** What stands for its value in the help; none: it is a switch. */
  value?: string;
  /** May be given again and again. */
  many?: boolean;
  /** `--no-…` */
  negated?: boolean;
  hidden?: boolean;
  what: string;
}

export const globalOptions: Flag[] = [
  {name: 'repo-root', value: 'dir', what: 'the repository (default: the one around the current folder)'},
  {
    name: 'checkpoint-dir',
    value: 'dir',
    what: 'where checkpoints are kept (default: CKPT_DIR, config, runtime/checkpoints)',
  },
  {name: 'json', what: 'print JSON'},
];

export const snapshotOptions: Flag[] = [
  {name: 'step', value: 'text', what: 'what phase of work just completed (required)'},
  {name: 'summary', value: 'text', hidden: true, what: 'another word for --step'},
  {name: 'note', value: 'text', what: 'what happened and what was learned'},
  {name: 'next-cmd', value: 'text', what: 'the exact next command or action (required)'},
  {name: 'label', value: 'text', what: 'part of the file name (default: from the step)'},
  {name: 'track', value: 'track', what: 'the lane of work (required; in a run it comes from CKPT_TRACK)'},
  {name: 'validation', value: 'state', what: validations.join(' | ')},
  {name: 'goal', value: 'text', what: 'what the person asked for, in their own words'},
  {name: 'current-task', value: 'text', what: 'what is being worked on'},
  {name: 'extra', value: 'key=value', many: true, what: 'anything else the next agent needs (again and again)'},
  {
    name: 'active-file',
    value: 'file[:why]',
    many: true,
    what: 'a file that matters (again and again, like those below)',
  },
  {name: 'decided', value: 'what — why', many: true, what: 'a decision made'},
  {name: 'tried-failed', value: 'what — why', many: true, what: 'a dead end'},
  {name: 'next-step', value: 'text', many: true, what: 'a step after the next'},
  {
    name: 'task',
    value: '[state:]title',
    many: true,
    what: 'a task: pending, in_progress, completed, failed, skipped',
  },
  {name: 'artifact', value: 'path', many: true, what: 'a file, plan or link that was produced'},
  {name: 'trigger', value: 'why', what: triggers.join(' | ')},
  {name: 'files', negated: true, what: 'the baton alone; the working tree is not saved'},
  {name: 'set-current', negated: true, what: 'leave the current track as it is'},
  {name: 'stdin', what: 'read the fields as one JSON document from stdin; flags win'},
];

export const resumeOptions: Flag[] = [
  {name: 'track', value: 'track', what: "the track (default: the run's own, else the current one)"},
  {name: 'live', what: 'compare with git as it is now: drift=none, or what differs'},
];
