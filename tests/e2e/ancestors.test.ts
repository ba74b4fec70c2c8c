// Everything that the two ancestors name — commands, flags, fields, values, files — is here, by that name or by the one
// it was mapped to. One row each; the README's table says the same in words.

import {mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {asRepository, ckpt, git, repository, snapshot, useCkpt} from './ckpt-rig.ts';

useCkpt();

interface Row {
  /** As the ancestor calls it. */
  theirs: string;
  /** As it is called here. */
  ours: string;
  proof(): void;
}

let root = '';
let dir = '';
const said = {resume: '', live: '', protocol: '', list: '', current: '', latest: '', imported: ''};
let saved: Record<string, unknown> = {};
let latest: {current_track: string; tracks: Record<string, Record<string, unknown>>};

/** The first ancestor's own example, with every flag it names; then the second's fields. */
const theirCall = [
  ...['--repo-root', '.', 'snapshot', '--step', 'verifier schedule fix landed'],
  ...['--note', 'focused_schedule_clause_fragment added, Utah one-case proof green'],
  ...[
    '--next-cmd',
    'python3 -m pytest -q tests/unit/test_document_research_verifier.py && run mixed-family forward proof',
  ],
  ...['--label', 'verifier-fix', '--track', 'MIXED_RETRIEVAL', '--validation', 'green'],
  ...['--extra', 'artifact=/var/tmp/proof_run_20260412/run_report.json', '--extra', 'defect_count=0'],
  ...['--active-file', 'auth.ts:Implementing JWT', '--current-task', 'Run test suite for auth'],
  ...['--decided', 'JWT instead of sessions — race condition in sessions'],
  ...['--tried-failed', 'Session approach → race condition when concurrent requests'],
  ...['--next-step', 'Run auth.test.ts', '--next-step', 'Add rate limiting to login endpoint'],
];

beforeAll(() => {
  root = asRepository(realpathSync(mkdtempSync(join(tmpdir(), 'ckpt-test-'))));
  dir = join(root, 'runtime', 'checkpoints');
  expect(ckpt(root, theirCall)).toMatchObject({status: 0, stderr: ''});
  expect(ckpt(root, [...snapshot, '--track', 'SIDE', '--no-set-current'])).toMatchObject({status: 0, stderr: ''});
  said.resume = ckpt(root, ['--repo-root', '.', 'resume']).stdout;
  said.live = ckpt(root, ['--repo-root', '.', 'resume', '--track', 'MIXED_RETRIEVAL', '--live']).stdout;
  said.protocol = ckpt(root, ['protocol']).stdout;
  said.list = ckpt(root, ['list']).stdout;
  said.current = ckpt(root, ['current']).stdout;
  said.latest = readFileSync(join(dir, 'LATEST.md'), 'utf8');
  latest = JSON.parse(readFileSync(join(dir, 'LATEST.json'), 'utf8'));
  saved = JSON.parse(readFileSync(join(dir, file('_verifier-fix.json')), 'utf8'));
  mkdirSync(join(root, '.session', 'checkpoints'), {recursive: true});
  writeFileSync(join(root, '.session', 'config.json'), '{"maxCheckpoints": 20}');
  writeFileSync(join(root, '.session', 'checkpoints', 'cp-20260430-0315.md'), '# Found auth bug\nNext: test\n');
  writeFileSync(join(root, '.session', 'current.md'), '## Summary\nauth work\n');
  said.imported = ckpt(root, ['import', '.session', '--track', 'OLD']).stdout;
});
afterAll(() => rmSync(root, {recursive: true, force: true}));

const file = (ending: string): string =>
  readdirSync(dir).find((name) => name.endsWith(ending)) ?? `none ends with ${ending}`;
const row = (theirs: string, ours: string, proof: () => void): Row => ({theirs, ours, proof});
const has = (field: string, value: unknown) => () => expect(saved[field]).toEqual(value);
const line = (text: string) => () => expect(said.resume.split('\n')).toContain(text);
const refused = (args: string[], what: string) => () => {
  const before = readdirSync(dir);
  const {status, stderr} = ckpt(root, [...snapshot, ...args]);
  expect(status).toBe(64);
  expect(stderr).toContain(what);
  expect(readdirSync(dir)).toEqual(before);
};

const relayBaton: Row[] = [
  row('context_checkpoint.py', 'ckpt', () => expect(ckpt(root, ['--help']).status).toBe(0)),
  row('snapshot', 'ckpt snapshot', has('schema_version', 1)),
  row('--repo-root .', '--repo-root', () => expect(readdirSync(join(root, 'runtime'))).toEqual(['checkpoints'])),
  row('--step', '--step', has('step', theirCall[4])),
  row('--note', '--note', has('note', theirCall[6])),
  row('--next-cmd', '--next-cmd', has('next_cmd', theirCall[8])),
  row('--label', '--label', has('label', 'verifier-fix')),
  row('--track', '--track', has('track', 'MIXED_RETRIEVAL')),
  row('--track is required', '--track', refused([], '--track')),
  row('--validation green|pending|failed', '--validation', () => {
    for (const value of ['green', 'pending', 'failed', 'unknown']) {
      const args = [...snapshot, '--track', 'V', '--no-set-current', '--validation', value, '--json'];
      expect(JSON.parse(ckpt(root, args).stdout).validation).toBe(value);
    }
  }),
  row(
    '--extra key=value, many',
    '--extra',
    has('extra', {artifact: '/var/tmp/proof_run_20260412/run_report.json', defect_count: '0'}),
  ),
  row('malformed --extra fails fast', '--extra', refused(['--track', 't', '--extra', 'malformed'], '"malformed"')),
  row('--no-set-current', '--no-set-current', () => expect(latest.current_track).toBe('MIXED_RETRIEVAL')),
  row('--checkpoint-dir, relative to the root', '--checkpoint-dir', () => {
    expect(ckpt(root, ['--checkpoint-dir', 'elsewhere', ...snapshot, '--track', 't']).status).toBe(0);
    expect(readdirSync(join(root, 'elsewhere'))).toContain('LATEST.json');
  }),
  row('--checkpoint-dir, absolute', '--checkpoint-dir', () => {
    const outside = join(repository(), 'ckpt');
    expect(ckpt(root, ['--checkpoint-dir', outside, ...snapshot, '--track', 't']).status).toBe(0);
    expect(readdirSync(outside)).toContain('LATEST.json');
  }),
  row('branch', 'branch', has('branch', 'main')),
  row('head', 'head', () => expect(saved.head).toBe(git(root, 'rev-parse', 'HEAD'))),
  row('context_checkpoint_{timestamp}_{label}.json', 'the same', () =>
    expect(file('_verifier-fix.json')).toMatch(/^context_checkpoint_\d{8}T\d{9}Z_verifier-fix\.json$/),
  ),
  row('context_checkpoint_{timestamp}_{label}.md', 'the same', () =>
    expect(readFileSync(join(dir, file('_verifier-fix.md')), 'utf8')).toContain('# verifier schedule fix landed'),
  ),
  row('<repo-root>/runtime/checkpoints/', 'the same', () => expect(readdirSync(dir)).toContain('LATEST.json')),
  row('LATEST.md: ## CURRENT and one section per track', 'the same', () =>
    expect(said.latest.match(/^## .*$/gm)).toEqual(['## CURRENT', '## Track `MIXED_RETRIEVAL`', '## Track `SIDE`']),
  ),
  row('LATEST.json: current_track, tracks', 'the same', () =>
    expect(latest).toMatchObject({current_track: 'MIXED_RETRIEVAL', tracks: {SIDE: {step: 'fix landed'}}}),
  ),
  row('resume', 'ckpt resume', line('track=MIXED_RETRIEVAL')),
  row('resume --track', 'ckpt resume --track', () =>
    expect(ckpt(root, ['resume', '--track', 'SIDE']).stdout).toContain('track=SIDE\n'),
  ),
  row('resume --live', 'ckpt resume --live', () => expect(said.live).toContain('drift=none\n')),
  row('step=…', 'the same line', line(`step=${theirCall[4]}`)),
  row('note=…', 'the same line', line(`note=${theirCall[6]}`)),
  row('branch=…', 'the same line', line('branch=main')),
  row('head=…', 'the same line', () => expect(said.resume).toMatch(/^head=[0-9a-f]{12}$/m)),
  row('next_cmd=…', 'the same line', line(`next_cmd=${theirCall[8]}`)),
  row('checkpoint_protocol.md', 'ckpt protocol', () => {
    for (const word of ['resume --live', 'next_cmd', 'snapshot', 'At every phase change'])
      expect(said.protocol).toContain(word);
  }),
  row('its own old files', 'ckpt import runtime/checkpoints', () => {
    const old = join(root, 'old');
    mkdirSync(old);
    const name = 'context_checkpoint_20260412T101112Z_x.json';
    writeFileSync(join(old, name), JSON.stringify({step: 'old', track: 'OLDER', next_cmd: 'n'}));
    expect(ckpt(root, ['import', 'old']).stdout).toContain('1 imported');
  }),
];

const trigger = (name: string): Row =>
  row(`trigger ${name}`, `--trigger ${name}`, () => {
    const args = [...snapshot, '--track', 'T', '--no-set-current', '--trigger', name, '--json'];
    expect(JSON.parse(ckpt(root, args).stdout).trigger).toBe(name);
  });

const knob = (name: string, value: unknown): Row =>
  row(`config.json: ${name}`, `ckpt.yaml: ${name}`, () => {
    const other = repository();
    writeFileSync(join(other, 'ckpt.yaml'), `${name}: ${JSON.stringify(value)}\n`);
    const config = JSON.parse(ckpt(other, ['config', '--json']).stdout);
    expect(config.values[name]).toEqual({value, from: `${join(other, 'ckpt.yaml')}:1`});
  });

const sessionPoints: Row[] = [
  row('/checkpoint "note"', 'ckpt snapshot (ckpt install gives the slash command)', has('trigger', 'manual')),
  row('/checkpoints: timestamps and summaries', 'ckpt list', () => {
    expect(said.list).toMatch(/^1 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +MIXED_RETRIEVAL .*verifier schedule fix landed$/m);
  }),
  row('/restore N reads checkpoint N (1 = oldest) into the context', 'ckpt show N (files too: ckpt restore N)', () =>
    expect(ckpt(root, ['show', '1']).stdout).toMatch(/^# verifier schedule fix landed\n/),
  ),
  row('/rollback: the last one', 'ckpt current (files too: ckpt rollback)', () =>
    expect(said.current).toMatch(/^# verifier schedule fix landed\n/),
  ),
  row('/prune: keeps the last 10', 'ckpt prune', () =>
    expect(ckpt(root, ['prune', '--help']).stdout).toMatch(/default:\s+10/),
  ),
  row('timestamp', 'born', () => expect(saved.born).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
  row('summary', 'step; --summary is understood', () => {
    const args = [
      'snapshot',
      '--summary',
      'JWT working',
      '--next-cmd',
      'n',
      '--track',
      'S',
      '--no-set-current',
      '--json',
    ];
    expect(JSON.parse(ckpt(root, args).stdout).step).toBe('JWT working');
  }),
  row(
    'context.active_files, with why',
    'active_files',
    has('active_files', [{what: 'auth.ts', why: 'Implementing JWT'}]),
  ),
  row('context.current_task', 'current_task', has('current_task', 'Run test suite for auth')),
  row('context.decisions_made, with why', 'decisions_made', () =>
    expect(saved.decisions_made).toEqual([{what: 'JWT instead of sessions', why: 'race condition in sessions'}]),
  ),
  row('context.tried_failed, with why', 'tried_failed', () =>
    expect(saved.tried_failed).toEqual([{what: 'Session approach', why: 'race condition when concurrent requests'}]),
  ),
  row(
    'context.next_steps',
    'next_steps',
    has('next_steps', ['Run auth.test.ts', 'Add rate limiting to login endpoint']),
  ),
  ...['interval', 'before_refactor', 'after_bug_found', 'before_risky_change', 'on_test_failure'].map(trigger),
  knob('autoCheckpoint', false),
  knob('intervalMinutes', 15),
  knob('maxCheckpoints', 20),
  knob('triggers', ['before_refactor', 'after_bug_found', 'before_risky_change']),
  row('.session/config.json', 'ckpt.yaml (ckpt import prints the lines)', () =>
    expect(said.imported).toContain('ckpt.yaml:\nmaxCheckpoints: 20\n'),
  ),
  row('.session/checkpoints/cp-TIMESTAMP.md', 'context_checkpoint_{timestamp}_{label}.md', () =>
    expect(file('_Found-auth-bug.md')).toMatch(/^context_checkpoint_20260430T031500000Z_/),
  ),
  row('.session/current.md, the active summary', 'ckpt current, LATEST.md', () =>
    expect(ckpt(root, ['current', '--track', 'OLD']).stdout).toContain('# auth work'),
  ),
  row('plain markdown, a person can read it anytime', 'the .md beside each .json', () =>
    expect(readdirSync(dir).filter((name) => name.endsWith('.md')).length).toBe(
      readdirSync(dir).filter((name) => /^(context_checkpoint_.*|LATEST)\.json$/.test(name)).length,
    ),
  ),
];

describe.each([
  ['the first ancestor, the relay-baton script', relayBaton],
  ['the second ancestor, the session save points', sessionPoints],
])('%s', (_name, rows) => {
  it.each(rows.map(({theirs, ours, proof}) => [theirs, ours, proof] as const))('%s → %s', (_theirs, _ours, proof) => {
    expect.hasAssertions();
    proof();
  });
});
