// Jobs in which the person has more to say: later, meanwhile, or having stopped the agent.

import {busySleep, type Job, stoppedSleep} from '../job.ts';
import {javascript} from '../projects.ts';
import {total} from './edits.ts';

export const personJobs: Job[] = [
  {
    name: 'corrected',
    files: javascript,
    end: 'over',
    turns: [
      {
        person: 'Add a currency to the totals.',
        replies: [
          {acts: [{read: 'src/ledger.js'}]},
          {acts: [{edit: 'src/ledger.js', from: total('rows.length'), to: total("rows.length + ' USD'")}]},
          {say: 'Totals carry USD now.'},
        ],
      },
      {
        person: 'No, euros. And never hard-code it: read it from the CURRENCY variable, EUR if unset.',
        replies: [
          {
            acts: [
              {
                edit: 'src/ledger.js',
                from: total("rows.length + ' USD'"),
                to: total("rows.length + ' ' + (process.env.CURRENCY ?? 'EUR')"),
              },
            ],
          },
          {acts: [{run: 'node -e "console.log(require(\'./src/ledger.js\').total([1]))"'}]},
          {say: 'Done, with EUR as the fallback.'},
        ],
      },
      {
        person: 'Good. One more thing: leave package.json alone, the release script owns it.',
        replies: [{acts: [{run: 'git status --short'}]}, {say: 'package.json is untouched.'}],
      },
    ],
    planted: {validation: {state: 'unknown'}},
  },
  {
    name: 'told-while-busy',
    files: javascript,
    end: 'over',
    turns: [
      {
        person: 'Build everything and then run the tests.',
        replies: [{say: 'Building.', acts: [{run: `sleep ${busySleep}; npm run build`}]}],
      },
      {
        person: 'skip the tests for now, only lint it',
        when: 'busy',
        replies: [
          {say: 'Understood: lint instead of tests.', acts: [{run: 'npm run lint'}]},
          {say: 'Built and linted; the tests were not run, as you asked.'},
        ],
      },
    ],
    planted: {validation: {state: 'unknown'}},
  },
  {
    name: 'stopped-by-hand',
    files: javascript,
    end: 'over',
    turns: [
      {
        person: 'Build it and then clean up the old exports.',
        replies: [
          {acts: [{run: 'ls src'}]},
          {say: 'I begin with the long one.', acts: [{run: `npm run build; sleep ${stoppedSleep}`}]},
        ],
      },
      {
        person: 'stop, the exports are needed for the audit. List the files in docs instead',
        when: 'stopped',
        replies: [{acts: [{run: 'ls docs'}]}, {say: 'docs has one file: notes.md. The exports stay.'}],
      },
    ],
    planted: {validation: {state: 'unknown'}},
  },
];
