import {describe, expect, it} from 'vitest';
import {benchCkptCommands} from '../bench/ckpt-commands.ts';
import {bundle} from '../io/checkpoint-files-rig.ts';

describe('the bench of the commands', () => {
  it('measures what it says, on folders of both sizes', async () => {
    const program = await bundle('src/ckpt.ts');
    const result = await benchCkptCommands({program: program.file, rounds: 1, few: 3, many: 30});
    program.remove();
    expect(Object.values(result.ms).filter((ms) => !(ms > 0))).toEqual([]);
    expect(Object.keys(result.ratios)).toHaveLength(5);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });
});
