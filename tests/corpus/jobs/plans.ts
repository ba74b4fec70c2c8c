// Jobs with a plan that is half done.

import {type Job, killedSleep} from '../job.ts';
import {javascript, rust} from '../projects.ts';
import {fixParser} from './edits.ts';

export const planJobs: Job[] = [
  {
    name: 'half-a-plan',
    files: rust,
    end: 'over',
    turns: [
      {
        person: 'Make the clock wrap at midnight. Plan first, then do it step by step, and keep me posted.',
        replies: [
          {
            say: 'Here is how I go about it.',
            acts: [
              {
                plan: [
                  {title: 'Reproduce the overflow', state: 'in_progress'},
                  {title: 'Wrap the hour at 24', state: 'pending'},
                  {title: 'Write a changelog entry', state: 'pending'},
                ],
              },
              {read: 'src/lib.rs'},
            ],
          },
          {acts: [{run: 'cargo test', exit: 101}]},
          {
            say: 'Reproduced.',
            acts: [
              {
                plan: [
                  {title: 'Reproduce the overflow', state: 'completed'},
                  {title: 'Wrap the hour at 24', state: 'in_progress'},
                  {title: 'Write a changelog entry', state: 'pending'},
                ],
              },
              {edit: 'src/lib.rs', from: '    hour + 1', to: '    (hour + 1) % 24'},
            ],
          },
          {acts: [{run: 'cargo test'}]},
          {say: 'The hour wraps. The changelog entry is still to be written.'},
        ],
      },
    ],
    planted: {validation: {state: 'green', command: 'cargo test'}},
  },
  {
    name: 'plan-grows',
    files: javascript,
    end: 'killed',
    turns: [
      {
        person: 'Bring the billing module to version 2: trim, currency, docs.',
        replies: [
          {acts: [{read: 'src/parser.js'}]},
          {
            say: 'Three parts.',
            acts: [
              {
                plan: [
                  {title: 'Trim the fields', state: 'in_progress'},
                  {title: 'Add the currency', state: 'pending'},
                ],
              },
              fixParser,
            ],
          },
          {
            say: 'Trimming is in. The docs were missing from my list.',
            acts: [
              {
                plan: [
                  {title: 'Trim the fields', state: 'completed'},
                  {title: 'Add the currency', state: 'in_progress'},
                  {title: 'Describe both in docs/notes.md', state: 'pending'},
                ],
              },
              {read: 'src/ledger.js'},
            ],
          },
          {acts: [{run: `npm run build && sleep ${killedSleep}`}]},
        ],
      },
    ],
    planted: {validation: {state: 'unknown'}},
  },
];
