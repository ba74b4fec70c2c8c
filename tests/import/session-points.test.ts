import {describe, expect, it} from 'vitest';
import type {OldFile} from '../../src/import/foundling.ts';
import {isSessionFolder, readSessionPoints, sessionConfig} from '../../src/import/session-points.ts';
import {main} from '../baton/samples.ts';

const changedAt = Date.parse('2026-05-01T00:00:00.000Z');
const file = (name: string, text: string): OldFile => ({name, text, changedAt});

const one = (text: string, name = 'checkpoints/cp-20260430-0315.md') => {
  const {foundlings, complaints} = readSessionPoints([file(name, text)], main);
  expect(complaints).toEqual([]);
  const [found] = foundlings;
  if (found === undefined) throw new Error('nothing was found');
  return found;
};

/** As the ancestor's own README shows it. */
const theirs = `checkpoint:
  timestamp: "2026-04-30T03:45:00Z"
  summary: "JWT authentication working"
  context:
    active_files: # What files you're working on
      - auth.ts # "Implementing JWT"
      - auth.test.ts # "Testing JWT validation"
    current_task: "Run test suite for auth"
    decisions_made: # Why you made these choices
      - "JWT instead of sessions — race condition in sessions"
      - "RS256 algorithm — more secure than HS256"
    tried_failed: # Don't repeat these
      - "Session approach → race condition when concurrent requests"
    next_steps: # Pick up here
      - "Run auth.test.ts"
      - "Add rate limiting to login endpoint"
`;

describe('a save point of the second ancestor', () => {
  it.each([
    ['as YAML', theirs],
    ['as YAML inside a page', `# Save point\n\n\`\`\`yaml\n${theirs}\`\`\`\n`],
  ])('%s keeps every field: summary is step, current_task the task in progress', (_how, text) => {
    const {draft, at} = one(text);
    expect(new Date(at).toISOString()).toBe('2026-04-30T03:45:00.000Z');
    expect(draft).toMatchObject({
      track: 'main',
      step: 'JWT authentication working',
      current_task: 'Run test suite for auth',
      tasks: [{title: 'Run test suite for auth', state: 'in_progress'}],
      next_cmd: 'Run auth.test.ts',
      next_steps: ['Add rate limiting to login endpoint'],
      active_files: [
        {what: 'auth.ts', why: 'Implementing JWT'},
        {what: 'auth.test.ts', why: 'Testing JWT validation'},
      ],
      decisions_made: [
        {what: 'JWT instead of sessions', why: 'race condition in sessions'},
        {what: 'RS256 algorithm', why: 'more secure than HS256'},
      ],
      tried_failed: [{what: 'Session approach', why: 'race condition when concurrent requests'}],
      trigger: 'manual',
      set_current: false,
    });
  });

  it('as headings and lists', () => {
    const {draft, at} = one(`# Checkpoint: Found auth bug

**Trigger:** after_bug_found

## Active Files
- \`auth.ts\` — the handler
- routes.ts (login)

## Tried & Failed
1. Sessions -> race condition

## Decisions
- JWT

## Notes
It happens when two
requests come at once.

## Next steps
- [ ] Test JWT
- [ ] Commit
`);
    expect(new Date(at).toISOString()).toBe('2026-04-30T03:15:00.000Z');
    expect(draft).toMatchObject({
      step: 'Found auth bug',
      trigger: 'after_bug_found',
      note: 'It happens when two\nrequests come at once.',
      next_cmd: 'Test JWT',
      next_steps: ['Commit'],
      active_files: [
        {what: 'auth.ts', why: 'the handler'},
        {what: 'routes.ts', why: 'login'},
      ],
      tried_failed: [{what: 'Sessions', why: 'race condition'}],
      decisions_made: [{what: 'JWT', why: undefined}],
    });
  });

  it('as the few lines of its timeline', () => {
    const {draft} = one('# JWT working\nFiles: auth.ts, auth.test.ts\nDecided: JWT > Sessions\nNext: Run tests\n');
    expect(draft).toMatchObject({
      step: 'JWT working',
      next_cmd: 'Run tests',
      active_files: [
        {what: 'auth.ts', why: undefined},
        {what: 'auth.test.ts', why: undefined},
      ],
      decisions_made: [{what: 'JWT > Sessions', why: undefined}],
    });
  });

  it('of the session itself is current.md, dated by its file when it says no time', () => {
    const {draft, at} = one('## Summary\nauth work\n## Next\n- go on', 'current.md');
    expect(draft).toMatchObject({label: 'current', step: 'auth work', next_cmd: 'go on'});
    expect(at).toBe(changedAt);
  });

  it('in which nothing is found is named, not invented', () => {
    expect(readSessionPoints([file('checkpoints/cp-1.md', 'just words')], main)).toEqual({
      foundlings: [],
      complaints: ['checkpoints/cp-1.md: neither a summary nor a next step was found in it'],
    });
  });
});

describe('the folder', () => {
  it('is known by its save points', () => {
    expect(isSessionFolder([file('checkpoints/cp-20260430-0315.md', '')])).toBe(true);
    expect(isSessionFolder([file('README.md', ''), file('config.json', '{}')])).toBe(false);
  });

  it('tells its config.json in the words of ckpt.yaml', () => {
    const text = '{"autoCheckpoint": true, "intervalMinutes": 30, "triggers": ["before_refactor"], "colour": 1}';
    expect(sessionConfig([file('config.json', text)])).toBe(
      'autoCheckpoint: true\nintervalMinutes: 30\ntriggers: ["before_refactor"]\n',
    );
    for (const broken of ['{', 'null', '[]', '{}'])
      expect(sessionConfig([file('config.json', broken)])).toBeUndefined();
    expect(sessionConfig([])).toBeUndefined();
  });
});
