// How much of what happened comes through: every log of the corpus → facts → baton → prompt, held against what was
// planted when it was recorded. `npm run bench:baton` prints it, tests/baton/corpus.test.ts asks for the bars.

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {newLogReader as claudeReader} from '../../adapters/claude/session-log.ts';
import {newLogReader as codexReader} from '../../adapters/codex/session-log.ts';
import type {Checkpoint} from '../../src/baton/checkpoint.ts';
import {compose} from '../../src/baton/compose.ts';
import type {LegFacts} from '../../src/baton/facts.ts';
import {renderPrompt} from '../../src/baton/render.ts';
import {type CheckpointId, legNumber, millis, type RunId, type Track} from '../../src/core/ids.ts';
import {counted} from '../baton/counted.ts';
import type {ExpectedFacts} from '../corpus/expected.ts';
import {type Kind, kinds, type Tally, tallyOf} from './baton-tally.ts';

export interface LogScore {
  log: string;
  tally: Record<Kind, Tally>;
  /** What a tokenizer counts in the prompt, times 1.3. */
  tokens: number;
}

export interface BatonScore {
  logs: LogScore[];
  /** Of all that was planted, how much was found; free text apart. */
  structural: number;
  /** The same for what must stand in the prompt itself. */
  inPrompt: number;
  decisions: number;
  invented: string[];
  missed: string[];
  maxTokens: number;
}

export const scoreBatons = (corpus: string): BatonScore => {
  const logs = readdirSync(corpus, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => scoreLog(corpus, name));
  const of = (wanted: readonly Kind[]): Tally[] => logs.flatMap(({tally}) => wanted.map((kind) => tally[kind]));
  const told = (what: 'invented' | 'missed'): string[] =>
    logs.flatMap(({log, tally}) => kinds.flatMap((kind) => tally[kind][what].map((one) => `${log}: ${kind}: ${one}`)));
  return {
    logs,
    structural: recall(of(kinds.filter((kind) => kind !== 'decisions' && kind !== 'prompt'))),
    inPrompt: recall(of(['prompt'])),
    decisions: recall(of(['decisions'])),
    invented: told('invented'),
    missed: told('missed'),
    maxTokens: Math.max(...logs.map(({tokens}) => tokens)),
  };
};

export const recall = (tallies: Tally[]): number => {
  const wanted = tallies.reduce((sum, {wanted: one}) => sum + one, 0);
  const missed = tallies.reduce((sum, {missed: one}) => sum + one.length, 0);
  return wanted === 0 ? 1 : 1 - missed / wanted;
};

const scoreLog = (corpus: string, name: string): LogScore => {
  const expected = JSON.parse(
    readFileSync(join(corpus, name.replace(/\.jsonl$/, '.facts.json')), 'utf8'),
  ) as ExpectedFacts;
  const facts = factsOf(name, readFileSync(join(corpus, name), 'utf8'));
  const checkpoint = checkpointOf(facts);
  const prompt = renderPrompt({
    checkpoint,
    drift: 'none',
    ckptBin: '/usr/lib/node_modules/ckpt-run/dist/ckpt.js',
    dir: '/project/runtime/checkpoints',
    legNumber: 2,
    fullPath: '/project/runtime/checkpoints/context_checkpoint_20261118T120000000Z_leg-1-crashed.json',
  });
  return {
    log: name.replace(/\.jsonl$/, ''),
    tally: tallyOf({expected, facts, checkpoint, prompt}),
    tokens: Math.ceil(counted(prompt) * 1.3),
  };
};

const factsOf = (name: string, text: string): LegFacts => {
  const reader = name.startsWith('codex') ? codexReader() : claudeReader();
  for (const line of text.split('\n')) reader.feed(line);
  return reader.facts();
};

/** As at a crash of leg 1, with nothing but the log to go by: not even the prompt on the command line. */
const checkpointOf = (facts: LegFacts): Checkpoint => {
  const run = 'r-20261118-120000-0000' as RunId;
  const draft = compose({
    track: 'main' as Track,
    trigger: 'death',
    death: {cause: 'crashed', at: millis(0), evidence: [], exit: undefined, notBefore: undefined},
    run,
    leg: legNumber(1),
    runStartedAt: millis(0),
    facts,
    git: {root: '/project', branch: 'main', head: 'a'.repeat(40), dirty: []},
    previous: undefined,
    continued: false,
    prompt: undefined,
    agent: {name: 'agent', version: undefined, logPath: '/log', logOffset: 0},
    setCurrent: true,
  });
  const id = '20261118T120000000Z_leg-1-crashed' as CheckpointId;
  return {...draft, schema_version: 1, id, born: '2026-11-18T12:00:00.000Z'};
};
