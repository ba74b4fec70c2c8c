import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type Checkpoint, type Trigger, triggers, validations} from '../../src/baton/checkpoint.ts';
import {isAutomatic, type PruneRule, planPrune} from '../../src/baton/retention.ts';
import type {CheckpointId, Track} from '../../src/core/ids.ts';
import {sample} from './samples.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-01T00:00:00.000Z');

const nth = (n: number, changes: Partial<Checkpoint> = {}): Checkpoint => {
  const born = new Date(start + n * day).toISOString();
  const id = `${born.replace(/[-:.]/g, '')}_n${n}` as CheckpointId;
  return sample({id, number: n, born, trigger: 'interval', validation: 'pending', ...changes});
};

const removed = (history: Checkpoint[], rule: PruneRule, latest: CheckpointId[] = []): (number | undefined)[] =>
  planPrune(history, rule, latest).remove.map(({number}) => number);

describe('what may be pruned', () => {
  it('are the oldest automatic ones beyond those that are kept', () => {
    const history = Array.from({length: 14}, (_, n) => nth(n + 1));
    expect(removed(history, {keep: 10})).toEqual([1, 2, 3, 4]);
    expect(removed(history, {keep: 20})).toEqual([]);
    expect(removed(history, {keep: 0})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  it.each(['manual', 'agent'] as Trigger[])(
    'is never what was saved by name (%s), nor does it use up a place',
    (trigger) => {
      const history = [nth(1, {trigger}), nth(2), nth(3, {trigger}), nth(4), nth(5)];
      expect(removed(history, {keep: 2})).toEqual([2]);
      expect(removed(history, {keep: 2, all: true})).toEqual([1, 2, 3]);
    },
  );

  it('is never the newest of a track, nor what LATEST names', () => {
    const side = 'side' as Track;
    const history = [nth(1, {track: side}), nth(2, {track: side}), nth(3), nth(4), nth(5)];
    expect(removed(history, {keep: 1})).toEqual([1, 3, 4]);
    expect(removed(history, {keep: 1}, [nth(3).id])).toEqual([1, 4]);
  });

  it('is never the last known good of a track', () => {
    const history = [
      nth(1, {validation: 'green'}),
      nth(2, {validation: 'green'}),
      nth(3),
      nth(4, {validation: 'failed'}),
    ];
    expect(removed(history, {keep: 1})).toEqual([1, 3]);
  });

  it('is only what is old enough, when an age is given', () => {
    const history = Array.from({length: 6}, (_, n) => nth(n + 1));
    expect(removed(history, {keep: 1, bornBefore: start + 3 * day})).toEqual([1, 2]);
    expect(removed(history, {keep: 5, bornBefore: start + 3 * day})).toEqual([1]);
  });

  it('says why each of the others stays', () => {
    const history = [nth(1, {trigger: 'manual'}), nth(2, {validation: 'green'}), nth(3), nth(4), nth(5)];
    const {stay} = planPrune(history, {keep: 2}, []);
    expect([...stay.values()]).toEqual(['saved by name', 'last known good', 'among the newest', 'newest of its track']);
  });

  it('leaves, whatever the history, the newest and the last good of every track, and all that was named', () => {
    const entry = fc.record({
      trigger: fc.constantFrom(...triggers),
      validation: fc.constantFrom(...validations),
      track: fc.constantFrom('a', 'b', 'c') as fc.Arbitrary<Track>,
    });
    fc.assert(
      fc.property(fc.array(entry, {maxLength: 40}), fc.nat(12), (entries, keep) => {
        const history = entries.map((one, n) => nth(n + 1, one));
        const {remove, stay} = planPrune(history, {keep}, []);
        expect(remove.length + stay.size).toBe(history.length);
        const left = history.filter(({id}) => stay.has(id));
        for (const track of new Set(history.map((one) => one.track))) {
          const of = (list: Checkpoint[]) => list.filter((one) => one.track === track);
          expect(of(left).at(-1)).toBe(of(history).at(-1));
          const good = (list: Checkpoint[]) => of(list).findLast(({validation}) => validation === 'green');
          expect(good(left)).toBe(good(history));
        }
        expect(left.filter((one) => !isAutomatic(one))).toEqual(history.filter((one) => !isAutomatic(one)));
        expect(left.filter(isAutomatic).length).toBeGreaterThanOrEqual(
          Math.min(keep, history.filter(isAutomatic).length),
        );
      }),
    );
  });
});
