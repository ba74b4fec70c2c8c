import {describe, expect, it} from 'vitest';
import {complete} from '../../src/cli/complete.ts';
import {runProgram} from '../../src/cli/run-options.ts';
import {wordTree} from '../../src/cli/word-tree.ts';
import {watchRig} from '../fakes/watch.ts';
import {RUN, runJson} from '../watch/samples.ts';

const rig = (...words: string[]) => {
  const world = watchRig({runs: {[RUN]: {json: runJson()}}});
  return world.ckpt('__complete', ...words).then((code) => {
    expect(code).toBe(0);
    expect(world.seen.err).toBe('');
    const [kind, ...lines] = world.seen.out.trimEnd().split('\n');
    return {kind, words: lines.map((line) => line.split('\t')[0]), about: lines.map((line) => line.split('\t')[1])};
  });
};

describe('completion of ckpt', () => {
  it('knows every command, and what it is for', async () => {
    const {words, about} = await rig('ckpt', '--', '');
    expect(words).toEqual(expect.arrayContaining(['snapshot', 'resume', 'status', 'why', 'log', 'stop', 'doctor']));
    expect(words).not.toContain('__complete');
    expect(about.every((text) => text !== '')).toBe(true);
  });

  it.each<[string[], string[]]>([
    [['sta'], ['status']],
    [['status', '--w'], ['--watch']],
    [['status', '--json', '--la'], ['--last']],
    [['--repo-root', '/x', 'tra'], ['tracks']],
    [['--repo-root=/x', 'tra'], ['tracks']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['completion', 'z'], ['zsh']],
    [['service', 'un'], ['uninstall']],
    [['why', ''], [RUN]],
    [['stop', 'r-'], [RUN]],
    [['resume', '--track', ''], ['main']],
    [['resume', '--track=m'], ['--track=main']],
    [['resume', '--track', '='], ['main']],
    [['resume', '--track', '=', 'ma'], ['main']],
    [
      ['doctor', ''],
      ['claude', 'codex'],
    ],
    [['snapshot', '--step', ''], []],
    [['tracks', 'x'], []],
    [['why', '--', ''], [RUN]],
  ])('of %j is %j', async (typed, expected) => {
    expect((await rig('ckpt', '--', ...typed)).words).toEqual(expected);
  });

  it('of a checkpoint is its number', async () => {
    const {words, about} = await rig('ckpt', '--', 'show', '');
    expect(words).toHaveLength(1);
    expect(words[0]).toMatch(/^\d/);
    expect(about[0]).not.toBe('');
  });

  it('of a folder is left to the shell', async () => {
    expect((await rig('ckpt', '--', '--checkpoint-dir', '')).kind).toBe(':folders');
  });

  it('offers the options when no word is missing', async () => {
    expect((await rig('ckpt', '--', 'tracks', '')).words).toEqual(expect.arrayContaining(['--json', '--help']));
  });
});

describe('completion of ckpt-run', () => {
  it.each<[string[], string[]]>([
    [
      ['--on-compaction', ''],
      ['restart', 'reinject', 'observe'],
    ],
    [['--on-compaction=re'], ['--on-compaction=restart', '--on-compaction=reinject']],
    [['--until'], ['--until-done']],
    [['cl'], ['claude', 'codex']],
    [
      ['--track', 'x', ''],
      ['claude', 'codex'],
    ],
    [['--track', ''], ['main']],
  ])('of %j is %j', async (typed, expected) => {
    expect((await rig('ckpt-run', '--', ...typed)).words).toEqual(expected);
  });

  it('leaves everything after the agent to the shell: it is the agent’s', async () => {
    expect((await rig('ckpt-run', '--', 'claude', '')).kind).toBe(':files');
    expect((await rig('ckpt-run', '--', 'claude', '--mod')).kind).toBe(':files');
  });
});

it('an option that takes a value never swallows the command behind it', () => {
  const tree = wordTree(runProgram('1'));
  expect(complete(tree, ['--fresh', ''])).toEqual({is: 'live', kind: 'agents', front: ''});
  expect(complete(tree, ['--max-legs', '5', ''])).toEqual({is: 'live', kind: 'agents', front: ''});
});

it('an unknown shell is refused with the known ones', async () => {
  const world = watchRig();
  expect(await world.ckpt('completion', 'tcsh')).toBe(64);
  expect(world.seen.err).toContain('bash, zsh, fish');
});
