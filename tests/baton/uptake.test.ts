import {describe, expect, it} from 'vitest';
import type {LegFacts} from '../../src/baton/facts.ts';
import {handoffMeasures, learn, measureWords, nothingKnown} from '../../src/baton/handoff-measures.ts';
import {isUptake} from '../../src/baton/uptake.ts';
import {call, factsOf, sample} from './samples.ts';

const baton = sample({next_cmd: 'npm run migrate -- --table invoices', goal: 'migrate the billing module'});

describe('uptake', () => {
  it.each<[string, Partial<LegFacts>, string]>([
    ['the next command', {recentCalls: [call('npm run migrate -- --table invoices')]}, 'next command'],
    [
      'the next command inside another',
      {recentCalls: [call('cd api && npm run migrate -- --table invoices')]},
      'next command',
    ],
    [
      'the next command, not ended',
      {recentCalls: [call('npm run migrate -- --table invoices', 'open')]},
      'next command',
    ],
    ['a checkpoint of its own', {recentCalls: [call('/opt/ckpt snapshot --step "x"')]}, 'checkpoint'],
    ['done', {recentCalls: [call('/opt/ckpt done --note "all done"')]}, 'done'],
    ['any tool call', {recentCalls: [call('git status')]}, 'tool call'],
    ['calls that are past', {callCount: 40}, 'tool call'],
    ['an answer about the work', {lastWords: 'The billing module is migrated: the goal is met.'}, 'answer'],
    [
      'an answer with a question',
      {lastWords: 'Shall I migrate the invoices table of the billing module now?'},
      'answer',
    ],
  ])('%s', (_name, facts, by) => {
    expect(isUptake(factsOf(facts), baton)).toEqual({took: true, by});
  });

  it.each<[string, Partial<LegFacts>, string]>([
    ['nothing at all', {}, 'nothing'],
    ['No response requested.', {lastWords: 'No response requested.'}, 'empty answer'],
    ['Understood.', {lastWords: 'Understood.'}, 'empty answer'],
    ['Ready when you are', {lastWords: "I'm ready to continue. What would you like me to do?"}, 'empty answer'],
    ['How can I help', {lastWords: 'Hello! How can I help you today with your project?'}, 'empty answer'],
    [
      'words about something else',
      {lastWords: 'The weather in Paris is mild at this time of the year.'},
      'empty answer',
    ],
  ])('is not proved by %s', (_name, facts, by) => {
    expect(isUptake(factsOf(facts), baton)).toEqual({took: false, by});
  });

  it('knows a command that next_cmd names among words', () => {
    const verify = sample({next_cmd: 'verify whether `Bash: git push origin main` took effect, then go on'});
    expect(isUptake(factsOf({recentCalls: [call('git push origin main')]}), verify).by).toBe('next command');
    expect(isUptake(factsOf({recentCalls: [call('git log')]}), verify).by).toBe('tool call');
  });

  it('is not fooled by a very short next_cmd', () => {
    expect(isUptake(factsOf({recentCalls: [call('ls -la')]}), sample({next_cmd: 'ls'})).by).toBe('tool call');
  });
});

describe('the measures of a handoff', () => {
  const run = (command: string, more = {}) => ({command, state: 'finished' as const, exitCode: 0, ms: 5, ...more});
  const before = factsOf({
    reads: ['src/a.ts', 'README.md'],
    edits: ['src/b.ts'],
    commands: [run('npm ci'), run('npm test', {repeats: 'freely'}), run('make x', {state: 'failed', exitCode: 2})],
  });

  it('tell how soon, how far, and what was done twice', () => {
    const after = factsOf({
      firstCallAt: 14_230,
      callsBeforeEdit: 3,
      reads: ['src/b.ts', 'src/c.ts', 'README.md'],
      commands: [run('npm test', {repeats: 'freely'}), run('npm ci'), run('npm ci'), run('make x'), run('ls')],
    });
    const measures = handoffMeasures({known: learn(nothingKnown, before), after, startedAt: 10_000});
    expect(measures).toEqual({
      secondsToUptake: 4.2,
      actionsToFirstEdit: 3,
      commandsRepeated: ['npm ci'],
      filesReread: ['src/b.ts', 'README.md'],
    });
    expect(measureWords(measures)).toBe(
      'took up after 4.2 s, first edit after 3 actions, 1 command repeated, 2 files re-read',
    );
  });

  it('say that nothing has happened yet', () => {
    const measures = handoffMeasures({known: nothingKnown, after: factsOf({}), startedAt: 10_000});
    expect(measures).toEqual({
      secondsToUptake: undefined,
      actionsToFirstEdit: undefined,
      commandsRepeated: [],
      filesReread: [],
    });
    expect(measureWords(measures)).toBe('not taken up, no edit yet, 0 commands repeated, 0 files re-read');
  });

  it('remember more than one leg: one that died at its start forgets nothing', () => {
    const known = learn(learn(nothingKnown, before), factsOf({}));
    const after = factsOf({reads: ['src/a.ts'], commands: [run('npm ci')]});
    expect(handoffMeasures({known, after, startedAt: 0})).toMatchObject({
      commandsRepeated: ['npm ci'],
      filesReread: ['src/a.ts'],
    });
  });

  it('claim nothing of what nobody knows, and count an uptake that was no call', () => {
    const measures = handoffMeasures({known: undefined, after: factsOf({}), startedAt: 10_000, uptakeAt: 12_500});
    expect(measureWords(measures)).toBe('took up after 2.5 s, no edit yet');
  });
});
