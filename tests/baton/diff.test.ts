import {describe, expect, it} from 'vitest';
import {changesBetween, changeText} from '../../src/baton/diff.ts';
import type {CheckpointId} from '../../src/core/ids.ts';
import {sample} from './samples.ts';

const text = (...pair: Parameters<typeof changesBetween>): string =>
  changesBetween(...pair)
    .map(changeText)
    .join('\n');

describe('the difference of two checkpoints', () => {
  it('is none when only their names differ', () => {
    const other = sample({id: '20261119T000000000Z_x' as CheckpointId, number: 9, born: '2026-11-19T00:00:00.000Z'});
    expect(changesBetween(sample(), other)).toEqual([]);
  });

  it('tells each field by the lines that came and went', () => {
    const other = sample({
      step: 'tests green',
      note: 'it was harder than thought\nbut done',
      tasks: [
        {title: 'parser', state: 'completed'},
        {title: 'tests', state: 'completed'},
      ],
      tried_failed: [],
      extra: {ticket: '43'},
      goal: undefined,
    });
    expect(text(sample(), other)).toBe(
      [
        'step\n  - the parser is written\n  + tests green',
        'note\n  + but done',
        'goal\n  - migrate the billing module',
        'tasks\n  - [pending] tests\n  + [completed] tests',
        'tried_failed\n  - regex (too slow)',
        'extra\n  - ticket=42\n  + ticket=43',
      ].join('\n'),
    );
  });

  it('knows another order, fields of a later version, and what would garble a terminal', () => {
    const one = {...sample({next_steps: ['a', 'b']}), weather: {sky: 'grey'}};
    const other = {...sample({next_steps: ['b', 'a'], step: '\u001b[2Jx'}), weather: {sky: 'blue'}};
    expect(text(one, other)).toBe(
      'step\n  - the parser is written\n  + x\nnext_steps\n  (the same in another order)\nweather\n  - sky=grey\n  + sky=blue',
    );
  });
});
