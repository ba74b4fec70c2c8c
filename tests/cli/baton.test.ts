import {describe, expect, it} from 'vitest';
import type {Checkpoint} from '../../src/baton/checkpoint.ts';
import type {GitSince} from '../../src/baton/compose-input.ts';
import {renderPrompt} from '../../src/baton/render.ts';
import {exitCodes} from '../../src/core/failure.ts';
import {legNumber, type Track} from '../../src/core/ids.ts';
import {run, sample} from '../baton/samples.ts';
import {rig} from './world-rig.ts';

const dir = '/repo/runtime/checkpoints';
const prompt = (changes: Partial<Checkpoint> = {}, drift = 'none', agent?: string): string =>
  renderPrompt({
    checkpoint: sample(changes),
    drift,
    ckptBin: '/opt/ckpt',
    dir,
    legNumber: 2,
    fullPath: `${dir}/context_checkpoint_20261118T091600000Z_sample.json`,
    ...(agent === undefined ? {} : {agent}),
  });

const ckpt = async (history: Checkpoint[], args: string[], since?: GitSince) => {
  const {seen, ckpt: call} = rig({history, ...(since === undefined ? {} : {since})});
  const code = await call('baton', ...args);
  return {out: seen.out, err: seen.err, code};
};

describe('ckpt baton', () => {
  it('prints exactly what the next leg gets', async () => {
    expect(await ckpt([sample()], [])).toEqual({code: 0, err: '', out: prompt()});
  });

  it('of another track, for another agent', async () => {
    const other = sample({track: 'side' as Track, goal: 'another goal'});
    const {out} = await ckpt([other, sample()], ['--track', 'side', '--for', 'codex']);
    expect(out).toBe(prompt({track: 'side' as Track, goal: 'another goal'}, 'none', 'codex'));
  });

  it('compares with git as it is now', async () => {
    const since = {worktreeGone: false, branchGone: true, merged: true, headIs: 'part', commits: []} as const;
    const {out} = await ckpt([sample({branch: 'work'})], [], {...since, commits: []});
    expect(out).toContain('branch was work, is now main; work is gone and merged into main: its work may be done');
  });

  it('explains every line', async () => {
    const {out} = await ckpt([sample()], ['--explain']);
    expect(out).toContain('         ┌ what the person asked for; never paraphrased, never left out\n');
    expect(out).toContain('quoted   │ migrate the billing module\n');
    expect(out).toContain('claimed  │ Next: npm test\n');
    const shown = out
      .split('\n')
      .flatMap((line) => /^(?:[\w-]+ *)│ (.*)$/.exec(line)?.[1] ?? (line === '' ? [''] : []));
    expect(shown.join('\n')).toBe(prompt());
  });

  it('gives both as JSON', async () => {
    const {out} = await ckpt([sample()], ['--json', '--explain']);
    const read = JSON.parse(out);
    expect(read).toMatchObject({track: 'main', id: sample().id, prompt: prompt()});
    expect(read.lines[0]).toMatchObject({provenance: 'ckpt-run', line: expect.stringMatching(/^This is ckpt-run/)});
  });

  it('says that it has been taken up already', async () => {
    const taken = sample({consumed_by: {run, leg: legNumber(2), at: '2026-11-18T10:00:00.000Z'}});
    const {out, err, code} = await ckpt([taken], []);
    expect(code).toBe(0);
    expect(out).toBe(prompt());
    expect(err).toBe(`ckpt: taken up already by run ${run}, leg 2, at 2026-11-18T10:00:00.000Z\n`);
  });

  it.each([
    [
      'a closed track',
      [sample({closed: {at: '2026-11-18T10:00:00.000Z', note: 'all done'}})],
      [],
      'baton-refused',
      'all done',
    ],
    ['a track without a checkpoint', [sample()], ['--track', 'x'], 'not-found', 'track "x" has no checkpoint'],
    ['an agent that nobody knows', [sample()], ['--for', 'gemini'], 'bad-usage', 'gemini'],
  ] as const)('refuses %s', async (_name, history, args, failure, words) => {
    const {code, err, out} = await ckpt([...history], [...args]);
    expect(code).toBe(exitCodes[failure]);
    expect(err).toContain(words);
    expect(out).toBe('');
  });
});
