import {describe, expect, it} from 'vitest';
import {benchLargeFolders, benchSnapshots} from '../bench/snapshots.ts';

describe('the bench of snapshots', () => {
  it('measures what it says, on small folders', async () => {
    const told = await benchSnapshots({files: 120, changed: 5, rounds: 2});
    expect(told).toMatchObject({name: 'snapshots', files: 120, changed: 5, rounds: 2});
    expect(told.ms.status).toBeGreaterThan(0);
    expect(told.ms.snapshot).toBeGreaterThan(0);
    const {large} = await benchLargeFolders(300);
    expect(large).toMatchObject([
      {where: 'outside git', files: 300, complete: true},
      {where: 'in git', files: 300, complete: true},
    ]);
  });
});
