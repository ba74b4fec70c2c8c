import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {GroundOptions} from '../../src/cli/commands/world.ts';
import {globalOptions, resumeOptions, snapshotOptions} from '../../src/cli/flags.ts';
import {plainWords} from '../../src/cli/plain-words.ts';
import {runProgram} from '../../src/cli/whole-program.ts';
import {sample} from '../baton/samples.ts';
import {rig} from './world-rig.ts';

const where = ({repoRoot, checkpointDir}: GroundOptions) => ({repoRoot, checkpointDir});

describe('plain words', () => {
  it('are read without any library', () => {
    const line = [
      '--repo-root',
      '.',
      'snapshot',
      '--json',
      '--step',
      's',
      '--extra',
      'a=b',
      '--extra',
      'c=',
      '--no-set-current',
    ];
    expect(plainWords(line)).toEqual({
      command: 'snapshot',
      flags: {repoRoot: '.', json: true, step: 's', extra: ['a=b', 'c='], setCurrent: false},
    });
    expect(plainWords(['resume', '--live', '--track', ''])).toEqual({
      command: 'resume',
      flags: {live: true, track: ''},
    });
  });

  it.each([
    [[]],
    [['--help']],
    [['snapshot', '--help']],
    [['snapshot', '-h']],
    [['snapshot', '--wrong']],
    [['snapshot', '--step']],
    [['snapshot', '--step', '--json']],
    [['snapshot', '--step', '-5']],
    [['snapshot', '--step=x']],
    [['snapshot', 'operand']],
    [['snapshot', '--', 'x']],
    [['--repo-root']],
    [['--live', 'resume']],
    [['resume', '--step', 'x']],
    [['list']],
  ])('are not %j', (args) => {
    expect(plainWords(args)).toBeUndefined();
  });

  it('mean to commander exactly what they mean here', async () => {
    const flags = [...globalOptions, ...snapshotOptions, ...resumeOptions].map(
      ({name, negated}) => `--${negated === true ? 'no-' : ''}${name}`,
    );
    const word = fc.oneof(
      fc.constantFrom(
        ...flags,
        'snapshot',
        'resume',
        'a=b',
        'green',
        'manual',
        'main',
        'x: y',
        '',
        '--',
        '-x',
        '--step=x',
      ),
      fc.string({maxLength: 4}),
    );
    const line = fc
      .tuple(
        fc.array(word, {maxLength: 2}),
        fc.constantFrom('snapshot', 'resume'),
        fc.array(fc.tuple(fc.constantFrom(...flags), word), {maxLength: 6}),
      )
      .map(([before, command, pairs]) => [...before, command, ...pairs.flat()]);
    const full = ['--step', 's', '--next-cmd', 'n', '--track', 'main'];
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(line, fc.boolean(), async (words, complete) => {
        const args = complete && words.includes('snapshot') ? [...words, ...full] : words;
        if (plainWords(args) === undefined) return;
        plain += 1;
        const [here, there] = [rig({history: [sample()], input: '{}'}), rig({history: [sample()], input: '{}'})];
        const codes = [await here.ckpt(...args), await runProgram(args, there.world)];
        expect(codes[0]).toBe(codes[1]);
        const {opened: openedHere, ...seen} = here.seen;
        const {opened: topenedHere, ...expected} = there.seen;
        expect(seen).toEqual(expected);
        // Commander says by default that the current track is set; to us that is the same as nothing said.
        expect(openedHere.map(where)).toEqual(topenedHere.map(where));
      }),
      {numRuns: 1500},
    );
    expect(plain).toBeGreaterThan(50);
  });
});
