// Jobs that end badly, lead nowhere, leave something running, or decide something.

import {type Job, killedSleep} from '../job.ts';
import {javascript, python, rust} from '../projects.ts';
import {fixParser} from './edits.ts';

export const endJobs: Job[] = [
  {
    name: 'killed-deploy',
    files: javascript,
    end: 'killed',
    turns: [
      {
        person:
          'Build, then deploy to staging with ./deploy.sh staging. Do not deploy twice, the slot is paid per run.',
        replies: [
          {acts: [{run: 'npm run build'}]},
          {say: 'Built. Now the deployment.', acts: [{run: './deploy.sh staging'}]},
        ],
      },
    ],
    planted: {validation: {state: 'unknown'}, outside: true},
  },
  {
    name: 'killed-test',
    files: javascript,
    end: 'killed',
    headless: true,
    turns: [
      {
        person: 'Trim the fields and make sure the tests pass.',
        replies: [
          {acts: [{read: 'src/parser.js'}]},
          {acts: [fixParser]},
          {acts: [{run: `npm test && sleep ${killedSleep}`}]},
        ],
      },
    ],
    planted: {validation: {state: 'unknown'}},
  },
  {
    name: 'dead-ends',
    files: python,
    end: 'over',
    turns: [
      {
        person: 'Use the moneypy package in app/money.py if it can be installed; otherwise do it by hand.',
        replies: [
          {acts: [{run: 'pip install moneypy', exit: 1}, {read: 'app/money.py'}]},
          {say: 'Perhaps the index was busy.', acts: [{run: 'pip install moneypy', exit: 1}]},
          {acts: [{run: 'curl -fsS http://127.0.0.1:9/simple/moneypy/', exit: 7}]},
          {acts: [{run: 'curl -fsS http://127.0.0.1:9/simple/moneypy/', exit: 7}]},
          {
            say: "There is no such package here, so I'll go with a helper of our own.",
            acts: [{edit: 'app/money.py', from: '    return sum(rows)', to: '    return round(sum(rows), 2)'}],
          },
          {acts: [{run: 'pytest -q'}]},
          {say: 'Done by hand; the tests are green.'},
        ],
      },
    ],
    planted: {
      validation: {state: 'green', command: 'pytest -q'},
      deadEnds: ['pip install moneypy', 'curl -fsS http://127.0.0.1:9/simple/moneypy/'],
      decisions: ["There is no such package here, so I'll go with a helper of our own"],
    },
  },
  {
    name: 'left-running',
    files: javascript,
    end: 'over',
    turns: [
      {
        person: 'Start the dev server and check that the parser loads.',
        replies: [
          {say: 'The server goes to the background.', acts: [{serve: 'node server.js'}]},
          {acts: [{run: 'node -e "require(\'./src/parser.js\')"'}]},
          {say: 'The server runs and the parser loads.'},
        ],
      },
    ],
    planted: {validation: {state: 'unknown'}},
  },
  {
    name: 'by-the-shell',
    files: javascript,
    end: 'over',
    headless: true,
    turns: [
      {
        person: 'Create CHANGELOG.md, put version 1.1.0 into package.json and append a line to docs/notes.md.',
        replies: [
          {
            acts: [
              {
                run: "cat > CHANGELOG.md <<'EOF'\n# Changelog\n\n## 1.1.0\n\n- npm test is documented\nEOF",
                writes: ['CHANGELOG.md'],
              },
            ],
          },
          {acts: [{run: "sed -i 's/1.0.0/1.1.0/' package.json", writes: ['package.json']}]},
          {
            acts: [
              {run: "(cd docs && echo 'See the changelog.' >> notes.md)", writes: ['docs/notes.md']},
              {run: 'tail -n 2 docs/notes.md', reads: ['docs/notes.md']},
            ],
          },
          {say: 'All three files are written.'},
        ],
      },
    ],
    planted: {validation: {state: 'unknown'}},
  },
  {
    name: 'many-steps',
    files: javascript,
    end: 'killed',
    turns: [
      {
        person:
          'Import the 20 parts in order: for part N run `node -e "console.log(\'part N\')"`. Then publish with npm publish.',
        replies: [
          {say: 'We will keep one process per part instead of a loop, because a failed part must be visible.'},
        ].flatMap(({say}) => [
          {say, acts: [{run: 'node -e "console.log(\'part 1\')"'}]},
          ...Array.from({length: 19}, (_, at) => ({acts: [{run: `node -e "console.log('part ${at + 2}')"`}]})),
          {say: 'All parts are in.', acts: [{run: `npm publish --dry-run >/dev/null 2>&1; sleep ${killedSleep}`}]},
        ]),
      },
    ],
    planted: {
      validation: {state: 'unknown'},
      outside: true,
      decisions: ['We will keep one process per part instead of a loop, because a failed part must be visible'],
    },
  },
  {
    name: 'quiet-choices',
    files: rust,
    end: 'over',
    turns: [
      {
        person: 'The clock must also go backwards. Choose the simplest way and explain your choice.',
        replies: [
          {say: 'Both a signed step and a second function would do.', acts: [{read: 'src/lib.rs'}]},
          {
            say: 'A second function it is: callers stay as they are, and nobody has to think about signs.',
            acts: [
              {
                edit: 'src/lib.rs',
                from: 'pub fn next(hour: u8) -> u8 {',
                to: 'pub fn previous(hour: u8) -> u8 {\n    (hour + 23) % 24\n}\n\npub fn next(hour: u8) -> u8 {',
              },
            ],
          },
          {
            say: 'The cleanest place for the tests is the same file, so that is where they go.',
            acts: [{run: 'cargo build'}],
          },
          {say: 'previous() is there and builds.'},
        ],
      },
    ],
    planted: {
      validation: {state: 'unknown'},
      decisions: [
        'A second function it is: callers stay as they are, and nobody has to think about signs',
        'The cleanest place for the tests is the same file, so that is where they go',
      ],
    },
  },
];
