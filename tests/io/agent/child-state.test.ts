import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {watchChild} from '../../../src/io/agent/child-state.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Its end then waited for the library, which gives a quiet terminal 200 ms more. */
test('a child that was gone before anybody listened is told of at once, and not within the call', async () => {
  const {pid} = spawnSync('true');
  const seen: string[] = [];
  const off = watchChild(pid, (state) => seen.push(state));
  expect(seen).toEqual([]);
  await turn();
  await turn();
  expect(seen).toEqual(['gone']);
  off();
});
