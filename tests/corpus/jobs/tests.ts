// Jobs with test runs: red, green, gone stale, their status lost in a pipe.

import type {Job} from '../job.ts';
import {golang, javascript, python} from '../projects.ts';
import {fixParser, total} from './edits.ts';

export const testJobs: Job[] = [
  {
    name: 'red-test',
    files: javascript,
    end: 'over',
    turns: [
      {
        person: 'The CSV import keeps blanks around the fields. Please fix the parser, but do not touch the ledger.',
        replies: [
          {
            say: 'I will look at the parser and the notes first.',
            acts: [{read: 'src/parser.js'}, {read: 'docs/notes.md'}],
          },
          {say: 'Let me see the failure.', acts: [{run: 'npm test', exit: 1}]},
          {say: 'One test fails: the fields are not trimmed. I stop here for your word.'},
        ],
      },
    ],
    planted: {validation: {state: 'failed', command: 'npm test'}},
  },
  {
    name: 'green-test',
    files: javascript,
    end: 'over',
    turns: [
      {
        person: 'Fix the failing parser test.',
        replies: [
          {acts: [{run: 'npm test', exit: 1}]},
          {say: 'The parser does not trim.', acts: [{read: 'src/parser.js'}]},
          {say: 'I decided to trim in the parser because every caller needs it.', acts: [fixParser]},
          {acts: [{run: 'npm test'}]},
          {say: 'All three tests pass now.'},
        ],
      },
    ],
    planted: {
      validation: {state: 'green', command: 'npm test'},
      decisions: ['I decided to trim in the parser because every caller needs it'],
    },
  },
  {
    name: 'edit-after-green',
    files: javascript,
    end: 'over',
    turns: [
      {
        person: 'Trim the fields in src/parser.js and give the ledger a currency.',
        replies: [
          {acts: [{read: 'src/parser.js'}, {read: 'src/ledger.js'}]},
          {acts: [fixParser]},
          {acts: [{run: 'npm test'}]},
          {
            say: 'Green. Now the ledger.',
            acts: [{edit: 'src/ledger.js', from: total('rows.length'), to: total("rows.length + ' EUR'")}],
          },
          {say: 'Both are changed; the tests have not been run since the ledger was.'},
        ],
      },
    ],
    planted: {validation: {state: 'pending', command: 'npm test'}},
  },
  {
    name: 'piped-test',
    files: javascript,
    end: 'over',
    headless: true,
    turns: [
      {
        person: 'Run the tests and tell me what is wrong.',
        replies: [{acts: [{run: 'npm test 2>&1 | tail -4'}]}, {say: 'One of three tests fails: trims the fields.'}],
      },
    ],
    planted: {validation: {state: 'failed', command: 'npm test 2>&1 | tail -4'}},
  },
  {
    name: 'pytest-rounding',
    files: python,
    end: 'over',
    headless: true,
    turns: [
      {
        person: 'tests/test_money.py fails with 0.30000000000000004. Make total() round to two digits.',
        replies: [
          {acts: [{run: 'pytest -q', exit: 1}, {read: 'app/money.py'}]},
          {
            say: 'Decision: round in total() rather than in the callers, since the tests pin the sum.',
            acts: [{edit: 'app/money.py', from: '    return sum(rows)', to: '    return round(sum(rows), 2)'}],
          },
          {acts: [{run: 'pytest -q tests/test_money.py'}]},
          {say: 'Rounded, and the tests are green.'},
        ],
      },
    ],
    planted: {
      validation: {state: 'green', command: 'pytest -q tests/test_money.py'},
      decisions: ['Decision: round in total() rather than in the callers, since the tests pin the sum'],
    },
  },
  {
    name: 'go-and-git',
    files: golang,
    end: 'over',
    turns: [
      {
        person: 'Sum in cart.go always gives 0. Fix it and commit with the message "Sum the prices".',
        replies: [
          {acts: [{run: 'go test ./...', exit: 1}, {read: 'cart.go'}]},
          {
            acts: [
              {
                edit: 'cart.go',
                from: '\treturn 0',
                to: '\tsum := 0\n\tfor _, price := range prices {\n\t\tsum += price\n\t}\n\treturn sum',
              },
            ],
          },
          {acts: [{run: 'go test ./...'}]},
          {acts: [{run: 'git add cart.go && git commit -q -m "Sum the prices"'}, {run: 'git log --oneline -1'}]},
          {say: 'Committed.'},
        ],
      },
    ],
    planted: {validation: {state: 'green', command: 'go test ./...'}},
  },
];
