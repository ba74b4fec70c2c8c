import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readCheckpoint} from '../../src/baton/schema.ts';
import {serialiseCheckpoint, wholeCheckpoint} from '../../src/baton/whole.ts';
import {anyCheckpoint} from './any-checkpoint.ts';
import {sample} from './samples.ts';

describe('a checkpoint known again without the schema', () => {
  it('is every one that we write', () => {
    fc.assert(
      fc.property(anyCheckpoint, (checkpoint) => {
        expect(wholeCheckpoint(serialiseCheckpoint(checkpoint))).toEqual(checkpoint);
      }),
    );
  });

  it('is never one that the schema would read otherwise, whatever somebody did to a field', () => {
    const fields = Object.keys(sample());
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(null, '', 0, 1.5, -1, [], {}, [{}], [null], {__proto__: null}, 'green', 'r', ['x'], true),
      fc.constantFrom({what: 'x', why: null}, {call: 'x', outcome: 'none', outside: 'no'}, [{title: 'x', state: 'y'}]),
      fc.constantFrom('2026-13-18T09:16:00.000Z', '2026-11-18', '2026-02-30T00:00:00.000Z', '2026-11-18T09:16:00Z'),
    );
    let known = 0;
    fc.assert(
      fc.property(anyCheckpoint, fc.constantFrom(...fields), fc.option(values), (checkpoint, field, value) => {
        const changed = JSON.stringify({...checkpoint, [field]: value === null ? undefined : value});
        const whole = wholeCheckpoint(changed);
        if (whole === undefined) return;
        known += 1;
        expect(readCheckpoint(changed)).toEqual({ok: true, value: whole, complaints: []});
      }),
      {numRuns: 3000},
    );
    expect(known).toBeGreaterThan(100);
  });

  it.each(['', '{', '[]', 'null', '3', '{}'])('is not %j', (text) => {
    expect(wholeCheckpoint(text)).toBeUndefined();
  });
});
