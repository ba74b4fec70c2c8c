// A small soak in every test run: 300 deaths of every kind through the built ckpt-run. `npm run soak` runs the long one.

import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {soak} from '../soak/soak.ts';

test('300 deaths: no step lost or doubled, no false kill, no orphan, no temp file left', {
  timeout: 900_000,
}, async () => {
  const repo = fileURLToPath(new URL('../../', import.meta.url));
  const result = await soak({repo, seed: 20_261_118, deaths: 300, lanes: 6, perLane: 30});
  expect(result.wrong).toEqual([]);
  expect(result.deaths).toBeGreaterThanOrEqual(300);
  // Every kind was among them.
  expect(Object.keys(result.causes).sort()).toEqual(
    expect.arrayContaining(['compaction', 'context-full', 'crashed', 'hang', 'killed']),
  );
  expect(result.lives).toBeGreaterThan(result.lanes);
});
