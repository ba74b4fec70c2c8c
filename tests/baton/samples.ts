// A checkpoint, facts and input with every field filled; tests change what they care about.

import type {Checkpoint} from '../../src/baton/checkpoint.ts';
import type {ComposeInput} from '../../src/baton/compose-input.ts';
import {type LegFacts, noFacts, type ToolCall} from '../../src/baton/facts.ts';
import {type CheckpointId, legNumber, millis, type RunId, type Track} from '../../src/core/ids.ts';

export const main = 'main' as Track;
export const run = 'r-20261118-091500-4f2a' as RunId;
export const otherRun = 'r-20261117-080000-0001' as RunId;
export const startedAt = millis(Date.parse('2026-11-18T09:15:00.000Z'));

export const sample = (changes: Partial<Checkpoint> = {}): Checkpoint => ({
  schema_version: 1,
  id: '20261118T091600000Z_sample' as CheckpointId,
  number: 3,
  born: '2026-11-18T09:16:00.000Z',
  track: main,
  label: 'sample',
  trigger: 'death',
  step: 'the parser is written',
  note: 'it was harder than thought',
  next_cmd: 'npm test',
  validation: 'green',
  goal: 'migrate the billing module',
  current_task: 'write the parser',
  active_files: [{what: 'src/a.ts', why: 'the parser'}],
  decisions_made: [{what: 'zod', why: 'it is there'}],
  tried_failed: [{what: 'regex', why: 'too slow'}],
  next_steps: ['write the README'],
  tasks: [
    {title: 'parser', state: 'completed'},
    {title: 'tests', state: 'pending'},
  ],
  artifacts: ['/tmp/report.json'],
  in_flight: {call: 'Bash: git push', outcome: 'unknown', outside: true},
  recent_calls: ['Bash: npm ci', 'Edit: src/a.ts'],
  last_words: 'Now I will run the tests.',
  extra: {ticket: '42'},
  branch: 'main',
  head: 'fa124d5fa124d5fa124d5fa124d5fa124d5fa124d',
  dirty_files: ['src/a.ts'],
  run,
  leg: legNumber(1),
  conversation: {agent: 'claude', version: '2.1.0', session_id: 's', log_path: '/l', log_offset: 10},
  provenance: {step: 'observed'},
  set_current: true,
  ...changes,
});

export const call = (input: string, state: ToolCall['state'] = 'finished', name = 'Bash'): ToolCall => ({
  id: `t-${input}`,
  name,
  input,
  state,
  outside: /push|deploy/.test(input),
});

export const factsOf = (changes: Partial<LegFacts>): LegFacts => ({
  ...noFacts,
  callCount: changes.recentCalls?.filter(({state}) => state !== 'open').length ?? 0,
  ...changes,
});

export const input = (changes: Partial<ComposeInput> = {}): ComposeInput => ({
  track: main,
  trigger: 'death',
  death: {cause: 'crashed', at: startedAt, evidence: [], exit: undefined, notBefore: undefined},
  run,
  leg: legNumber(1),
  runStartedAt: startedAt,
  facts: noFacts,
  git: {branch: 'main', head: 'abc', dirty: ['x.ts']},
  previous: undefined,
  continued: false,
  prompt: undefined,
  agent: {name: 'claude', version: '2.1.0', logPath: '/log', logOffset: 5},
  setCurrent: true,
  ...changes,
});
